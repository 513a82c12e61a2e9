/**
 * The host, running: a first project gets the published webhooks over HTTP, the host is killed in the middle and
 * started again, and every count is checked against what the rules imply. Then it stays up for you to try: `npm start`.
 *
 * Exits with 0 only if every count is right.
 */
import { randomBytes } from 'node:crypto';
import { incomingBodies } from '../../quickstart/project.js';
import { print, say } from '../../quickstart/screen.js';
import { createApi } from '../src/client/index.js';
import { correctRule, tellCorrection } from './correction.js';
import { findOut } from './found.js';
import { type HostProcess, startHost } from './host-process.js';
import { impliedCorrection, impliedCounts } from './implied.js';
import { listen, type Listener } from './listening.js';
import { mostInteresting } from './most-interesting.js';
import { readOptions } from './options.js';
import { passAll } from './passage.js';
import { makeStorage, type Storage } from './storage.js';
import { ENDPOINT_NAMES, type EndpointName, type FirstProject, POLICY, setUp } from './project.js';
import { problemsOf } from './reckoning.js';
import { tell, tellVerdict } from './report.js';

const options = readOptions(process.argv.slice(2), process.env, process.stdout.isTTY);
/** The parts of the run that {@link end} ends, in the order in which they begin. */
let storage: Storage | undefined;
let host: HostProcess | undefined;
let project: FirstProject | undefined;
let listener: Listener | undefined;
let isEnding = false;
/** Prints an answer of a receiver; does nothing while answers are counted. */
let tellAnswer: (endpoint: EndpointName, eventId: string, status: number) => void = () => undefined;
/** How Ctrl-C ends it: as interrupted, until everything is counted. */
let exitCode = 130;

process.on('SIGINT', () => void end(exitCode));
process.on('SIGTERM', () => void end(exitCode));
try {
  exitCode = (await run()).length === 0 ? 0 : 1;
  if (options.isOnce) await end(exitCode);
  else tellHowToTry();
} catch (error) {
  await fail(error);
}

/** @returns Every problem, as a sentence. */
async function run(): Promise<readonly string[]> {
  const adminKey = randomBytes(24).toString('hex');
  storage = makeStorage(options);
  host = await startHost(storage, { port: options.port, adminKey }, (problem) => void fail(problem));
  const api = createApi({ baseUrl: host.url, key: adminKey });
  project = await setUp(api, (...answer) => tellAnswer(...answer));
  const access = { url: host.url, project: project.id, key: project.receiveKey };
  listener = await listen(access, ({ tags }) => Array.isArray(tags) && tags.includes('urgent'));
  const bodies = incomingBodies();
  const implied = impliedCounts(bodies);
  introduce(bodies.length, project, storage);

  const passage = { api, host, project, listener, implied };
  const over = await passAll(
    passage,
    bodies.map(({ body }) => body),
  );
  const found = await findOut(api, over);
  const explained = await mostInteresting(api, project, found.events);
  const correction = await correctRule(api, project, impliedCorrection(bodies));
  const problems = [...problemsOf(found, implied), ...correction.problems];
  tell(over, found, implied, explained);
  tellCorrection(correction);
  tellVerdict(over, found, implied, problems);
  return problems;
}

function introduce(webhooks: number, { rules }: FirstProject, { name }: Storage): void {
  say(
    `${webhooks} webhooks of GitHub, Stripe, Slack and Discord over HTTP to a host with ${rules.length} rules, ${ENDPOINT_NAMES.length} endpoints and an SDK client.`,
  );
  say(`The host is a process of its own. Its data are in ${name}.`);
  say(
    `Time is compressed: retries start at ${POLICY.retry_backoff_base_seconds} s, where the default is 60 s.`,
  );
  say();
}

/** The host stays up until Ctrl-C, and shows what it delivers. */
function tellHowToTry(): void {
  const { url, signIn } = host as HostProcess;
  const { id, channel, manageKey } = project as FirstProject;
  const { folder, end: becomes } = storage as Storage;
  tellAnswer = (endpoint, eventId, status) => print(`  --> ${eventId}  ${endpoint}  ${status}`);
  listener?.tell((eventId) => print(`  --> ${eventId}  SDK client  acknowledged`));
  say();
  say('The host stays up:');
  // Lines to be copied are not broken.
  print(`  service    ${url}`);
  print(`  reference  ${url}/reference`);
  if (signIn !== null) print(`  sign in    ${signIn}  (once, within an hour)`);
  print(`  read       curl -H 'authorization: Bearer ${manageKey}' ${url}/projects/${id}/events`);
  print(`  send       curl -H 'content-type: application/json' -d '{"text":"hello"}' ${String(channel.url)}`);
  say();
  say(`Its log is ${folder}/host.log. Ctrl-C ends it; what it has stored ${becomes}.`);
}

async function fail(error: unknown): Promise<void> {
  if (isEnding) return;
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await listener?.close();
  const isWell = (await host?.stop()) ?? true;
  for (const receiver of project?.receivers ?? []) receiver.close();
  if (!isWell) console.error('the host did not stop in time, and was killed');
  await storage?.remove();
  process.exit(isWell ? code : 1);
}
