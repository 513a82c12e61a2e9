/**
 * Collects decisions and records them, at most fifty in a transaction. If another transaction has locked a project for
 * long, as a large edit of its rules does, the project is set aside: its decisions wait by themselves, and hold up no
 * other project.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatch, Reservation } from 'headgate/delivery';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import type { Subscriber } from '../stored/subscriber.js';
import { keyOf, type PersistedEvent } from '../stored/event-json.js';
import { grouped } from './grouped.js';
import { createPace } from '../limits/pace.js';
import { createTurns } from '../limits/turns.js';
import { createNotices, type Notices } from './notices.js';
import { type DecidedEvent, recordDecisions, type Recorded, type SubscribersOf } from './record.js';
import { LOCK_NOT_AVAILABLE, POSTPONE } from './statements.js';
import { MOST, Unrecorded } from './unrecorded.js';

/** Dependencies, and where events go from here. */
export interface RecorderParts {
  readonly db: Database;
  readonly now: () => number;
  readonly endpoints: { subscribers(project: string, topic: string): Promise<readonly Subscriber[]> };
  /** Leases deliveries to the scheduler of this process; see `Scheduler.reserve`. */
  readonly reserve: (dispatches: readonly Dispatch[]) => Reservation;
  /** There are deliveries that were not leased. */
  readonly wake: () => void;
  /** True while more events come in than can be stored at once: there are fewer transactions then. */
  readonly isPressed?: () => boolean;
  readonly metrics: {
    decided(outcome: 'deliver' | 'drop', lagMs: number): void;
    decideFailed(events: number): void;
    storeFailed(module: string): void;
  };
  /** Called when an event could not be decided, or rules stayed undecided on it. */
  readonly undecided?: (project: string, cause: UndecidedCause) => void;
  /** Called with each event that this process has decided. */
  readonly traced?: (event: PersistedEvent, outcome: 'deliver' | 'drop') => void;
  /** Called with errors that no caller hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
  /** Receives events that are decided or postponed: this process need not hold them any longer. */
  readonly done: (events: readonly PersistedEvent[]) => void;
}

/** Why something stayed undecided. */
export interface UndecidedCause {
  /** `budget`: a pattern or an op met its work budget, and the rule went without it. */
  readonly reason: 'failure' | 'budget';
  readonly event_id: string;
  /** The first of the rules; null for a failure. */
  readonly rule_id: string | null;
}

/** If a project is locked: whether to wait a quarter of a second, or as long as any statement may. */
type Waits = 'shortly' | 'long';

/** Most deliveries of a transaction, each of which is three rows: an event may have a thousand recipients and more. */
const MOST_DELIVERIES = 1_000;
/** And most matches of rules, each of which is noted: a project may have tens of thousands of rules. */
const MOST_MATCHES = 100_000;
/** Projects set aside that wait for their locks at once: each wait takes a connection. */
const ASIDE = { atOnce: 2, ofProject: 1, waiting: Infinity, allWaiting: Infinity, of: 'decisions' };
/**
 * From the start of one transaction to the start of the next, in ms: a time for each decision that waits, within
 * bounds. Below 400 events a second they wait little; above, ten and more share a transaction.
 */
const GAP = { ofEach: 2.5, least: 10, most: 25 };
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** The last stage of deciding. `createDeciding` makes one, and keeps it. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #unrecorded = new Unrecorded();
  readonly #turns = createTurns(ASIDE);
  readonly #pace: () => Promise<void>;
  readonly #logNotices: Notices;
  readonly #eventNotices: Notices;
  readonly #running = new Set<Promise<void>>();
  #writing = 0;
  #isPacing = false;
  #deadline: AbortSignal | null = null;

  constructor(parts: RecorderParts) {
    const { db, report, isPressed = () => false } = parts;
    const notices = (topic: 'log' | 'events'): Notices =>
      createNotices((project) => {
        db.notify(topic, project).catch((error: unknown) => report(error, 'notify'));
      });
    this.#parts = parts;
    const gapMs = (): number => {
      const { size } = this.#unrecorded;
      return size >= MOST ? 0 : Math.min(Math.max(GAP.least, size * GAP.ofEach), GAP.most);
    };
    this.#pace = createPace(gapMs, isPressed);
    this.#logNotices = notices('log');
    this.#eventNotices = notices('events');
  }

  /** Decisions that wait, without those that were set aside. */
  get size(): number {
    return this.#unrecorded.size + this.#writing * MOST;
  }

  add(decided: readonly DecidedEvent[]): void {
    for (const one of decided) this.#unrecorded.add(one);
    this.#pump();
  }

  /** Leaves events that have no decision to be tried later, by any process. */
  postpone(events: readonly PersistedEvent[], error: unknown): void {
    if (events.length === 0) return;
    const { db, now, metrics, report, undecided, done } = this.#parts;
    const ids = events.map(({ id }) => id);
    metrics.decideFailed(ids.length);
    for (const { project, id } of events) {
      undecided?.(project, { reason: 'failure', event_id: id, rule_id: null });
    }
    report(error, `deciding ${ids.slice(0, 3).join(', ')}`);
    db.run(POSTPONE, [JSON.stringify(events.map(keyOf)), now()])
      .catch((failure: unknown) => report(failure, 'postponing'))
      .finally(() => done(events));
  }

  /** Resolves when all have been recorded; once `deadline` fires, at the next failure. */
  async drain(deadline: AbortSignal): Promise<void> {
    this.#deadline = deadline;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** Sends the notices that wait. */
  end(): void {
    this.#logNotices.stop();
    this.#eventNotices.stop();
  }

  #pump(): void {
    const width = this.#parts.db.dialect === 'sqlite' ? 1 : 2;
    if (this.#isPacing || this.#writing >= width || this.#unrecorded.size === 0) return;
    this.#follow(this.#writeNext());
  }

  #follow(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #writeNext(): Promise<void> {
    this.#writing++;
    this.#isPacing = true;
    await this.#pace();
    this.#isPacing = false;
    const batch = this.#unrecorded.take();
    this.#pump();
    // All that waited may have been set aside meanwhile.
    if (batch.length > 0) await this.#write(batch, 'shortly');
    this.#writing--;
    this.#pump();
  }

  async #write(batch: readonly DecidedEvent[], waits: Waits): Promise<void> {
    const refusal = await this.#writePatiently(batch, waits);
    if (refusal === null) return;
    const { error } = refusal;
    // Any project may be the locked one, and any event the bad one, so each is tried by itself.
    const pieces = isLocked(error) ? grouped(batch, projectOf) : grouped(batch, ({ event }) => event.id);
    for (const [key, piece] of pieces) {
      if (pieces.size > 1) await this.#write(piece, 'shortly');
      else if (!isLocked(error)) this.postpone(eventsOf(piece), error);
      else if (this.#unrecorded.setAside(key, piece)) this.#follow(this.#writeAside(key));
    }
  }

  async #writeAside(project: string): Promise<void> {
    for (;;) {
      const batch = this.#unrecorded.takeAside(project);
      if (batch.length === 0) return;
      await this.#turns.run(project, () => this.#write(batch, 'long'));
    }
  }

  /** Tries until the database answers. Returns its error if it refuses the batch. */
  async #writePatiently(batch: readonly DecidedEvent[], waits: Waits): Promise<{ error: unknown } | null> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        await this.#writeOnce(batch, waits);
        return null;
      } catch (error) {
        if (isLocked(error) || !(error instanceof DatabaseUnavailable)) return { error };
      }
      this.#parts.metrics.storeFailed('deciding');
      if (this.#deadline?.aborted === true) return null;
      await sleep(wait);
    }
  }

  async #writeOnce(batch: readonly DecidedEvent[], waits: Waits): Promise<void> {
    const { endpoints, metrics, now, traced, undecided, done } = this.#parts;
    const lists = eventsOf(batch).map(
      async (event) => [event, await endpoints.subscribers(event.project, event.topic)] as const,
    );
    const known = new Map(await Promise.all(lists));
    const subscribersOf: SubscribersOf = (event) => known.get(event) ?? [];
    for (const part of partsOf(batch, subscribersOf)) {
      const { decided } = await recordPart(this.#parts, part, subscribersOf, waits);
      const at = now();
      for (const { event, decision } of decided) {
        metrics.decided(decision.outcome, at - event.receivedAt);
        traced?.(event, decision.outcome);
        const [limit] = decision.limits;
        if (limit !== undefined) {
          undecided?.(event.project, { reason: 'budget', event_id: event.id, rule_id: limit.rule_id });
        }
        this.#eventNotices.add(event.project);
        if (decision.outcome === 'deliver') this.#logNotices.add(event.project);
      }
      done(eventsOf(part));
    }
  }
}

const eventsOf = (decided: readonly DecidedEvent[]): readonly PersistedEvent[] =>
  decided.map(({ event }) => event);

const projectOf = ({ event }: DecidedEvent): string => event.project;

/** The library's errors have the server's as their cause. */
function isLocked(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return code === LOCK_NOT_AVAILABLE || (cause instanceof Error && isLocked(cause));
}

/**
 * Records decisions in one transaction. Then the scheduler of this process begins the attempts that it has slots for.
 */
async function recordPart(
  { db, now, reserve, wake }: RecorderParts,
  part: readonly DecidedEvent[],
  subscribersOf: SubscribersOf,
  waits: Waits,
): Promise<Recorded> {
  let reservation = reserve([]);
  try {
    const recorded = await db.transaction((tx) =>
      recordDecisions(tx, part, subscribersOf, now(), {
        waits,
        reserve: (dispatches) => {
          // The transaction may run again.
          reservation.release();
          reservation = reserve(dispatches);
          return reservation;
        },
      }),
    );
    reservation.begin(recorded.deliveries);
    if (reservation.isPartial) wake();
    return recorded;
  } catch (error) {
    reservation.release();
    throw error;
  }
}

/**
 * Splits a batch so that no part has more deliveries or matches than a transaction may, unless one event alone does.
 */
function partsOf(
  batch: readonly DecidedEvent[],
  subscribersOf: SubscribersOf,
): readonly (readonly DecidedEvent[])[] {
  const parts: DecidedEvent[][] = [];
  let [room, matchRoom] = [0, 0];
  for (const one of batch) {
    const { outcome, endpointIds, matchedCount } = one.decision;
    const recipients = endpointIds ?? subscribersOf(one.event);
    const deliveries = outcome === 'drop' ? 0 : recipients.length;
    if (parts.length === 0 || deliveries > room || matchedCount > matchRoom) {
      parts.push([]);
      [room, matchRoom] = [MOST_DELIVERIES, MOST_MATCHES];
    }
    parts.at(-1)?.push(one);
    room -= deliveries;
    matchRoom -= matchedCount;
  }
  return parts;
}
