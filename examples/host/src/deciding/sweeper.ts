/** Finds events that nobody decides: those of processes that have died, of failures, and those that had to wait. */
import { type Database, DatabaseUnavailable } from '../db/index.js';
import { asksForRawPayload, type PersistedEvent, persistedOf } from '../stored/event-json.js';
import { unitsOf } from './held.js';
import type { RulesText } from './protocol.js';
import { type EventRow, LEASE, SELECT_EVENTS, UNDECIDED_PROJECTS } from './statements.js';

/** Dependencies and callbacks of a sweeper. */
export interface SweeperParts {
  readonly db: Database;
  readonly now: () => number;
  readonly rules: { current(project: string): Promise<RulesText> };
  /** How many events of the project may be taken. */
  readonly roomFor: (project: string) => number;
  readonly take: (events: readonly PersistedEvent[]) => void;
  readonly failed: (error: unknown) => void;
}

/** How long nobody else decides an event that was taken. */
export const LEASE_MS = 15_000;
const IDLE_MS = 1_000;
const BUSY_MS = 20;
/** Projects of one look. */
const MOST_PROJECTS = 100;
/** Events of a project that are leased at once: few at first, then by the size of those that were leased last. */
const FIRST_EVENTS = 8;
const SMALL_EVENTS = 128;
const SMALL_UNITS = 16_384;
const LARGE_UNITS = 131_072;

/** A sweeper, which looks once a second, and again at once while it finds something. */
export interface Sweeper {
  start(): void;
  /** Looks once; returns the number of events that were taken. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

export function createSweeper(parts: SweeperParts): Sweeper {
  /** The project that was looked at last, so that all get their turn. */
  let last = '';
  let timer: NodeJS.Timeout | null = null;
  let current: Promise<number> = Promise.resolve(0);
  let isStopped = false;
  /** How many events of a project are leased next, where that is known. */
  let mosts = new Map<string, number>();

  const sweep = async (): Promise<number> => {
    const rows = await parts.db.all<{ project_id: string }>(UNDECIDED_PROJECTS, [last, MOST_PROJECTS]);
    last = rows.length < MOST_PROJECTS ? '' : (rows.at(-1)?.project_id ?? '');
    let taken = 0;
    const next = new Map<string, number>();
    for (const { project_id: project } of rows) {
      if (isStopped) break;
      const most = mosts.get(project) ?? FIRST_EVENTS;
      // A project whose events cannot be leased does not keep the others from their turns.
      const events = await leaseOf(project, most, parts).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        parts.failed(error);
        return [];
      });
      if (events.length > 0) next.set(project, mostAfter(events));
      parts.take(events);
      taken += events.length;
    }
    mosts = next;
    return taken;
  };
  const next = (wait: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      current = sweep().catch((error: unknown) => {
        parts.failed(error);
        return 0;
      });
      void current.then((taken) => next(taken > 0 || last !== '' ? BUSY_MS : IDLE_MS));
    }, wait);
    timer.unref();
  };
  return {
    start: () => next(0),
    sweep,
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await current;
    },
  };
}

/** Large events are read one at a time: while SQLite reads, the process does nothing else. */
function mostAfter(events: readonly PersistedEvent[]): number {
  const largest = Math.max(...events.map(unitsOf));
  if (largest > LARGE_UNITS) return 1;
  return largest > SMALL_UNITS ? FIRST_EVENTS : SMALL_EVENTS;
}

/** Leases events of a project, as many as there is room for. */
async function leaseOf(
  project: string,
  most: number,
  { db, now, rules, roomFor }: SweeperParts,
): Promise<readonly PersistedEvent[]> {
  const count = Math.min(most, roomFor(project));
  if (count <= 0) return [];
  const { text } = await rules.current(project);
  const at = now();
  const leased = await db.transaction((tx) =>
    tx.all<{ id: string }>(LEASE, [project, at, at + LEASE_MS, count]),
  );
  if (leased.length === 0) return [];
  const ids = JSON.stringify(leased.map(({ id }) => id));
  const rows = await db.all<EventRow>(SELECT_EVENTS, [project, ids, asksForRawPayload(text) ? 1 : 0]);
  return rows.map(persistedEvent);
}

/** The event of a row. */
export const persistedEvent = (row: EventRow): PersistedEvent => ({
  ...persistedOf(row),
  project: row.project_id,
});
