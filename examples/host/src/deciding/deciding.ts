/**
 * Deciding: from a persisted event to the record of its decision. Events go one way through three stages:
 *
 * - admit: `held.ts` says which events this process takes. Ingest passes on those that it stored, and `sweeper.ts`
 *   finds those that nobody decides.
 * - evaluate: `evaluating.ts` runs the rules in threads, as `schedule.ts` says. Projects whose events are quick to
 *   decide share one lane, those whose events are slow another, so that no project delays the others.
 * - record: `recorder.ts` stores decisions with all that follows from them. An event without a decision is tried again
 *   later.
 *
 * An event that several processes have taken is decided once: the record of the second one does nothing.
 */
import type { PersistedEvent } from '../stored/event-json.js';
import { notFound } from '../errors/problem.js';
import type { VersionedDecision } from './decision.js';
import { Evaluating, type EvaluatingParts, type EvaluatingSettings } from './evaluating.js';
import { createHeld, type HeldLimits } from './held.js';
import type { RulesText } from './protocol.js';
import { Recorder, type RecorderParts } from './recorder.js';
import { type EventRow, RELEASE, SELECT_EVENT } from './statements.js';
import { createSweeper, persistedEvent } from './sweeper.js';

/** Dependencies of this module. */
export interface DecidingParts extends Omit<RecorderParts, 'done'> {
  readonly rules: { current(project: string): Promise<RulesText> };
  readonly metrics: RecorderParts['metrics'] & EvaluatingParts['metrics'];
  readonly settings?: Partial<DecidingSettings>;
}

/** Numbers that a host may choose. */
export interface DecidingSettings extends EvaluatingSettings {
  readonly held: HeldLimits;
}

/** The work that rules may do on one event, where they decide and where they are tried. */
export const PATTERNS = {
  /**
   * A tenth of the package's own: a rule's patterns take at most about a tenth of a second on an event. A pattern of
   * ten positions still reads a whole mebibyte.
   */
  budget: 10_000_000,
  /**
   * Ten rules may use all of theirs: the rules of a project take at most about a second to match an event, and as much
   * again to transform it, however many they are.
   */
  eventBudget: 100_000_000,
} as const;

const DEFAULTS: DecidingSettings = {
  ...PATTERNS,
  quickThreads: 1,
  slowThreads: 1,
  held: { events: 5_000, units: 33_554_432 },
  stuckMs: 250,
  hangMs: 30_000,
};

/** The sweeper leases events only while there is room for one of this many characters. */
const SWEPT_UNITS = 131_072;
/** A slow project holds no more events than take about this long. */
const SLOW_HELD_MS = 5_000;
/** How long `stop` waits for evaluations and records. */
const STOP_MS = 5_000;

/** The module. */
export interface Deciding {
  /** Whether an event of this many characters would be held, or left for later. */
  hasRoom(project: string, units: number): boolean;
  /** Decides events that were just persisted with a lease of {@link LEASE_MS}. */
  take(events: readonly PersistedEvent[]): void;
  /** Begins to look for events that nobody decides. */
  start(): void;
  /** Ends what runs, and gives the rest back to the other processes. */
  stop(): Promise<void>;
  /**
   * Decides a stored event by the rules of today, on its data as persisted, and records nothing.
   *
   * @throws Problem `not_found`
   */
  again(project: string, eventId: string): Promise<VersionedDecision>;
}

export function createDeciding(parts: DecidingParts): Deciding {
  const { db, now, rules, metrics, report } = parts;
  const settings = { ...DEFAULTS, ...parts.settings };
  const held = createHeld(settings.held);
  let isStopping = false;

  const recorder = new Recorder({
    ...parts,
    done(events) {
      events.forEach(held.remove);
      evaluating.pump();
    },
  });
  const evaluating = new Evaluating({ settings, now, rules, metrics, report, recorder });
  const hasRoom: Deciding['hasRoom'] = (project, units) =>
    !isStopping &&
    held.hasRoom(project, units) &&
    held.countOf(project) * evaluating.averageMs(project) <= SLOW_HELD_MS;
  const take: Deciding['take'] = (events) => evaluating.add(events.filter(held.add));
  const sweeper = createSweeper({
    ...{ db, now, rules, take },
    roomFor: (project) => (hasRoom(project, SWEPT_UNITS) ? held.roomFor(project) : 0),
    failed(error) {
      metrics.storeFailed('deciding');
      report(error, 'sweeping');
    },
  });
  return {
    hasRoom,
    take,
    start() {
      evaluating.warm();
      sweeper.start();
    },
    async stop() {
      isStopping = true;
      const deadline = AbortSignal.timeout(STOP_MS);
      await sweeper.stop();
      await Promise.race([evaluating.drain(), aborted(deadline)]);
      await Promise.race([recorder.drain(deadline), aborted(deadline)]);
      recorder.end();
      await evaluating.end();
      await db
        .run(RELEASE, [JSON.stringify(held.keys()), now()])
        .catch((error: unknown) => report(error, 'giving events back'));
    },
    async again(project, eventId) {
      const row = await db.get<EventRow>(SELECT_EVENT, [eventId, project]);
      if (row === undefined) throw notFound('event');
      return evaluating.ask(persistedEvent(row));
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
