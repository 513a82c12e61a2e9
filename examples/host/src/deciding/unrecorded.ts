/** Decisions that wait to be recorded. Pure. */
import type { DecidedEvent } from './record.js';

/** Most decisions of a transaction: two hundred would block SQLite's event loop for too long. */
export const MOST = 50;

/**
 * The decisions of one recorder, which makes it and keeps it. They wait in a common queue, but each project that was
 * set aside has a queue of its own.
 */
export class Unrecorded {
  #common: DecidedEvent[] = [];
  readonly #aside = new Map<string, DecidedEvent[]>();

  /** Decisions in the common queue. */
  get size(): number {
    return this.#common.length;
  }

  add(one: DecidedEvent): void {
    (this.#aside.get(one.event.project) ?? this.#common).push(one);
  }

  /** Takes the first decisions out of the common queue. */
  take(): readonly DecidedEvent[] {
    const batch = this.#common.slice(0, MOST);
    this.#common = this.#common.slice(MOST);
    return batch;
  }

  /**
   * Gives a project a queue of its own, with these decisions first. It keeps the queue until `takeAside` finds it
   * empty.
   *
   * @returns False if it had one already.
   */
  setAside(project: string, batch: readonly DecidedEvent[]): boolean {
    const known = this.#aside.get(project);
    if (known !== undefined) {
      known.push(...batch);
      return false;
    }
    const isOwn = ({ event }: DecidedEvent): boolean => event.project === project;
    this.#aside.set(project, [...batch, ...this.#common.filter(isOwn)]);
    this.#common = this.#common.filter((one) => !isOwn(one));
    return true;
  }

  /** Takes the first decisions out of a project's own queue. */
  takeAside(project: string): readonly DecidedEvent[] {
    const batch = this.#aside.get(project)?.splice(0, MOST) ?? [];
    if (batch.length === 0) this.#aside.delete(project);
    return batch;
  }
}
