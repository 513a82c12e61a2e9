/** Finds the drop that hides a rule: it runs earlier and matches whatever the rule matches. */
import type { Json } from '../../json.js';
import type { Program, Step } from '../match.js';
import { numberIn } from '../operators.js';
import type { Leaf, Rule } from '../rule.js';
import { coverOf } from './cover.js';
import { levelsOf } from './known.js';
import { Search } from './ways.js';

/** A drop that runs. */
export interface Drop {
  readonly rule: Rule;
  readonly program: Program;
}

/** Drops that a rule is compared with, and those of them that one leaf leads to, at most. */
const MAX_COMPARED = 64;
const MAX_OF_KEY = 16;

/** Drops by leaves that they need, in the order in which they run. */
export class Drops {
  readonly #byKey = new Map<string, Drop[]>();
  readonly #frequency = new Map<string, number>();
  #ofAll: Drop | undefined;

  /** @param programs - Those of all drops that will be added: each is kept by those of its leaves that are rare among them. */
  constructor(programs: Iterable<Program>) {
    for (const program of programs) {
      for (const { leaf } of program) {
        const key = keyOf(leaf);
        this.#frequency.set(key, (this.#frequency.get(key) ?? 0) + 1);
      }
    }
  }

  /** Adds a drop; rules asked about from now on run after it. True when it surely drops every event. */
  add(drop: Drop): boolean {
    const dropsAll = isSure([], drop.program);
    if (dropsAll) this.#ofAll ??= drop;
    for (const { leaf } of coverOf(drop.program, ({ leaf }) => this.#frequency.get(keyOf(leaf)) ?? 1)) {
      const key = keyOf(leaf);
      const list = this.#byKey.get(key) ?? [];
      if (list.length < MAX_OF_KEY) this.#byKey.set(key, [...list, drop]);
    }
    return dropsAll;
  }

  /** A drop that surely matches whatever event the program matches. */
  hiding(program: Program): Drop | undefined {
    if (this.#ofAll !== undefined) return this.#ofAll;
    const compared = new Set<Drop>();
    for (const step of program) {
      for (const key of keysFor(step)) {
        for (const drop of this.#byKey.get(key) ?? []) if (compared.size < MAX_COMPARED) compared.add(drop);
      }
    }
    return [...compared].find((drop) => isSure([program], drop.program));
  }
}

/** Whether it is sure that a program matches each event that all the given ones match. */
function isSure(given: readonly Program[], program: Program): boolean {
  const search = new Search([
    ...given.map((each) => ({ program: each, must: true })),
    { program, must: false },
  ]);
  const { found, complete } = search.run();
  return complete && !found;
}

/** Drops are kept by it: the path, and for `eq` with a scalar the value, the same for numbers that coerce. */
const keyOf = ({ path, op, value }: Leaf): string => (op === 'eq' ? valueKey(path, value) : path);

function valueKey(path: string, value: Json): string {
  if (typeof value === 'object' && value !== null) return path;
  const number = typeof value === 'string' ? numberIn(value) : undefined;
  return `${path} ${typeof (number ?? value)} ${String(number ?? value)}`;
}

/** Where to look for drops that hold a leaf which follows from this one. */
function keysFor({ leaf, path }: Step): readonly string[] {
  const keys = levelsOf(leaf, path).map(({ key }) => key);
  const [member] = leaf.op === 'eq' ? [leaf.value] : leaf.op === 'in' ? leaf.value : [];
  return member === undefined ? keys : [...keys, valueKey(leaf.path, member)];
}
