/** Signs that wait to be written: how often each thing happened, and what is known of the last time. Pure. */
import type { Kind } from './routes.js';

/** Something happened that an alert reports. */
export interface Sign {
  readonly project: string;
  readonly kind: Kind;
  /** `endpoint:<id>`, `channel:<id>`, `project:<id>`, or `quota:` and its name. */
  readonly subject: string;
  /** Goes into JSON; small. */
  readonly detail: object;
}

/** The signs of a project, kind and subject. Unix ms. */
export interface CountedSign extends Sign {
  readonly count: number;
  readonly since: number;
  readonly lastAt: number;
}

/** Subjects that are kept; what happens to others meanwhile is not counted, and counts when it happens again. */
const MOST_SUBJECTS = 10_000;

/** Signs of one process, which `createAlerts` makes and empties every few seconds. */
export class Signs {
  #counted = new Map<string, CountedSign>();

  get size(): number {
    return this.#counted.size;
  }

  add(sign: CountedSign): void {
    const key = `${sign.project} ${sign.kind} ${sign.subject}`;
    const known = this.#counted.get(key);
    if (known === undefined && this.#counted.size >= MOST_SUBJECTS) return;
    this.#counted.set(key, known === undefined ? sign : both(known, sign));
  }

  /** Takes all signs out. */
  take(): readonly CountedSign[] {
    const counted = [...this.#counted.values()];
    this.#counted = new Map();
    return counted;
  }
}

/** The sum of two signs, with the detail of the later one. */
function both(one: CountedSign, other: CountedSign): CountedSign {
  const later = other.lastAt >= one.lastAt ? other : one;
  const since = Math.min(one.since, other.since);
  return { ...later, count: one.count + other.count, since };
}
