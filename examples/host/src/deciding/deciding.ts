/**
 * Deciding: from a persisted event to the record of its decision.
 *
 * Rules are evaluated in threads. Projects whose events are quick to decide share one lane, those whose events are slow
 * another, so that no project delays the others. Each event is decided once, whichever processes take it.
 */
import type { Dispatch, FanOutEndpoint, Reservation } from 'headgate/delivery';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import type { PersistedEvent } from '../events/event-json.js';
import { notFound } from '../ground/problem.js';
import { BACKGROUND } from '../threads/index.js';
import type { VersionedDecision } from './decision.js';
import { startEvaluator } from './evaluator-thread.js';
import { createHeld, type HeldEvent, type HeldLimits, unitsOf } from './held.js';
import { createLane, type Lane, type LaneParts, type RulesText } from './lane.js';
import { createNotices } from './notices.js';
import type { DecidedEvent, Recorded } from './record.js';
import { createRecorder } from './recorder.js';
import { createSlowness } from './slowness.js';
import { type EventRow, POSTPONE, SELECT_EVENT } from './statements.js';
import { createSweeper, persistedEvent } from './sweeper.js';

/** Metrics of this room. */
export interface DecidingMetrics {
  decided(outcome: 'deliver' | 'drop', lagMs: number): void;
  decideFailed(events: number): void;
  storeFailed(room: string): void;
  /** A thread was replaced: `stuck`, `hung` or `lost`. */
  threadReplaced(reason: string): void;
}

/** Dependencies of this room. */
export interface DecidingParts {
  readonly db: Database;
  readonly now: () => number;
  readonly rules: { current(project: string): Promise<RulesText> };
  readonly endpoints: { ofProject(project: string): Promise<readonly FanOutEndpoint[]> };
  /** Leases deliveries to the scheduler of this process; see `Scheduler.reserve`. */
  readonly reserve: (dispatches: readonly Dispatch[]) => Reservation;
  /** There are new deliveries. */
  readonly wake: () => void;
  /** True while more events come in than can be stored at once: fewer decisions are recorded then. */
  readonly isPressed?: () => boolean;
  readonly metrics: DecidingMetrics;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
  readonly settings?: Partial<DecidingSettings>;
}

/** Numbers that a host may choose. */
export interface DecidingSettings {
  /** Work that the patterns of one rule may do on one event. */
  readonly budget: number;
  /** Work that all rules together may do on one event. */
  readonly eventBudget: number;
  /** Threads for projects whose events are quick to decide, and for the others. */
  readonly quickThreads: number;
  readonly slowThreads: number;
  readonly held: HeldLimits;
  /** A job in the quick lane that takes longer is moved out of it. */
  readonly stuckMs: number;
  /** A thread that ends no event for so long is ended. */
  readonly hangMs: number;
}

/**
 * A tenth of the package's own: a rule's patterns take at most about a tenth of a second on an event. A pattern of ten
 * positions still reads a whole mebibyte.
 */
export const PATTERN_BUDGET = 10_000_000;

/**
 * Ten rules may use all of theirs: the rules of a project take at most about a second to match an event, and as much again to
 * transform it, however many they are.
 */
export const EVENT_BUDGET = 100_000_000;

/** The work that rules may do on one event, where they decide and where they are tried. */
export const PATTERNS = { budget: PATTERN_BUDGET, eventBudget: EVENT_BUDGET } as const;

const DEFAULTS: DecidingSettings = {
  ...PATTERNS,
  quickThreads: 1,
  slowThreads: 1,
  held: { events: 5_000, units: 33_554_432 },
  stuckMs: 250,
  hangMs: 30_000,
};

/** Events of more characters take long to parse, whatever the rules. */
const LARGE_EVENT_UNITS = 131_072;
/** Rules of more characters take long to compile. */
const LARGE_RULES_UNITS = 262_144;
const MAX_RULE_UNITS = 67_108_864;
const MAX_HEAP_MB = 1_024;
/** Evaluations stop while more decisions than this wait for the database. */
const MAX_UNRECORDED = 200;
/** A slow project holds no more events than take about this long. */
const SLOW_HELD_MS = 5_000;
/** How long `stop` waits for evaluations and records. */
const STOP_MS = 5_000;

const RELEASE = `update events set decide_at = $2 where id in {list $1} and status = 'received'`;

/** The room. */
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
  const { db, now, metrics, report, isPressed = () => false } = parts;
  const settings = { ...DEFAULTS, ...parts.settings };
  const held = createHeld(settings.held);
  const slowness = createSlowness();
  const noticesOf = (topic: 'log' | 'events') =>
    createNotices((project) => {
      db.notify(topic, project).catch((error: unknown) => report(error, 'notify'));
    });
  const logNotices = noticesOf('log');
  const eventNotices = noticesOf('events');
  let isStopping = false;

  const letGo = (ids: readonly string[]): void => {
    held.remove(ids);
    lanes.pump();
  };
  const recorded = (all: readonly DecidedEvent[], { decided }: Recorded): void => {
    const at = now();
    for (const { event, decision } of decided) {
      metrics.decided(decision.outcome, at - event.receivedAt);
    }
    for (const { event, decision } of decided) {
      eventNotices.add(event.project);
      if (decision.outcome === 'deliver') logNotices.add(event.project);
    }
    letGo(all.map(({ event }) => event.id));
  };
  /** Leaves events to be tried later, by any process. */
  const postpone = (events: readonly HeldEvent[], error: unknown): void => {
    for (const { asked } of events) asked?.reject(error instanceof Error ? error : new Error(String(error)));
    const ids = events.filter(({ asked }) => asked === null).map(({ event }) => event.id);
    if (ids.length === 0) return;
    metrics.decideFailed(ids.length);
    report(error, `deciding ${ids.slice(0, 3).join(', ')}`);
    db.run(POSTPONE, [JSON.stringify(ids), now()])
      .catch((failure: unknown) => report(failure, 'postponing'))
      .finally(() => letGo(ids));
  };
  const recorder = createRecorder({
    db,
    now,
    endpointsOf: (project) => parts.endpoints.ofProject(project),
    reserve: (dispatches) => parts.reserve(dispatches),
    wake: () => parts.wake(),
    width: db.dialect === 'sqlite' ? 1 : 2,
    isPressed,
    recorded,
    failed: ({ event }, error) => postpone([{ event, units: 0, asked: null, isAnswered: true }], error),
    unavailable: () => metrics.storeFailed('deciding'),
  });
  const lanes = createLanes({
    settings,
    slowness,
    now,
    report,
    rulesOf: (project) => parts.rules.current(project),
    mayStart: () => recorder.size <= MAX_UNRECORDED,
    replaced: (reason) => metrics.threadReplaced(reason),
    failed: postpone,
    decided: (one, decision) => {
      if (one.asked !== null) one.asked.resolve(decision);
      else recorder.add([{ event: one.event, decision }]);
    },
  });

  const hasRoom: Deciding['hasRoom'] = (project, units) =>
    !isStopping &&
    held.hasRoom(project, units) &&
    held.countOf(project) * slowness.average(project) <= SLOW_HELD_MS;
  const take: Deciding['take'] = (events) => {
    for (const event of events) {
      if (held.has(event.id)) continue;
      const one = { event, units: unitsOf(event), asked: null, isAnswered: false };
      held.add(one);
      lanes.add(one);
    }
    lanes.pump();
  };
  const sweeper = createSweeper({
    db,
    now,
    rulesOf: (project) => parts.rules.current(project),
    roomFor: (project) => (hasRoom(project, LARGE_EVENT_UNITS) ? held.roomFor(project) : 0),
    take,
    failed: (error) => {
      metrics.storeFailed('deciding');
      report(error, 'sweeping');
    },
  });
  return {
    hasRoom,
    take,
    start() {
      lanes.warm();
      sweeper.start();
    },
    async stop() {
      isStopping = true;
      const deadline = AbortSignal.timeout(STOP_MS);
      await sweeper.stop();
      await Promise.race([lanes.drain(), aborted(deadline)]);
      await Promise.race([recorder.drain(deadline), aborted(deadline)]);
      logNotices.stop();
      eventNotices.stop();
      await lanes.end();
      await db
        .run(RELEASE, [JSON.stringify(held.ids()), now()])
        .catch((error: unknown) => report(error, 'giving events back'));
    },
    async again(project, eventId) {
      const row = await db.get<EventRow>(SELECT_EVENT, [eventId, project]);
      if (row === undefined) throw notFound('event');
      const event = persistedEvent(row);
      return new Promise((resolve, reject) => {
        lanes.add({ event, units: unitsOf(event), asked: { resolve, reject }, isAnswered: false });
        lanes.pump();
      });
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Dependencies and callbacks of the lanes. */
interface LanesParts extends Pick<LaneParts, 'rulesOf' | 'mayStart' | 'replaced' | 'failed'> {
  readonly settings: DecidingSettings;
  readonly slowness: ReturnType<typeof createSlowness>;
  readonly now: () => number;
  readonly report: DecidingParts['report'];
  readonly decided: (held: HeldEvent, decision: VersionedDecision) => void;
}

/** The lane of quick projects and that of slow ones, as one. */
function createLanes(parts: LanesParts): Pick<Lane, 'add' | 'warm' | 'pump' | 'drain' | 'end'> {
  const { settings, slowness, now } = parts;
  const start = (niceness: number) => (): ReturnType<typeof startEvaluator> =>
    startEvaluator({
      patterns: { budget: settings.budget, eventBudget: settings.eventBudget },
      niceness,
      maxRuleUnits: MAX_RULE_UNITS,
      maxHeapMb: MAX_HEAP_MB,
    });
  const add: Lane['add'] = (held, isFirst) => laneOf(held).add(held, isFirst);
  const pump = (): void => {
    quick.pump();
    slow.pump();
  };
  const toSlowLane = (project: string): void => {
    slowness.mark(project, now());
    for (const held of quick.takeAllOf(project)) slow.add(held);
  };
  const common: Omit<LaneParts, 'start' | 'threads' | 'jobEvents' | 'jobUnits' | 'stuckMs'> = {
    hangMs: settings.hangMs,
    mayStart: parts.mayStart,
    replaced: parts.replaced,
    failed(held, error) {
      // The database is away: the events wait in the process that holds them, as long as it lives.
      if (error instanceof DatabaseUnavailable) {
        retryLater(held);
        return;
      }
      const unanswered = held.filter((one) => !one.isAnswered);
      if (unanswered.length > 0) parts.failed(unanswered, error);
    },
    notStarted(held, error) {
      parts.report(error, 'starting a thread');
      for (const { asked } of held) asked?.reject(new Error('there is no thread', { cause: error }));
      retryLater(held.filter(({ asked }) => asked === null));
    },
    returned(held) {
      for (const one of held.filter(({ isAnswered }) => !isAnswered)) add(one, true);
      pump();
    },
    evaluated(held, { decision, error, ms }, rulesVersion) {
      slowness.record(held.event.project, ms, now());
      if (held.isAnswered) return;
      if (decision === null) {
        parts.failed([held], new Error(error ?? 'unknown'));
        return;
      }
      held.isAnswered = true;
      parts.decided(held, { ...decision, rulesVersion });
    },
    stuck: (project) => toSlowLane(project),
    async rulesOf(project) {
      const rules = await parts.rulesOf(project);
      if (rules.text.length > LARGE_RULES_UNITS) toSlowLane(project);
      return rules;
    },
  };
  const retryLater = (held: readonly HeldEvent[]): void => {
    setTimeout(() => common.returned(held), RETRY_MS).unref();
  };
  const quick = createLane({
    ...common,
    ...{ start: start(0), threads: settings.quickThreads, stuckMs: settings.stuckMs },
    ...{ jobEvents: 50, jobUnits: 1_048_576 },
  });
  const slow = createLane({
    ...common,
    ...{ start: start(BACKGROUND), threads: settings.slowThreads, stuckMs: null },
    ...{ jobEvents: 1, jobUnits: Infinity },
  });
  const laneOf = ({ event, units }: HeldEvent): Lane =>
    units > LARGE_EVENT_UNITS || slowness.isSlow(event.project) ? slow : quick;
  return {
    add,
    warm: () => quick.warm(),
    pump,
    drain: async () => void (await Promise.all([quick.drain(), slow.drain()])),
    end: async () => void (await Promise.all([quick.end(), slow.end()])),
  };
}

/** Events wait so long for the rules when the database does not answer. */
const RETRY_MS = 250;
