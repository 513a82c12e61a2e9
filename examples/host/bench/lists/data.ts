/** A project of many events, made so that conditions are common, rare, old, new, and exclude each other. */
import type { Database, Row } from '../../src/db/index.js';
import { OUTCOMES } from '../../src/events/routes.js';
import { factsOf, type FactsOfEvent } from '../../src/stored/facts.js';
import { firstEventIdAt } from '../../src/ids.js';
import { type EventFacts, postingRows } from '../../src/stored/postings.js';
import { insertDeliveries, type TestDelivery } from '../../test/db/library-rows.js';

const uuid = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** The project that is asked, and one that has the other half of the events of every minute. */
export const PROJECT = uuid(1);
const OTHER_PROJECT = uuid(2);
const CHANNELS = [uuid(11), uuid(12), uuid(13)] as const;
const RULES = [uuid(21), uuid(22), uuid(23)] as const;
const ENDPOINTS = [uuid(31), uuid(32), uuid(33)] as const;
const FIRST_AT = Date.UTC(2026, 0, 1);
/** Milliseconds between two events: a million take a month. */
const STEP_MS = 2_592;
const BURST = 50;

/** Every other thousand events come in bursts, whose events share rows of facts. */
const timeOf = (i: number): number =>
  Math.floor(i / 1_000) % 2 === 0
    ? FIRST_AT + i * STEP_MS
    : FIRST_AT + (i - (i % BURST)) * STEP_MS + (i % BURST);
export const idOf = (i: number): string => firstEventIdAt(timeOf(i));

/** The properties of the `i`th of `n` events. */
function factsAt(i: number, n: number): FactsOfEvent {
  const isEven = i % 2 === 0;
  const isRare = i % Math.ceil(n / 20) === 7;
  return {
    status: i % 5 === 0 ? 'dropped' : 'processed',
    type: isRare ? 'endpoint.test' : 'webhook.received',
    topic: isRare ? 'endpoint.test' : 'webhook.received',
    channel: isRare ? CHANNELS[2] : i % 3 === 0 ? CHANNELS[1] : CHANNELS[0],
    tags: [
      isEven ? 'even' : 'odd',
      ...(i % 100 === 0 ? ['hundredth'] : []),
      ...(i < n / 10 ? ['old'] : []),
      ...(i > (n * 9) / 10 ? ['new'] : []),
      ...(isRare ? ['rare'] : []),
    ],
    rules: [...(isEven ? [RULES[0]] : []), ...(i % 7 === 0 ? [RULES[1]] : []), ...(isRare ? [RULES[2]] : [])],
    endpoints:
      i % 5 === 0 ? [] : [ENDPOINTS[0], ...(isRare ? [ENDPOINTS[2]] : i % 3 === 1 ? [ENDPOINTS[1]] : [])],
  };
}

const BATCH = 5_000;
/** Every tenth event has its deliveries: lists count them for the events of a page alone. */
const DELIVERED = 10;

/** The newest of them are undecided. */
export async function storeMany(db: Database, n: number): Promise<void> {
  const undecidedFrom = n - Math.ceil(n / 200);
  for (let start = 0; start < n; start += BATCH) {
    const indexes = Array.from({ length: Math.min(BATCH, n - start) }, (_, k) => start + k);
    const decided = indexes.filter((i) => i < undecidedFrom);
    await db.transaction(async (tx) => {
      await tx.insert(
        'events',
        indexes.map((i) => eventRow(i, n, i < undecidedFrom)),
      );
      await tx.insert('event_payloads', indexes.map(payloadRow));
      await tx.insert('event_postings', postingRows(decided.map((i) => eventFacts(i, n))));
      await insertDeliveries(
        db,
        tx,
        decided.filter((i) => i % DELIVERED === 1).flatMap((i) => deliveryRows(i, n)),
      );
    });
  }
  const others = Array.from({ length: Math.ceil(n / 100) }, (_, i) => i);
  await db.insert(
    'event_postings',
    postingRows(others.map((i) => ({ project: OTHER_PROJECT, id: idOf(i), facts: ['tag:"even"'] }))),
  );
}

function eventRow(i: number, n: number, isDecided: boolean): Row {
  const { status, type, channel, tags, rules } = factsAt(i, n);
  const decision = {
    matched: rules.map((id) => ({ id, name: 'a rule', action: 'tag' })),
    endpoint_ids: null,
    limits: [],
  };
  const undecided = { status: 'received', decide_at: timeOf(i), decided_at: null, rules_version: null };
  return {
    ...{
      id: idOf(i),
      project_id: PROJECT,
      channel_id: channel,
      type,
      received_at: timeOf(i),
      decide_failures: 0,
    },
    ...(isDecided ? { status, decide_at: null, decided_at: timeOf(i), rules_version: 1 } : undecided),
    tags: isDecided ? JSON.stringify(tags) : null,
    decision: isDecided ? JSON.stringify(decision) : null,
  };
}

const BODY = {
  action: 'opened',
  repository: { full_name: 'headgate/example', private: false },
  text: 'x'.repeat(200),
};

const payloadRow = (i: number): Row => ({
  event_id: idOf(i),
  channel_name: 'a channel',
  data: JSON.stringify({ body: { number: i, ...BODY } }),
  raw_payload: JSON.stringify({ method: 'POST', body: JSON.stringify({ number: i, ...BODY }) }),
});

const eventFacts = (i: number, n: number): EventFacts => ({
  project: PROJECT,
  id: idOf(i),
  facts: factsOf(factsAt(i, n)),
});

const deliveryRows = (i: number, n: number): readonly TestDelivery[] =>
  factsAt(i, n).endpoints.map((endpoint, k) => ({
    ...{
      id: `${idOf(i)}:${uuid(1_000_000 + i * 4 + k)}`,
      project_id: PROJECT,
      event_id: idOf(i),
      event_type: 'webhook.received',
    },
    ...{ endpoint_id: endpoint, origin: 'live', dead: 0, created_at: timeOf(i), ...stateAt(i) },
  }));

/** Most deliveries arrive; a tenth of those of events with a delivery fail, and a few are under way or retried. */
function stateAt(i: number): Pick<TestDelivery, 'state' | 'attempts' | 'finished_at'> {
  if (i % 100 === 11) return { state: 'failed', attempts: 8, finished_at: timeOf(i) + 50 };
  if (i % 10_000 === 21) return { state: 'pending', attempts: 2 };
  if (i % 10_000 === 31) return { state: 'pending', attempts: 0 };
  return { state: 'delivered', attempts: 1, finished_at: timeOf(i) + 50 };
}

/** Conditions of a list. */
export interface Combination {
  readonly name: string;
  readonly query: string;
}

const at = (i: number): string => encodeURIComponent(new Date(timeOf(i)).toISOString());

const CONDITIONS: readonly Combination[] = [
  ...['received', 'processed', 'dropped'].map((status) => ({ name: status, query: `status=${status}` })),
  ...OUTCOMES.map((outcome) => ({ name: `outcome ${outcome}`, query: `outcome=${outcome}` })),
  ...['webhook.received', 'endpoint.test', 'none'].map((type) => ({
    name: `type ${type}`,
    query: `type=${type}`,
  })),
  ...CHANNELS.map((id, i) => ({ name: `channel ${i + 1}`, query: `channel=${id}` })),
  ...['even', 'odd', 'hundredth', 'old', 'new', 'rare', 'none'].map((tag) => ({
    name: `tag ${tag}`,
    query: `tag=${tag}`,
  })),
  ...RULES.map((id, i) => ({ name: `rule ${i + 1}`, query: `rule=${id}` })),
  ...ENDPOINTS.map((id, i) => ({ name: `endpoint ${i + 1}`, query: `endpoint=${id}` })),
  { name: 'first hours', query: `to=${at(2_000)}` },
  { name: 'before all', query: `to=${at(-10)}` },
  { name: 'an id', query: `id=${idOf(1_000)}` },
];

const keyOf = ({ query }: Combination): string => query.slice(0, query.indexOf('='));
/** All but tags stand once in a query. */
const goTogether = (a: Combination, b: Combination): boolean => keyOf(a) === 'tag' || keyOf(a) !== keyOf(b);
const both = (a: Combination, b: Combination): Combination => ({
  name: `${a.name} + ${b.name}`,
  query: `${a.query}&${b.query}`,
});

const PAIRS = CONDITIONS.flatMap((a, i) =>
  CONDITIONS.slice(i + 1)
    .filter((b) => goTogether(a, b))
    .map((b) => both(a, b)),
);
/** Three common conditions that few events, or none, meet together. */
const TRIPLES = [
  ['tag even', 'tag odd', 'processed'],
  ['tag even', 'channel 2', 'dropped'],
  ['tag odd', 'rule 1', 'endpoint 1'],
  ['tag odd', 'dropped', 'endpoint 1'],
  ['tag hundredth', 'rule 2', 'dropped'],
  ['tag hundredth', 'tag odd', 'channel 1'],
  ['tag old', 'tag new', 'processed'],
  ['type webhook.received', 'channel 1', 'processed'],
  ['type webhook.received', 'rule 2', 'endpoint 2'],
  ['outcome failing', 'tag even', 'channel 2'],
  ['outcome retrying', 'tag hundredth', 'endpoint 1'],
  ['outcome delivered', 'tag old', 'rule 1'],
].map((names) => names.map((name) => CONDITIONS.find((one) => one.name === name)!).reduce(both));

/** No condition, each alone, all pairs, some triples. */
export const COMBINATIONS: readonly Combination[] = [
  { name: 'all', query: '' },
  ...CONDITIONS,
  ...PAIRS,
  ...TRIPLES,
];
