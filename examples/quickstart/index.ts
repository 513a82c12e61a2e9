/**
 * Webhooks through rules to signed deliveries that receivers verify, with the worker killed in the middle: `npm run
 * quickstart`.
 *
 * Exits with 0 only if every count is what the payloads and rules imply.
 */
import { compileRules, type Decision, type Event } from 'headgate';
import { createDispatch } from 'headgate/delivery';
import { impliedCounts, type Counts } from './implied.js';
import {
  apiKey,
  behaviors,
  endpoint,
  incomingEvents,
  policy,
  rules,
  SECRET,
  type ReceiverName,
} from './project.js';
import { startReceiver, type Receiver } from './receivers.js';
import { say, showDecision, showEndpoints, showRules, type Standing, startProgress } from './screen.js';
import { chosenStorage, describe, open, remove } from './storage.js';
import { isOver, supervise } from './supervisor.js';
import { LEASE_MS, work } from './worker.js';

const storage = chosenStorage();
const receivers = await Promise.all(
  (Object.keys(behaviors) as ReceiverName[]).map((name) =>
    startReceiver(name, { secrets: SECRET, answer: behaviors[name] }),
  ),
);
const endpoints = receivers.map(({ name, url }) => endpoint(name, url));
const events = incomingEvents(Date.now());

say(
  `${events.length} webhooks of GitHub, Stripe, Slack and Discord, ${rules.length} rules, ${endpoints.length} endpoints.`,
);
say(`Deliveries live ${describe(storage)}.`);
say(
  `Time is compressed: retries start at ${policy.retry_backoff_base_seconds} s, where the default is 60 s.`,
);
say();

// Rules: one decision for each event.
const ruleSet = compileRules(rules);
const decisions = events.map((event) => ruleSet.evaluate(event));

// Deliveries: each decision fans out, and a worker sends what is due.
const { store, close } = await open(storage).catch((error: unknown) => {
  console.error(
    `cannot open the store ${describe(storage)}: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
});
const dispatches = decisions.map((decision) => createDispatch(decision, endpoints, { at: Date.now() }));
const deliveries = dispatches.flatMap((dispatch) => dispatch.deliveries);
await store.enqueue(dispatches);
const progress = startProgress(deliveries.length);
/** Attempts that the killed worker had begun, and not recorded. */
let inFlight = 0;
/** Whether nothing moves until their leases end. */
let waiting = false;
await deliver();
progress.set(await standing());
progress.stop();
for (const receiver of receivers) receiver.close();

// Counts, and checks them.
const implied = impliedCounts(events);
const actual = await countAll();
const deadLetters = await store.deadLetters.count({});
await close();
await remove(storage);
say();
say('What the rules matched');
showRules(rules, actual.matched, implied.matched);
say();
say('What the endpoints got');
showEndpoints(actual.endpoints, implied.endpoints);
say();
say('One decision, explained');
const [event, decision] = mostInteresting();
showDecision(event, decision);

const total = (count: (receiver: Receiver) => number): number =>
  receivers.reduce((sum, receiver) => sum + count(receiver), 0);
const repeats = Object.entries(actual.endpoints).reduce(
  (sum, [name, { requests }]) => sum + requests - implied.endpoints[name as ReceiverName].requests,
  0,
);
const problems = [...differences(actual, implied), ...receivers.flatMap(problemsOf)];
if (progress.left() > 0) problems.push(`${progress.left()} deliveries are not over`);
if (repeats < 0 || repeats > inFlight) problems.push(`${repeats} requests too many`);
say();
say(
  `${total(({ verified }) => verified)} signatures verified, ${actual.dropped} events dropped, ${actual.redacted} keys redacted, ${deadLetters} dead letters.`,
);
for (const problem of problems) say(`WRONG: ${problem}`);
say(
  problems.length === 0
    ? `Nothing lost, ${repeats} repeated: every count is what the rules imply.`
    : `Wrong: ${problems.length}, see above.`,
);
say();
say('To try next:');
say('  npm run quickstart -- --help     the other stores');
say('  examples/quickstart/project.ts   rules to change');
say('  examples/minimal-host/index.ts   a service in one file');
say('  docs/rules.md                    the language of rules');
process.exitCode = problems.length === 0 ? 0 : 1;

/** A store in memory would die with its worker, so that one is left alive. */
async function deliver(): Promise<void> {
  const onAttempt = (isOver: boolean): void => {
    progress.step(isOver);
    if (inFlight > 0 && !waiting && progress.left() <= inFlight) explainWait();
  };
  if (storage.kind === 'memory') {
    await work(store, endpoints, (told) => {
      if (told.said === 'attempted') onAttempt(told.state !== 'pending');
    });
    return;
  }
  const killAfter = Math.floor(deliveries.length / 4);
  await supervise({ storage, endpoints }, { killAfter, onAttempt, onDeath });
}

/** Deliveries leased to the dead worker may have been sent: another worker sends them again when the leases end. */
async function onDeath(): Promise<void> {
  const histories = await Promise.all(deliveries.map(({ id }) => store.get(id)));
  inFlight = histories.filter((history) => history?.delivery.state === 'leased').length;
  progress.set(await standing());
  progress.say(`The worker was killed with ${inFlight} attempts in flight. Another takes over.`);
}

function explainWait(): void {
  waiting = true;
  progress.say(
    `What was in flight is sent again when its leases end, ${LEASE_MS / 1_000} s after they began.`,
  );
}

/** Progress as recorded in the store. A killed worker has recorded more than it reported. */
async function standing(): Promise<Standing> {
  const histories = await Promise.all(deliveries.map(({ id }) => store.get(id)));
  return {
    over: histories.filter((history) => history !== null && isOver(history.delivery)).length,
    attempts: histories.reduce((sum, history) => sum + (history?.delivery.attempts ?? 0), 0),
  };
}

async function countAll(): Promise<Counts> {
  const matched: Record<string, number> = {};
  for (const rule of decisions.flatMap(({ matched }) => matched)) {
    matched[rule.id] = (matched[rule.id] ?? 0) + 1;
  }
  const counts = await Promise.all(
    endpoints.map(async ({ id, name }) => {
      const receiver = receivers.find((receiver) => receiver.name === name);
      const delivered = receiver?.accepted.size ?? 0;
      const failed = await store.deadLetters.count({ endpointId: id });
      return [name, { delivered, failed, requests: receiver?.verified ?? 0 }];
    }),
  );
  return {
    matched,
    dropped: decisions.filter(({ outcome }) => outcome === 'drop').length,
    redacted: decisions.filter(({ event }) => JSON.stringify(event.data).includes('[redacted]')).length,
    endpoints: Object.fromEntries(counts) as Counts['endpoints'],
  };
}

function differences(actual: Counts, implied: Counts): string[] {
  const flatten = ({ matched, dropped, redacted, endpoints }: Counts): Record<string, number> => ({
    ...matched,
    dropped,
    redacted,
    ...Object.fromEntries(
      Object.entries(endpoints).flatMap(([name, { delivered, failed }]) => [
        [`${name}: delivered`, delivered],
        [`${name}: failed`, failed],
      ]),
    ),
  });
  const [is, should] = [flatten(actual), flatten(implied)];
  return Object.keys(should)
    .filter((name) => (is[name] ?? 0) !== should[name])
    .map((name) => `${name} is ${is[name] ?? 0}, but the rules imply ${should[name]}`);
}

/** Problems that only a receiver sees: forged deliveries, and an API key that should have been redacted. */
function problemsOf({ name, refused, saw }: Receiver): string[] {
  return [
    ...refused.map((code) => `${name} refused a delivery: ${code}`),
    ...(saw(apiKey) ? [`${name} saw an API key`] : []),
  ];
}

/** The event that the most rules matched, of those that were both changed and tagged. */
function mostInteresting(): [Event, Decision] {
  const changed = decisions.map((decision, i): [Event, Decision] => [events[i] as Event, decision]);
  return changed
    .filter(([event, { event: projected, tags }]) => event.data !== projected.data && tags.length > 0)
    .reduce((best, next) => (next[1].matched.length > best[1].matched.length ? next : best));
}
