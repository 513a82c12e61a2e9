/** Events that this process decides, from when they are taken to the record of their decision. Pure. */
import type { PersistedEvent } from '../stored/event-json.js';
import { mayTake } from '../limits/fair-share.js';

/** Limits of the events that a process holds. */
export interface HeldLimits {
  readonly events: number;
  /** Characters of JSON text. */
  readonly units: number;
}

/** The events that this process holds; mutable. */
export interface Held {
  /** Whether an event of this size may be taken: no project may have more than it leaves to the others. */
  hasRoom(project: string, units: number): boolean;
  /** How many more events of the project there is room for. */
  roomFor(project: string): number;
  /** Events of the project. */
  countOf(project: string): number;
  /** Holds an event. Returns false if it was held already. */
  add(event: PersistedEvent): boolean;
  /** Lets go of an event, if it is held. */
  remove(event: PersistedEvent): void;
  ids(): readonly string[];
}

/** Characters of an event's texts. */
export const unitsOf = ({ data, rawPayload }: PersistedEvent): number =>
  data.length + (rawPayload?.length ?? 0);

/** Holds nothing at first. */
export function createHeld(limits: HeldLimits): Held {
  const all = new Map<string, PersistedEvent>();
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
  const ofProject = (project: string): typeof total => projects.get(project) ?? { events: 0, units: 0 };
  return {
    hasRoom(project, units) {
      // One event is held whatever its size.
      if (total.events === 0) return limits.events > 0;
      const own = ofProject(project);
      return (
        mayTake(own.events, 1, total.events, limits.events) &&
        mayTake(own.units, units, total.units, limits.units)
      );
    },
    // Each that it takes is one more of its own, and one less beside it.
    roomFor: (project) =>
      Math.max(0, Math.floor((limits.events - total.events - ofProject(project).events) / 2)),
    countOf: (project) => projects.get(project)?.events ?? 0,
    add(event) {
      if (all.has(event.id)) return false;
      all.set(event.id, event);
      add(event.project, 1, unitsOf(event));
      return true;
    },
    remove({ id }) {
      const event = all.get(id);
      if (event !== undefined) add(event.project, -1, -unitsOf(event));
      all.delete(id);
    },
    ids: () => [...all.keys()],
  };
}
