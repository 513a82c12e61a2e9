/**
 * Collects decisions and records them, at most fifty in a transaction. Those of a project that somebody else has locked for long,
 * as a large edit of its rules does, are set aside: they wait by themselves, and hold no other project back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatch, FanOutEndpoint, Reservation } from 'headgate/delivery';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import { createPace } from '../ground/pace.js';
import { createTurns } from '../ground/turns.js';
import { type DecidedEvent, type EndpointsOf, recordDecisions, type Recorded } from './record.js';
import { LOCK_NOT_AVAILABLE } from './statements.js';

/** Dependencies and callbacks of a recorder. */
export interface RecorderParts {
  readonly db: Database;
  readonly now: () => number;
  readonly endpointsOf: (project: string) => Promise<readonly FanOutEndpoint[]>;
  /** Leases deliveries to the scheduler of this process; see `Scheduler.reserve`. */
  readonly reserve: (dispatches: readonly Dispatch[]) => Reservation;
  /** There are deliveries that were not leased. */
  readonly wake: () => void;
  /** Transactions at a time. */
  readonly width: number;
  /** True while more events come in than can be stored at once: there are fewer transactions then. */
  readonly isPressed: () => boolean;
  /** These events are decided, by this process or another. */
  readonly recorded: (all: readonly DecidedEvent[], recorded: Recorded, ms: number) => void;
  /** The decision of this event cannot be recorded. */
  readonly failed: (one: DecidedEvent, error: unknown) => void;
  /** The database is away; the decisions wait. */
  readonly unavailable: () => void;
}

/** A recorder. */
export interface Recorder {
  add(decided: readonly DecidedEvent[]): void;
  /** Decisions that wait, but for those that were set aside. */
  readonly size: number;
  /** Resolves when all have been recorded; once `signal` fires, at the next failure. */
  drain(signal: AbortSignal): Promise<void>;
}

/** Most decisions of a transaction: two hundred would block SQLite's event loop for too long. */
const MOST = 50;
/** And most deliveries, each of which is three rows: a project may have a thousand endpoints. */
const MOST_DELIVERIES = 1_000;
/** And most matches of rules, each of which is noted: a project may have tens of thousands of rules. */
const MOST_MATCHES = 100_000;
/** Projects set aside that wait for their locks at once: each wait takes a connection. */
const ASIDE = { atOnce: 2, ofProject: 1, waiting: Infinity, allWaiting: Infinity, of: 'decisions' };
/** Between the beginnings of two transactions: what is decided meanwhile is recorded together. */
const GAP_MS = 10;
const GAP_UNDER_PRESSURE_MS = 50;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** Holds nothing at first. */
export function createRecorder(parts: RecorderParts): Recorder {
  let waiting: DecidedEvent[] = [];
  const running = new Set<Promise<void>>();
  /** Decisions of projects that were set aside. */
  const aside = new Map<string, DecidedEvent[]>();
  const following = new Set<Promise<void>>();
  const turns = createTurns(ASIDE);
  let stop: AbortSignal | null = null;

  const pace = createPace(() => (parts.isPressed() ? GAP_UNDER_PRESSURE_MS : GAP_MS));
  let hasTurn = true;

  const pump = (): void => {
    if (!hasTurn || waiting.length === 0 || running.size >= parts.width) return;
    const work = writeNext().finally(() => {
      running.delete(work);
      pump();
    });
    running.add(work);
  };
  const writeNext = async (): Promise<void> => {
    hasTurn = false;
    await pace();
    hasTurn = true;
    const batch = waiting.slice(0, MOST);
    waiting = waiting.slice(MOST);
    pump();
    // All that waited may have been set aside meanwhile.
    if (batch.length > 0) await write(batch);
  };
  /** From now on the decisions of this project wait for it by themselves, until none is left. */
  const setAside = (project: string, batch: readonly DecidedEvent[]): void => {
    const own = (one: DecidedEvent): boolean => one.event.project === project;
    const list = [...batch, ...waiting.filter(own)];
    waiting = waiting.filter((one) => !own(one));
    const known = aside.get(project);
    if (known !== undefined) {
      known.push(...list);
      return;
    }
    aside.set(project, list);
    const work = follow(project, list).finally(() => following.delete(work));
    following.add(work);
  };
  const follow = async (project: string, list: DecidedEvent[]): Promise<void> => {
    while (list.length > 0) {
      const batch = list.splice(0, MOST);
      await turns.run(project, () => write(batch, 'long'));
    }
    aside.delete(project);
  };
  /** Each project of the batch by itself: it is not known whose lock is held. */
  const locked = async (batch: readonly DecidedEvent[]): Promise<void> => {
    const projects = new Set(batch.map(({ event }) => event.project));
    for (const project of projects) {
      const own = batch.filter(({ event }) => event.project === project);
      if (projects.size === 1) setAside(project, own);
      else await write(own);
    }
  };
  /** Records a batch, however long the database is away. */
  const write = async (batch: readonly DecidedEvent[], waits: Waits = 'shortly'): Promise<void> => {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        await writeOnce(parts, batch, waits);
        return;
      } catch (error) {
        if (isLocked(error)) {
          await locked(batch);
          return;
        }
        if (!(error instanceof DatabaseUnavailable)) {
          await refused(batch, error);
          return;
        }
      }
      parts.unavailable();
      if (stop?.aborted === true) return;
      await sleep(wait);
    }
  };
  /** The content of a batch cannot be recorded: each event is tried by itself. */
  const refused = async (batch: readonly DecidedEvent[], error: unknown): Promise<void> => {
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) parts.failed(only, error);
    else for (const one of batch) await write([one]);
  };
  return {
    add(decided) {
      for (const one of decided) (aside.get(one.event.project) ?? waiting).push(one);
      pump();
    },
    get size() {
      return waiting.length + running.size * MOST;
    },
    async drain(signal) {
      stop = signal;
      while (running.size + following.size > 0) await Promise.allSettled([...running, ...following]);
    },
  };
}

type Waits = 'shortly' | 'long';

/** The library's errors have the server's as their cause. */
function isLocked(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return code === LOCK_NOT_AVAILABLE || (cause instanceof Error && isLocked(cause));
}

async function writeOnce(parts: RecorderParts, batch: readonly DecidedEvent[], waits: Waits): Promise<void> {
  const { now, endpointsOf, recorded } = parts;
  const began = now();
  const projects = [...new Set(batch.map(({ event }) => event.project))];
  const lists = await Promise.all(projects.map(async (id) => [id, await endpointsOf(id)] as const));
  const endpoints = new Map(lists);
  for (const part of partsOf(batch, (project) => endpoints.get(project)?.length ?? 0)) {
    recorded(
      part,
      await recordPart(parts, part, (project) => endpoints.get(project) ?? [], waits),
      now() - began,
    );
  }
}

/** Records decisions in one transaction; then the attempts begin that the scheduler of this process has slots for. */
async function recordPart(
  { db, now, reserve, wake }: RecorderParts,
  part: readonly DecidedEvent[],
  endpointsOf: EndpointsOf,
  waits: Waits,
): Promise<Recorded> {
  let reservation = reserve([]);
  try {
    const recorded = await db.transaction((tx) =>
      recordDecisions(tx, part, endpointsOf, now(), {
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

/** A batch in parts that make no more deliveries and matches than a transaction may, but for an event that does so alone. */
function partsOf(
  batch: readonly DecidedEvent[],
  endpointsOf: (project: string) => number,
): readonly (readonly DecidedEvent[])[] {
  const parts: DecidedEvent[][] = [];
  let [room, matchRoom] = [0, 0];
  for (const one of batch) {
    const { outcome, endpointIds, matchedCount } = one.decision;
    const most = endpointIds?.length ?? endpointsOf(one.event.project);
    const deliveries = outcome === 'drop' ? 0 : most;
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
