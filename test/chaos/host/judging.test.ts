/** The verdict on the service, tried on evidence that is made by hand: an honest run, and one with each fault in it. */
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../verdict.js';
import { type HostEvidence, judgeHost } from './judging.js';
import type { Arrival, Noted } from './messages.js';
import type { Records, StoredEvent } from './records.js';

const RULE = {
  id: 'r1',
  name: 'Large ones are tagged',
  stage: 'deliver',
  match: { path: 'data.body.n', op: 'gte', value: 1 },
  action: { type: 'tag', tags: ['large'] },
  priority: 1,
  enabled: true,
} as const;

const eventOf = (n: number): StoredEvent => ({
  ...{ id: `evt_${n}`, type: 'webhook.received', channel_id: 'c', channel_name: 'in', status: 'processed' },
  ...{ received_at: 1_000, rules_version: 1, dropped_by: null, raw_payload: null, projected: null },
  tags: n >= 1 ? '["large"]' : '[]',
  decision: JSON.stringify({ matched: n >= 1 ? [{ id: 'r1' }] : [], endpoint_ids: null, limits: [] }),
  data: JSON.stringify({ body: { n } }),
});

const NUMBERS = [0, 1, 2];
const deliveryOf = (n: number): string => `evt_${n}:e1`;
const arrivalOf = (n: number): Arrival => ({ delivery: deliveryOf(n), at: 2_000, status: 204 });

/** Three events, of which two matched, one endpoint and one client, which replied to the first. */
const honest: HostEvidence = {
  answered: new Map(NUMBERS.map((n) => [n, `evt_${n}`])),
  events: NUMBERS.length,
  records: {
    events: NUMBERS.map(eventOf),
    log: NUMBERS.map((n) => ({ position: n + 1, event_id: `evt_${n}`, origin: 'live' })),
    deliveries: NUMBERS.map((n) => ({
      ...{ id: deliveryOf(n), event_id: `evt_${n}`, endpoint_id: 'e1', state: 'delivered', attempts: 1 },
    })),
    attempts: NUMBERS.map((n) => ({ delivery_id: deliveryOf(n), number: 1, ok: 1 })),
    rules: [{ id: 'r1' }],
    ruleCounts: [{ id: 'r1', n: 2 }],
    ruleMinutes: [{ id: 'r1', n: 2 }],
    endpointMinutes: [{ id: 'e1', n: 3 }],
    replies: [
      { event_id: 'evt_0', client: 'billing', reply_id: 'answer', payload: '{"n":0,"by":"billing"}' },
    ],
  },
  customer: { arrivals: NUMBERS.map(arrivalOf), refused: {} },
  notes: new Map([
    [
      'billing',
      [
        { is: 'started' },
        { is: 'event', position: 1, id: 'evt_0', attempt: 1 },
        { is: 'replied', id: 'evt_0', n: 0 },
        { is: 'started' },
        ...NUMBERS.map((n) => ({ is: 'event', position: n + 1, id: `evt_${n}`, attempt: 1 }) as const),
      ],
    ],
  ]),
  versions: new Map([[1, { rules: [RULE], at: 500 }]]),
  endpoints: ['e1'],
  kills: [],
  concurrency: 1,
};

const problems = ({ lost, repeats, heldTwice, faults }: Verdict): readonly string[] => [
  ...lost,
  ...repeats.filter(({ reason }) => reason === null).map(({ delivery }) => delivery),
  ...heldTwice,
  ...faults,
];

const withRecords = (changes: Partial<Records>): HostEvidence => ({
  ...honest,
  records: { ...honest.records, ...changes },
});
const { events, log, deliveries, attempts, replies } = honest.records;
const withEvent = (changes: Partial<StoredEvent>): HostEvidence =>
  withRecords({ events: events.map((event) => (event.id === 'evt_1' ? { ...event, ...changes } : event)) });
const withNotes = (notes: readonly Noted[]): HostEvidence => ({
  ...honest,
  notes: new Map([['billing', notes]]),
});
const notes = honest.notes.get('billing') ?? [];

describe('the verdict on the service', () => {
  test('finds nothing in an honest run', () => {
    expect(problems(judgeHost(honest))).toEqual([]);
  });

  test('leaves the counts of a deleted rule to retention', () => {
    const ruleCounts = [...honest.records.ruleCounts, { id: 'deleted', n: 1 }];
    expect(problems(judgeHost(withRecords({ ruleCounts })))).toEqual([]);
  });

  test('takes a request that nobody recorded for one that was under way at a kill', () => {
    const customer = { arrivals: [arrivalOf(0), ...honest.customer.arrivals], refused: {} };
    expect(problems(judgeHost({ ...honest, customer, kills: [2_100] }))).toEqual([]);
    expect(problems(judgeHost({ ...honest, customer, kills: [900] }))).toEqual([deliveryOf(0)]);
    expect(problems(judgeHost({ ...honest, customer }))).toContain(deliveryOf(0));
  });

  test.for<[string, HostEvidence]>([
    ['an event that was answered is not stored', withRecords({ events: events.slice(1) })],
    ['an event is stored twice', withRecords({ events: [...events, { ...eventOf(0), id: 'evt_9' }] })],
    ['an event is stored that nobody sent', withRecords({ events: [...events, eventOf(7)] })],
    [
      'an event is stored under another id',
      { ...honest, answered: new Map([...honest.answered, [2, 'evt_1']]) },
    ],
    ['an event is not decided', withEvent({ status: 'received' })],
    [
      'a position is left out',
      withRecords({ log: log.map((one) => ({ ...one, position: one.position * 2 })) }),
    ],
    ['an event is twice in the log', withRecords({ log: [...log, { ...log[0]!, position: 4 }] })],
    ['an event is not in the log', withRecords({ log: log.slice(0, 2) })],
    ['a delivery is missing', withRecords({ deliveries: deliveries.slice(1) })],
    [
      'a delivery is pending',
      withRecords({ deliveries: deliveries.map((one) => ({ ...one, state: 'pending' })) }),
    ],
    [
      'a delivery never arrived',
      { ...honest, customer: { arrivals: NUMBERS.slice(1).map(arrivalOf), refused: {} } },
    ],
    [
      'a signature was wrong',
      { ...honest, customer: { ...honest.customer, refused: { signature_mismatch: 1 } } },
    ],
    ['an attempt is not recorded', withRecords({ attempts: attempts.slice(1) })],
    ['a rule is counted too often', withRecords({ ruleCounts: [{ id: 'r1', n: 3 }] })],
    ['an attempt is not counted', withRecords({ endpointMinutes: [{ id: 'e1', n: 2 }] })],
    ['a decision has other tags', withEvent({ tags: '[]' })],
    ['a decision changed the data', withEvent({ projected: '{"body":{}}' })],
    ['a decision names a version that nobody made', withEvent({ rules_version: 2 })],
    [
      'a decision is by rules that were replaced long before',
      {
        ...withEvent({ received_at: 90_000 }),
        versions: new Map([...honest.versions, [2, { rules: [], at: 9_000 }]]),
      },
    ],
    ['a client skipped an event', withNotes(notes.filter((one) => one.is !== 'event' || one.position !== 2))],
    ['a client got an event twice in one life', withNotes([...notes, notes.at(-1)!])],
    ['a client did not get the last event', withNotes(notes.slice(0, -1))],
    ['a client was told of a gap', withNotes([...notes, { is: 'gap', from: 1, to: 2, reason: 'expired' }])],
    ['a client was sent away', withNotes([...notes, { is: 'ended', code: 'replaced' }])],
    ['a reply is lost', withRecords({ replies: [] })],
    ['a reply is stored twice', withRecords({ replies: [...replies, ...replies] })],
    [
      'a reply is stored as another',
      withRecords({ replies: replies.map((one) => ({ ...one, payload: '1' })) }),
    ],
    [
      'a reply is stored that nobody gave',
      withRecords({ replies: [...replies, { ...replies[0]!, client: 'x' }] }),
    ],
  ])('sees that %s', ([, evidence]) => {
    expect(problems(judgeHost(evidence))).not.toEqual([]);
  });
});
