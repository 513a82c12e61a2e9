/** From what everybody saw and what the database has to what became of every event. Pure. */
import type { Verdict } from '../verdict.js';
import { judgeDecisions } from './decisions.js';
import type { Versions } from './editor.js';
import { grouped } from './grouped.js';
import type { Arrival, CustomerReport, Noted } from './messages.js';
import type { Count, Records, StoredEvent } from './records.js';
import { judgeSubscriber } from './subscription.js';

/** All there is to know about a run of the host that is over. */
export interface HostEvidence {
  /** Ids that were answered with 202, by the number of the event. */
  readonly answered: ReadonlyMap<number, string>;
  /** Events that were sent. */
  readonly events: number;
  readonly records: Records;
  readonly customer: CustomerReport;
  /** The notes of each SDK client, by name. */
  readonly notes: ReadonlyMap<string, readonly Noted[]>;
  readonly versions: Versions;
  /** Ids of the endpoints that get every event that no rule routes. */
  readonly endpoints: readonly string[];
  /** Unix ms: of each SIGKILL of a host process, or of its database. */
  readonly kills: readonly number[];
  /** Attempts that one process may have in flight. */
  readonly concurrency: number;
}

/** An attempt that was under way at a kill began so long before, at most. */
const FLIGHT_MS = 20_000;
/** A receiver on a loaded machine takes note of a request this long after it was sent, at most. */
const LAG_MS = 250;

export function judgeHost(evidence: HostEvidence): Verdict {
  const { records, customer } = evidence;
  const stored = new Map(records.events.map((event) => [event.id, event]));
  const requests = grouped(customer.arrivals, ({ delivery }) => delivery);
  const unrecorded = unrecordedOf(evidence, requests);
  return {
    deliveries: records.deliveries.length,
    lost: [
      ...[...evidence.answered.values()].filter((id) => !stored.has(id)),
      ...records.deliveries.filter(({ id }) => !isAccepted(requests.get(id))).map(({ id }) => id),
    ],
    repeats: unrecorded.repeats,
    inFlightAtKills: unrecorded.repeats.length,
    heldTwice: twice(evidence),
    longestTakeOverMs: null,
    faults: [
      ...judgeEvents(evidence),
      ...judgeLog(records),
      ...judgeDeliveries(evidence, requests),
      ...unrecorded.faults,
      ...judgeCounts(records),
      ...judgeDecisions(records.events, evidence.versions),
      ...[...evidence.notes].flatMap(([name, notes]) => judgeSubscriber(name, notes, records)),
      ...judgeReplies(evidence),
    ],
  };
}

const isAccepted = (requests: readonly Arrival[] | undefined): boolean =>
  requests?.some(({ status }) => status === 204) ?? false;

const numberOf = ({ data }: StoredEvent): number => (JSON.parse(data) as { body: { n: number } }).body.n;

/** Ids, and numbers of events, that are there more than once. */
function repeated<Of>(all: readonly Of[]): readonly Of[] {
  return [...grouped(all, (one) => one)].filter(([, same]) => same.length > 1).map(([one]) => one);
}

const twice = ({ records }: HostEvidence): readonly string[] => [
  ...repeated(records.events.map(numberOf)).map((n) => `event ${n} is stored twice`),
  ...repeated(records.log.map(({ event_id }) => event_id)).map((id) => `${id}: twice in the log`),
  ...repeated(records.replies.map((one) => `${one.client} ${one.event_id}`)).map(
    (one) => `reply ${one}: twice`,
  ),
];

function judgeEvents({ records, answered, events }: HostEvidence): readonly string[] {
  const byNumber = new Map(records.events.map((event) => [numberOf(event), event]));
  const faults: string[] = [];
  for (const event of records.events) {
    const n = numberOf(event);
    if (!(Number.isInteger(n) && n >= 0 && n < events)) faults.push(`${event.id}: nobody has sent it`);
    if (event.status === 'received') faults.push(`${event.id}: not decided`);
  }
  for (const [n, id] of answered) {
    if (byNumber.get(n)?.id !== id) {
      faults.push(`event ${n}: answered with ${id}, stored as ${byNumber.get(n)?.id}`);
    }
  }
  if (answered.size !== events) faults.push(`${events - answered.size} events were never answered with 202`);
  return faults;
}

/** One entry for each processed event, at 1, 2, 3 … */
function judgeLog({ events, log }: Records): readonly string[] {
  const gap = log.findIndex(({ position }, i) => position !== i + 1);
  const logged = new Set(log.map(({ event_id }) => event_id));
  const processed = new Set(events.filter(({ status }) => status === 'processed').map(({ id }) => id));
  return [
    ...(gap < 0 ? [] : [`the log has ${log[gap]?.position} where ${gap + 1} belongs`]),
    ...[...processed].filter((id) => !logged.has(id)).map((id) => `${id}: processed, and not in the log`),
    ...[...logged].filter((id) => !processed.has(id)).map((id) => `${id}: in the log, and not processed`),
  ];
}

function judgeDeliveries(
  { records, endpoints, customer }: HostEvidence,
  requests: ReadonlyMap<string, readonly Arrival[]>,
): readonly string[] {
  const known = new Map(records.deliveries.map((one) => [one.id, one]));
  const due = records.events.flatMap((event) => {
    if (event.status !== 'processed') return [];
    const { endpoint_ids } = JSON.parse(event.decision ?? '{}') as {
      endpoint_ids?: readonly string[] | null;
    };
    return (endpoint_ids ?? endpoints).map((endpoint) => `${event.id}:${endpoint}`);
  });
  const isDue = new Set(due);
  return [
    ...due.filter((id) => !known.has(id)).map((id) => `${id}: decided, and no delivery`),
    ...[...known.keys()].filter((id) => !isDue.has(id)).map((id) => `${id}: a delivery that nobody decided`),
    ...[...known.values()]
      .filter(({ state }) => state !== 'delivered')
      .map(({ id, state }) => `${id}: ${state}`),
    ...[...requests.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `${id}: arrived, and there is no such delivery`),
    ...Object.entries(customer.refused).map(([code, n]) => `${n} requests with a wrong signature: ${code}`),
  ];
}

/** Requests that no recorded attempt accounts for: they were under way when their process was killed. */
function unrecordedOf(
  { records, kills, concurrency }: HostEvidence,
  requests: ReadonlyMap<string, readonly Arrival[]>,
): { readonly repeats: Verdict['repeats']; readonly faults: readonly string[] } {
  const attempts = grouped(records.attempts, ({ delivery_id }) => delivery_id);
  const wasCut = ({ at }: Arrival): boolean =>
    kills.some((kill) => kill >= at - LAG_MS && kill <= at + FLIGHT_MS);
  const faults: string[] = [];
  const repeats = [...requests].flatMap(([delivery, arrivals]) => {
    const recorded = attempts.get(delivery) ?? [];
    const accepted = arrivals.filter(({ status }) => status === 204).length;
    if (recorded.filter(({ ok }) => ok === 1).length > accepted) {
      faults.push(`${delivery}: recorded as accepted, and was not`);
    }
    const more = Math.max(0, arrivals.length - recorded.length);
    const cut = arrivals.filter(wasCut).length;
    return Array.from({ length: more }, (_, i) => ({
      delivery,
      key: `${recorded.length} recorded attempts, ${sinceKill(arrivals, kills)} ms after a kill`,
      reason: i < cut ? ('killed' as const) : null,
    }));
  });
  if (repeats.length > kills.length * concurrency) {
    faults.push(`${repeats.length} repeats are more than ${kills.length} kills can have caused`);
  }
  return { repeats, faults };
}

/** From the last kill before the last request to that request. */
const sinceKill = (arrivals: readonly Arrival[], kills: readonly number[]): number => {
  const at = Math.max(...arrivals.map((one) => one.at));
  return at - Math.max(...kills.filter((kill) => kill <= at));
};

/** Counts are of what was decided and attempted, no more and no less. */
function judgeCounts({
  events,
  attempts,
  deliveries,
  rules,
  ruleCounts,
  ruleMinutes,
  endpointMinutes,
}: Records): readonly string[] {
  const isKept = new Set(rules.map(({ id }) => id));
  const endpointOf = new Map(deliveries.map(({ id, endpoint_id }) => [id, endpoint_id]));
  const matched = events.flatMap(({ decision }) =>
    ((JSON.parse(decision ?? '{}') as { matched?: readonly { id: string }[] }).matched ?? []).map(
      ({ id }) => id,
    ),
  );
  // The counts of a deleted rule are of no interest. A match that was counted at that very time leaves some to
  // retention.
  const counted = matched.filter((id) => isKept.has(id));
  const ofKept = (counts: readonly Count[]): readonly Count[] => counts.filter(({ id }) => isKept.has(id));
  const rows = grouped(attempts, ({ delivery_id }) => delivery_id);
  const attempted = attempts.map(({ delivery_id }) => endpointOf.get(delivery_id) ?? '?');
  return [
    ...differences('matches of rule', counted, ofKept(ruleCounts)),
    ...differences('matches, by minutes, of rule', counted, ofKept(ruleMinutes)),
    ...differences('attempts, by minutes, of endpoint', attempted, endpointMinutes),
    ...deliveries.flatMap(({ id, attempts: n }) => {
      const recorded = rows.get(id)?.length ?? 0;
      return recorded === n ? [] : [`${id}: ${n} attempts, of which ${recorded} are recorded`];
    }),
  ];
}

function differences(what: string, each: readonly string[], counts: readonly Count[]): readonly string[] {
  const expected = grouped(each, (id) => id);
  const counted = new Map(counts.map(({ id, n }) => [id, n]));
  return [...new Set([...expected.keys(), ...counted.keys()])].flatMap((id) => {
    const [is, should] = [counted.get(id) ?? 0, expected.get(id)?.length ?? 0];
    return is === should ? [] : [`${what} ${id}: counted ${is}, happened ${should}`];
  });
}

/** Every reply whose promise resolved is stored as it was given; nothing else is. */
function judgeReplies({ records, notes }: HostEvidence): readonly string[] {
  const stored = new Map(records.replies.map((one) => [`${one.client} ${one.event_id}`, one]));
  const handled = new Set(
    [...notes].flatMap(([name, all]) =>
      all.flatMap((one) => (one.is === 'event' ? [`${name} ${one.id}`] : [])),
    ),
  );
  const resolved = [...notes].flatMap(([name, all]) =>
    all.flatMap((one) => (one.is === 'replied' ? [{ key: `${name} ${one.id}`, n: one.n, name }] : [])),
  );
  return [
    ...resolved.flatMap(({ key, n, name }) => {
      const one = stored.get(key);
      if (one === undefined) return [`reply ${key}: resolved, and not stored`];
      return one.payload === JSON.stringify({ n, by: name })
        ? []
        : [`reply ${key}: stored as ${one.payload}`];
    }),
    ...[...stored.keys()].filter((key) => !handled.has(key)).map((key) => `reply ${key}: nobody gave it`),
  ];
}
