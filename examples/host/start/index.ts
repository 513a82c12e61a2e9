/**
 * The host, running: a first project gets the published webhooks over HTTP, the host is killed in the middle and started again,
 * and every count is reckoned against what the rules imply. Then it stays up, to be tried: `npm start`.
 *
 * Exits with 0 only if every count is right.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { incomingBodies } from '../../quickstart/project.js';
import { say, showDecision, showRules, type Standing, startProgress } from '../../quickstart/screen.js';
import { createApi } from './api.js';
import { findOut, type Found, type Run } from './found.js';
import { type HostProcess, startHost } from './host-process.js';
import { type Counts, deliveriesOf, impliedCounts } from './implied.js';
import { listen, type Listener } from './listening.js';
import { mostInteresting } from './most-interesting.js';
import { readOptions } from './options.js';
import { makePlace, type Place } from './place.js';
import { ENDPOINT_NAMES, type EndpointName, type FirstProject, POLICY, setUp } from './project.js';
import { problemsOf, repeatsAt } from './reckoning.js';
import { showDestinations, showEvents } from './screen.js';
import { sendAll, type Sent } from './sending.js';

/** So many webhooks are answered, then some deliveries are waited for; a few webhooks later the host is killed. */
const FIRST_WEBHOOKS = 200;
const FIRST_ATTEMPTS = 150;
const KILL_AFTER = 220;
const LOOK_MS = 250;
/** All that the run may take before it is counted as it is; it takes some 20 s. */
const PATIENCE_MS = 60_000;
/** How long a killed host's deliveries wait until another may send them. */
const LEASE_SECONDS = 15;

const options = readOptions(process.argv.slice(2), process.env, process.stdout.isTTY);
const adminKey = randomBytes(24).toString('hex');
let place: Place | undefined;
let host: HostProcess | undefined;
let project: FirstProject | undefined;
let listener: Listener | undefined;
let isEnding = false;
/** What to tell of answers; nothing while they are counted. */
let tellAnswer: (endpoint: EndpointName, eventId: string, status: number) => void = () => undefined;

process.once('SIGINT', () => void end(130));
process.once('SIGTERM', () => void end(143));
try {
  const problems = await run();
  if (options.isOnce) await end(problems.length === 0 ? 0 : 1);
  else stayUp(problems.length === 0 ? 0 : 1);
} catch (error) {
  await fail(error);
}

async function run(): Promise<readonly string[]> {
  place = makePlace(options);
  host = await startHost(place, { port: options.port, adminKey }, (problem) => void fail(problem));
  const api = createApi(host.url, adminKey);
  project = await setUp(api, (...answer) => tellAnswer(...answer));
  const { id, receiveKey: key, channel, receivers, rules } = project;
  listener = listen({ url: host.url, project: id, key }, ({ tags }) => (tags as string[]).includes('urgent'));
  const bodies = incomingBodies();
  const implied = impliedCounts(bodies);
  say(
    `${bodies.length} webhooks of GitHub, Stripe, Slack and Discord over HTTP to a host with ${rules.length} rules, ${Object.keys(project.endpoints).length} endpoints and an SDK client.`,
  );
  say(`The host is a process of its own. Its data are in ${place.name}.`);
  say(
    `Time is compressed: retries start at ${POLICY.retry_backoff_base_seconds} s, where the default is 60 s.`,
  );
  say();

  const progress = startProgress(deliveriesOf(implied));
  let restartedAt = 0;
  let killing: Promise<void> | null = null;
  const killAndStart = async (running: HostProcess, answered: number): Promise<void> => {
    await running.kill();
    progress.say(`The host was killed after ${answered} answers. It is started again.`);
    await running.start();
    restartedAt = Date.now();
  };
  const until = Date.now() + PATIENCE_MS;
  let deadLetters = 0;
  const count = async (): Promise<boolean> => {
    const home = `/projects/${id}`;
    const none = async (list: string): Promise<boolean> =>
      (await api.get<{ items: unknown[] }>(`${home}/${list}&limit=1`)).items.length === 0;
    ({ count: deadLetters } = await api.get<{ count: number }>(`${home}/dead-letters/count`));
    return (await none('events?status=received')) && (await none('deliveries?state=pending'));
  };
  const show = (): Standing => {
    const delivered = receivers.reduce((sum, { accepted }) => sum + accepted.size, 0);
    const attempts = receivers.reduce((sum, { verified }) => sum + verified, 0);
    const standing = { over: delivered + deadLetters, attempts };
    progress.set(standing);
    return standing;
  };
  let sent: Sent | null = null;
  const attempted = async (least: number): Promise<void> => {
    while (show().attempts < least && Date.now() < until) await sleep(LOOK_MS);
  };
  const posted = bodies.map(({ body }) => body);
  const sending = sendAll(String(channel.url), posted, (answered) => {
    if (answered >= KILL_AFTER) killing ??= killAndStart(host as HostProcess, answered);
    return answered >= FIRST_WEBHOOKS && killing === null ? attempted(FIRST_ATTEMPTS) : undefined;
  }).then((all) => void (sent = all));
  sending.catch((error: unknown) => void fail(error));
  let [last, lastAt, hasExplained] = [-1, Date.now(), false];
  while (Date.now() < until) {
    await sleep(LOOK_MS);
    const isQuiet = await count().catch(() => false);
    const { attempts: now } = show();
    if (now !== last) [last, lastAt] = [now, Date.now()];
    else if (sent !== null && !hasExplained && Date.now() - lastAt > 1_000) {
      hasExplained = true;
      progress.say(
        `What was in flight is sent again when its leases end, ${LEASE_SECONDS} s after they began.`,
      );
    }
    if (sent !== null && isQuiet && listener.events.size >= implied.received) break;
  }
  await sending;
  await killing;
  await count();
  show();
  progress.stop();

  const over: Run = { project, sent: sent as unknown as Sent, listener, restartedAt };
  const found = await findOut(api, over);
  const problems = problemsOf(found, implied);
  say();
  say('What came in');
  showEvents(found, implied);
  say();
  say('What the rules matched');
  const byRule = (counts: readonly number[]): Record<string, number> =>
    Object.fromEntries(rules.map((rule, i) => [rule.id, counts[i] ?? 0]));
  showRules(rules, byRule(found.matched), byRule(implied.matched));
  say();
  say('What came out');
  showDestinations(found, implied, listener.repeats);
  say();
  say('One decision, explained');
  const { event, decision } = await mostInteresting(api, project, found.events);
  showDecision(event, decision);
  say();
  tellVerdict(over, [found, implied], problems);
  return problems;
}

function tellVerdict(
  { sent, project, listener }: Run,
  [found, implied]: [Found, Counts],
  problems: readonly string[],
): void {
  const verified = project.receivers.reduce((sum, receiver) => sum + receiver.verified, 0);
  say(
    `${verified} signatures verified, ${found.replies} replies stored, ${found.deadLetters} dead letters. ${sent.unanswered} webhooks had no answer when the host died and were sent again; ${sent.hadBeenStored} of them had been stored, and are there once.`,
  );
  for (const problem of problems) say(`WRONG: ${problem}`);
  const repeated =
    ENDPOINT_NAMES.reduce((sum, name) => sum + repeatsAt(name, found, implied), 0) + listener.repeats;
  say(
    problems.length === 0
      ? `Nothing lost, ${repeated} repeated: every count is what the rules imply.`
      : `Wrong: ${problems.length}, see above.`,
  );
}

/** Until Ctrl-C, which ends with this code. */
function stayUp(code: number): void {
  const { url, signIn } = host as HostProcess;
  const { id, channel, manageKey } = project as FirstProject;
  process.removeAllListeners('SIGINT').once('SIGINT', () => void end(code));
  tellAnswer = (endpoint, eventId, status) => say(`  --> ${eventId}  ${endpoint}  ${status}`);
  listener?.tell((eventId) => say(`  --> ${eventId}  SDK client  acknowledged`));
  say();
  say('The host stays up:');
  // Lines to be copied are not broken.
  console.log(`  service     ${url}`);
  console.log(`  reference   ${url}/reference`);
  if (signIn !== null) console.log(`  sign in     ${signIn}   (once, within an hour)`);
  console.log(`  API         curl -H 'authorization: Bearer ${manageKey}' ${url}/projects/${id}/events`);
  console.log(
    `  send        curl -H 'content-type: application/json' -d '{"text":"hello <!channel>"}' ${String(channel.url)}`,
  );
  say();
  say(`Its log is ${place?.folder ?? ''}/host.log. Ctrl-C ends it; what it has stored ${place?.end ?? ''}.`);
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
  await place?.remove();
  process.exit(isWell ? code : 1);
}
