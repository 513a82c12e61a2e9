/** Events that this process decides, from when they are taken to the record of their decision. */
import type { PersistedEvent } from '../events/event-json.js';
import type { VersionedDecision } from './decision.js';

/** One such event. */
export interface HeldEvent {
  readonly event: PersistedEvent;
  /** Characters of its texts. */
  readonly units: number;
  /** Whoever only wants to know the decision; null where it is recorded. */
  readonly asked: { resolve(decision: VersionedDecision): void; reject(error: Error): void } | null;
  /** True once there is a decision: an event that was given to two threads is answered twice. */
  isAnswered: boolean;
}

/** What a process holds at most. */
export interface HeldLimits {
  readonly events: number;
  /** Characters of JSON text. */
  readonly units: number;
}

/** What this process holds; mutable. */
export interface Held {
  /** Whether an event of this size may be taken: each project may fill half of the whole. */
  hasRoom(project: string, units: number): boolean;
  /** How many more events of the project there is room for. */
  roomFor(project: string): number;
  /** Events of the project. */
  countOf(project: string): number;
  has(id: string): boolean;
  add(held: HeldEvent): void;
  /** Those ids that it holds are let go of. */
  remove(ids: readonly string[]): void;
  ids(): readonly string[];
}

/** Of the whole, for one project. */
const SHARE = 0.5;

export const unitsOf = ({ data, rawPayload }: PersistedEvent): number =>
  data.length + (rawPayload?.length ?? 0);

/** Holds nothing at first. */
export function createHeld(limits: HeldLimits): Held {
  const all = new Map<string, HeldEvent>();
  const projects = new Map<string, { events: number; units: number }>();
  const total = { events: 0, units: 0 };
  const add = (project: string, events: number, units: number): void => {
    const sum = projects.get(project) ?? { events: 0, units: 0 };
    sum.events += events;
    sum.units += units;
    if (sum.events === 0) projects.delete(project);
    else projects.set(project, sum);
    total.events += events;
    total.units += units;
  };
  const fits = (sum: typeof total, units: number, share: number): boolean =>
    sum.events < share * limits.events && (sum.events === 0 || sum.units + units <= share * limits.units);
  return {
    hasRoom: (project, units) =>
      fits(total, units, 1) && fits(projects.get(project) ?? { events: 0, units: 0 }, units, SHARE),
    roomFor: (project) =>
      Math.floor(
        Math.min(limits.events - total.events, SHARE * limits.events - (projects.get(project)?.events ?? 0)),
      ),
    countOf: (project) => projects.get(project)?.events ?? 0,
    has: (id) => all.has(id),
    add(held) {
      all.set(held.event.id, held);
      add(held.event.project, 1, held.units);
    },
    remove(ids) {
      for (const id of ids) {
        const held = all.get(id);
        if (held === undefined) continue;
        all.delete(id);
        add(held.event.project, -1, -held.units);
      }
    },
    ids: () => [...all.keys()],
  };
}
