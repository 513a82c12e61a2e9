/** Events that this process decides, from when they are taken to the record of their decision. Pure. */
import { type EventKey, keyOf, type PersistedEvent } from '../stored/event-json.js';
import { createLedger } from '../limits/ledger.js';

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
  keys(): readonly EventKey[];
}

/** Characters of an event's texts. */
export const unitsOf = ({ data, rawPayload }: PersistedEvent): number =>
  data.length + (rawPayload?.length ?? 0);

/** Holds nothing at first. */
export function createHeld(limits: HeldLimits): Held {
  const all = new Map<string, PersistedEvent>();
  const events = createLedger(limits.events);
  const units = createLedger(limits.units);
  const add = (project: string, more: 1 | -1, moreUnits: number): void => {
    events.add(project, more);
    units.add(project, moreUnits);
  };
  return {
    hasRoom(project, size) {
      // One event is held whatever its size.
      if (events.taken === 0) return limits.events > 0;
      return events.mayTake(project, 1) && units.mayTake(project, size);
    },
    roomFor: (project) => events.roomFor(project),
    countOf: (project) => events.takenBy(project),
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
    keys: () => [...all.values()].map(keyOf),
  };
}
