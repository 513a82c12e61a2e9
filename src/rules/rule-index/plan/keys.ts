/**
 * Keys: facts about the value at one path. "The string at `data.body.ref` starts with `refs/tags/`" is one. An event is
 * examined for each key once, however many rules ask for it.
 */

/**
 * The kinds of keys. `value`: the subject is this scalar; `spelling`: it is a string that spells this number;
 * `structure`: it is an array or object equal to this one. The other kinds say what they are.
 */
export type KeyKind =
  'value' | 'spelling' | 'structure' | 'prefix' | 'suffix' | 'text' | 'pattern' | 'presence';

/** Keys that share one path and one way of being looked up. */
export interface KeyGroup {
  readonly id: number;
  readonly path: string;
}

export interface Key {
  /** Its index in {@link Plan.keys}. */
  readonly id: number;
  readonly group: KeyGroup;
  readonly kind: KeyKind;
  /** A scalar, a text, the source of a pattern, or the number of a structure. */
  readonly sought: unknown;
  /** The least share of events that are assumed to have it; 0 if only the rules can tell. */
  readonly prior: number;
}

/** Creates keys while leaves are read. The planner keeps it; the plan holds the keys alone. */
export class KeyRegister {
  readonly keys: Key[] = [];
  #groups = 0;

  get groupCount(): number {
    return this.#groups;
  }

  newGroup(path: string): KeyGroup {
    return { id: this.#groups++, path };
  }

  add(group: KeyGroup, kind: KeyKind, sought: unknown, prior: number): Key {
    const key: Key = { id: this.keys.length, group, kind, sought, prior };
    this.keys.push(key);
    return key;
  }
}
