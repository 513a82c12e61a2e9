/**
 * Webhooks through rules to signed deliveries that receivers verify: `npm start`.
 *
 * Exits with 0 only if every count is what the payloads and rules imply.
 */
import { compileRules, type Decision, type Event } from 'headgate';
import { createDispatch, createScheduler } from 'headgate/delivery';
import { createHttpTransport } from 'headgate/http';
import { createMemoryStore } from 'headgate/memory';
import { createSigner } from 'headgate/signing';
import { impliedCounts, type Counts } from './implied.js';
import { apiKey, behaviors, endpoint, incomingEvents, policy, rules, type ReceiverName } from './project.js';
import { startReceiver, type Receiver } from './receivers.js';
import { say, showDecision, showEndpoints, showRules, startProgress } from './screen.js';

const SECRET = 'whsec_quickstart';

const receivers = await Promise.all(
  (Object.keys(behaviors) as ReceiverName[]).map((name) => startReceiver(name, SECRET)),
);
const endpoints = receivers.map(({ name, url }) => endpoint(name, url));
const events = incomingEvents(Date.now());

say(
  `${events.length} webhooks of GitHub, Stripe, Slack and Discord, ${rules.length} rules, ${endpoints.length} endpoints.`,
);
say(
  `Time is compressed: retries start at ${policy.retry_backoff_base_seconds} s, where the default is 60 s.\n`,
);

// Rules: one decision for each event.
const ruleSet = compileRules(rules);
const decisions = events.map((event) => ruleSet.evaluate(event));

// Deliveries: each decision fans out, and the scheduler sends what is due.
const store = createMemoryStore();
const dispatches = decisions.map((decision) => createDispatch(decision, endpoints, { at: Date.now() }));
const progress = startProgress(dispatches.flatMap(({ deliveries }) => deliveries).length);
let attempts = 0;
const retries = new Map<string, number>();

// Receivers listen on loopback, which customers' URLs may not name unless the operator allows it.
const transport = createHttpTransport({ allow: ['127.0.0.0/8'] });
const scheduler = createScheduler({
  store,
  transport,
  signer: createSigner({ secrets: SECRET }),
  endpoints: (id) => endpoints.find((endpoint) => endpoint.id === id),
  on: {
    attempted: () => void attempts++,
    retrying: ({ endpoint_id }) => retries.set(endpoint_id, (retries.get(endpoint_id) ?? 0) + 1),
    delivered: () => {
      progress.step(attempts);
    },
    deadLettered: () => {
      progress.step(attempts);
    },
  },
});
scheduler.start();
await store.enqueue(dispatches);
await scheduler.idle();
await scheduler.stop();
await transport.close();
progress.stop();
for (const receiver of receivers) receiver.close();

// The reckoning.
const implied = impliedCounts(events);
const actual = await countAll();
say('\nWhat the rules matched');
showRules(rules, actual.matched, implied.matched);
say('\nWhat the endpoints got');
showEndpoints(actual.endpoints, implied.endpoints);
say('\nOne decision, explained');
const [event, decision] = mostInteresting();
showDecision(event, decision);

const problems = [...differences(actual, implied), ...receivers.flatMap(problemsOf)];
const verified = receivers.reduce((sum, receiver) => sum + receiver.verified, 0);
say(
  `\n${verified} signatures verified, ${actual.dropped} events dropped, ${await store.deadLetters.count({})} dead letters.`,
);
for (const problem of problems) say(`WRONG: ${problem}`);
say(problems.length === 0 ? 'Every count is what the rules imply.' : `${problems.length} counts are wrong.`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function countAll(): Promise<Counts> {
  const matched: Record<string, number> = {};
  for (const rule of decisions.flatMap(({ matched }) => matched))
    matched[rule.id] = (matched[rule.id] ?? 0) + 1;
  const counts = await Promise.all(
    endpoints.map(async ({ id, name }) => {
      const receiver = receivers.find((receiver) => receiver.name === name);
      const delivered = receiver?.accepted.size ?? 0;
      return [
        name,
        {
          delivered,
          retried: retries.get(id) ?? 0,
          failed: await store.deadLetters.count({ endpointId: id }),
        },
      ];
    }),
  );
  return {
    matched,
    dropped: decisions.filter(({ outcome }) => outcome === 'drop').length,
    endpoints: Object.fromEntries(counts) as Counts['endpoints'],
  };
}

function differences(actual: Counts, implied: Counts): string[] {
  const flatten = ({ matched, dropped, endpoints }: Counts): Record<string, string> =>
    Object.fromEntries(
      Object.entries({ ...matched, dropped, ...endpoints }).map(([name, count]) => [
        name,
        JSON.stringify(count),
      ]),
    );
  const [is, should] = [flatten(actual), flatten(implied)];
  return Object.keys(should)
    .filter((name) => (is[name] ?? '0') !== should[name])
    .map((name) => `${name} is ${is[name] ?? '0'}, but the rules imply ${should[name]}`);
}

/** What a receiver alone can tell: forgeries, repeats, and secrets that should have been redacted. */
function problemsOf({ name, refused, accepted, saw }: Receiver): string[] {
  const repeats = [...accepted.values()].filter((times) => times > 1).length;
  return [
    ...refused.map((code) => `${name} refused a delivery: ${code}`),
    ...(repeats > 0 ? [`${name} accepted ${repeats} events twice`] : []),
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
