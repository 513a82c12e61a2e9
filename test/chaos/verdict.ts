/** From what everybody wrote down to what became of every delivery. Pure: the same evidence gives the same verdict. */
import type { Request } from './children/messages.js';
import type { Line } from './journal.js';
import { heldTwice, lateSettles, leasesOf, longestTakeOverMs } from './leases.js';
import type { LeaseChange, StoredDelivery } from './sites/site.js';

/** How long leases last: the least there is. */
export const LEASE_MS = 15_000;

/** A process that attempted deliveries. */
export interface Witness {
  readonly name: string;
  /** Unix ms; null: it ended by itself. */
  readonly killedAt: number | null;
  /** When it was made to stand still for longer than a lease; Unix ms, null: never. */
  readonly frozenAt: number | null;
  /** For a time, it did not know what time it was: leases of others may have seemed to be over. */
  readonly clockWasSet: boolean;
  readonly journal: readonly Line[];
}

/** All there is to know about a run. */
export interface Evidence {
  /** Ids of all deliveries that were committed. */
  readonly committed: ReadonlySet<string>;
  readonly stored: readonly StoredDelivery[];
  /** In the order in which they came. */
  readonly requests: readonly Request[];
  readonly leases: readonly LeaseChange[];
  readonly witnesses: readonly Witness[];
}

/**
 * Why an attempt was made again.
 *
 * - `killed`: its process was killed before it was recorded.
 * - `lease lost`: the lease of one of the two had passed on before it was recorded, and its scheduler said so.
 * - `answer lost`: the receiver accepted it, but the answer did not reach the sender, which recorded a failure.
 */
export type Reason = 'killed' | 'lease lost' | 'answer lost';

/** A request that follows one which the receiver had accepted, or which nobody had recorded. */
export interface Repeat {
  readonly delivery: string;
  /** The key of the attempt before it. */
  readonly key: string;
  /** Null: nothing explains it. */
  readonly reason: Reason | null;
}

/** The verdict on a run's deliveries. */
export interface Verdict {
  readonly deliveries: number;
  /** Committed, and no receiver has accepted it. */
  readonly lost: readonly string[];
  readonly repeats: readonly Repeat[];
  /** Attempts between their POST and their record when their process was killed. */
  readonly inFlightAtKills: number;
  readonly heldTwice: readonly string[];
  /** From a kill, or a standstill, to the next lease of what was held; null where nothing was. */
  readonly longestTakeOverMs: number | null;
  /** Everything else that must not be, as sentences. */
  readonly faults: readonly string[];
}

/** An attempt, as the process that made it wrote it down. Instants are Unix ms. */
interface Flight {
  readonly key: string;
  readonly delivery: string;
  readonly by: Witness;
  readonly startedAt: number;
  /** Null: it has not ended, or its process did before. */
  endedAt: number | null;
  ok: boolean;
  /** Whether the lease held when it was recorded; null: it was not, as far as its process knew. */
  held: boolean | null;
  /** Its process told that it lost the lease. */
  lost: boolean;
}

/** @param evidence - The evidence of a run that is over. */
export function judge(evidence: Evidence): Verdict {
  const { committed, requests, witnesses } = evidence;
  const flights = flightsOf(witnesses);
  const accepted = new Set(requests.filter(isAccepted).map(({ delivery }) => delivery));
  const leases = leasesOf(witnesses);
  return {
    deliveries: committed.size,
    lost: [...committed].filter((id) => !accepted.has(id)),
    repeats: repeatsOf(requests, flights),
    inFlightAtKills: [...flights.values()].filter(wasCut).length,
    heldTwice: [...heldTwice(evidence.leases, leases), ...inFlightTwice(flights)],
    longestTakeOverMs: longestTakeOverMs(evidence.leases, leases),
    faults: [
      ...strangers(evidence),
      ...misrecorded(evidence),
      ...unsent(witnesses),
      ...forgotten(flights),
      ...lateSettles(evidence.leases, witnesses),
    ],
  };
}

const isAccepted = ({ status }: Request): boolean => status !== null && status >= 200 && status < 300;

const wasLost = ({ held, lost }: Flight): boolean => held === false || (held === null && lost);
/** An attempt ends before its lease does: what a process had longer than that, it has forgotten. */
const wasCut = ({ by, held, startedAt }: Flight): boolean =>
  held === null && by.killedAt !== null && by.killedAt - startedAt < LEASE_MS;

/** Every attempt by its key. */
function flightsOf(witnesses: readonly Witness[]): ReadonlyMap<string, Flight> {
  const flights = new Map<string, Flight>();
  for (const by of witnesses) {
    /** The last attempt by delivery. */
    const last = new Map<string, Flight>();
    for (const line of by.journal) {
      if (line.is === 'sending') {
        const { key, delivery, at: startedAt } = line;
        const flight = { key, delivery, by, startedAt, endedAt: null, ok: false, held: null, lost: false };
        flights.set(key, flight);
        last.set(delivery, flight);
      }
      const flight = 'key' in line && line.key !== null ? flights.get(line.key) : undefined;
      if (line.is === 'sent' && flight) Object.assign(flight, { endedAt: line.at, ok: line.ok });
      if (line.is === 'settled' && flight) flight.held = line.held;
      if (line.is === 'told' && line.what === 'leaseLost') {
        Object.assign(last.get(line.detail) ?? {}, { lost: true });
      }
    }
  }
  return flights;
}

function repeatsOf(requests: readonly Request[], flights: ReadonlyMap<string, Flight>): readonly Repeat[] {
  /** The last request by delivery. */
  const last = new Map<string, Request>();
  const repeats: Repeat[] = [];
  for (const request of requests) {
    const { delivery } = request;
    const before = last.get(delivery);
    if (before !== undefined && !isRetried(before, flights.get(before.key))) {
      repeats.push({
        delivery,
        key: before.key,
        reason: reasonOf(flights.get(before.key), flights.get(request.key)),
      });
    }
    // Every request after an accepted one repeats it, however it ends.
    if (before === undefined || !isAccepted(before) || isAccepted(request)) last.set(delivery, request);
  }
  return repeats;
}

/** Whether the next request is a retry, by the policy. */
const isRetried = (request: Request, flight: Flight | undefined): boolean =>
  !isAccepted(request) && flight?.held === true;

function reasonOf(flight: Flight | undefined, again: Flight | undefined): Reason | null {
  if (flight === undefined) return null;
  if (wasCut(flight)) return 'killed';
  if (wasLost(flight) || (again !== undefined && wasLost(again))) return 'lease lost';
  return flight.ok ? null : 'answer lost';
}

/**
 * Attempts of one delivery at the same time by two processes. One that stood still, or whose clock was set, knows no
 * time.
 */
function inFlightTwice(flights: ReadonlyMap<string, Flight>): readonly string[] {
  const last = new Map<string, Flight>();
  const twice: string[] = [];
  const inOrder = [...flights.values()]
    .filter(({ by }) => by.frozenAt === null && !by.clockWasSet)
    .sort((a, b) => a.startedAt - b.startedAt);
  for (const flight of inOrder) {
    const before = last.get(flight.delivery);
    const until = before?.endedAt ?? before?.by.killedAt ?? 0;
    if (before !== undefined && before.by !== flight.by && flight.startedAt < until) {
      twice.push(`${flight.delivery}: ${flight.key} began before ${before.key} had ended`);
    }
    last.set(flight.delivery, flight);
  }
  return twice;
}

/** Deliveries that arrived or are stored without having been committed, and committed ones that are not stored. */
function strangers({ committed, requests, stored }: Evidence): readonly string[] {
  const arrived = new Set(requests.map(({ delivery }) => delivery).filter((id) => !committed.has(id)));
  const ids = new Set(stored.map(({ id }) => id));
  return [
    ...Array.from(arrived, (id) => `${id}: arrived, but was never committed`),
    ...[...ids].filter((id) => !committed.has(id)).map((id) => `${id}: stored, but was never committed`),
    ...[...committed].filter((id) => !ids.has(id)).map((id) => `${id}: committed, but not stored`),
  ];
}

/** Records that do not end as they should, or tell of more than the receiver saw. */
function misrecorded({ stored, requests }: Evidence): readonly string[] {
  const answers = new Map<string, number>();
  for (const { delivery, status } of requests) {
    if (status !== null) answers.set(delivery, (answers.get(delivery) ?? 0) + 1);
  }
  return stored.flatMap(({ id, state, attempts }) => {
    const answered = attempts.filter(({ outcome }) => outcome.status !== undefined).length;
    const succeeded = attempts.filter(({ outcome }) => outcome.ok).length;
    return [
      ...(state === 'delivered' ? [] : [`${id}: is ${state} in the end`]),
      ...(attempts.every(({ number }, i) => number === i + 1)
        ? []
        : [`${id}: its attempts are not numbered 1, 2, 3 …`]),
      ...(state !== 'delivered' || succeeded === 1 ? [] : [`${id}: ${succeeded} of its attempts succeeded`]),
      ...(answered <= (answers.get(id) ?? 0) ? [] : [`${id}: more answers are recorded than were given`]),
    ];
  });
}

/** Attempts that were neither recorded nor given up, though their process had the time. */
const forgotten = (flights: ReadonlyMap<string, Flight>): readonly string[] =>
  [...flights.values()]
    .filter((flight) => flight.held === null && !flight.lost && !wasCut(flight))
    .map(({ delivery, key }) => `${delivery}: ${key} was neither recorded nor given up`);

/** Attempts that were recorded and never made. */
const unsent = (witnesses: readonly Witness[]): readonly string[] =>
  witnesses.flatMap(({ name, journal }) =>
    journal.flatMap((line) =>
      line.is === 'settled' && line.key === 'none'
        ? [`${line.delivery}: ${name} recorded an attempt it had not made`]
        : [],
    ),
  );
