/** Finds the drop that hides a rule: it runs earlier and matches whatever the rule matches. */
import type { Json } from '../../json.js';
import type { Program, Step } from '../match.js';
import { numberIn } from '../operators.js';
import type { Rule } from '../rule.js';
import { coverOf } from './cover.js';
import { pathsTo } from './known.js';
import { conflictsOf, effortFor } from './ways.js';

/** A drop that runs. */
export interface Drop {
  readonly rule: Rule;
  readonly program: Program;
}

/** Drops kept under one key, the first ones: with none but these a rule is compared. */
const MAX_OF_KEY = 8;

/** Units of a prefix or suffix, and members of a list, that are looked up. */
const MAX_LOOKUPS = 64;

/** Drops by the leaves that they cannot match without. */
export class Drops {
  readonly #byKey = new Map<string, Drop[]>();
  readonly #frequency = new Map<string, number>();
  #ofAll: Drop | undefined;

  /** @param programs - Of all drops that will be added: each is kept by leaves that are rare among them. */
  constructor(programs: Iterable<Program>) {
    for (const program of programs) {
      for (const key of program.flatMap(keysOf))
        this.#frequency.set(key, (this.#frequency.get(key) ?? 0) + 1);
    }
  }

  /** Adds a drop; rules asked about from now on run after it. True when it surely drops every event. */
  add(drop: Drop): boolean {
    const dropsAll = conflictsOf([{ program: drop.program, must: false }], effortFor(drop.program)) !== null;
    if (dropsAll) this.#ofAll ??= drop;
    const cost = (step: Step): number =>
      Math.max(1, ...keysOf(step).map((key) => this.#frequency.get(key) ?? 1));
    for (const key of (coverOf(drop.program, cost) ?? []).flatMap(keysOf)) {
      const drops = this.#byKey.get(key) ?? [];
      if (drops.length < MAX_OF_KEY) this.#byKey.set(key, [...drops, drop]);
    }
    return dropsAll;
  }

  /** A drop that surely matches whatever event the program matches. */
  hiding(program: Program): Drop | undefined {
    if (this.#ofAll !== undefined) return this.#ofAll;
    const drops = new Set(program.flatMap(keysFor).flatMap((key) => this.#byKey.get(key) ?? []));
    const effort = effortFor(program);
    return [...drops].find((drop) => {
      const escaping = [
        { program, must: true },
        { program: drop.program, must: false },
      ];
      return conflictsOf(escaping, effort) !== null;
    });
  }
}

/** What a drop is kept by that cannot match without a leaf. */
function keysOf({ leaf: { path, op, value } }: Step): readonly string[] {
  if (op === 'starts_with') return [prefixKey(path, value)];
  if (op === 'ends_with') return [suffixKey(path, value)];
  const members = op === 'eq' ? [value] : op === 'in' ? value : [];
  const scalars = members.filter(isScalar);
  const all = scalars.length === members.length && scalars.length <= MAX_LOOKUPS && scalars.length > 0;
  return all ? scalars.map((member) => valueKey(path, member)) : [path];
}

/** The keys of leaves that may follow from a leaf. */
function keysFor(step: Step): readonly string[] {
  const { path, op, value } = step.leaf;
  const keys = [...pathsTo(step)];
  const known = op === 'in' ? value[0] : value;
  if ((op === 'eq' || op === 'in') && isScalar(known)) keys.push(valueKey(path, known));
  if (typeof known !== 'string') return keys;
  for (let length = 0; length <= Math.min(known.length, MAX_LOOKUPS); length++) {
    if (op !== 'ends_with') keys.push(prefixKey(path, known.slice(0, length)));
    if (op !== 'starts_with') keys.push(suffixKey(path, known.slice(known.length - length)));
  }
  return keys;
}

const prefixKey = (path: string, text: string): string => `${path} ^${text}`;
const suffixKey = (path: string, text: string): string => `${path} ${text}$`;

type Scalar = null | boolean | number | string;

const isScalar = (value: Json | undefined): value is Scalar =>
  value !== undefined && (typeof value !== 'object' || value === null);

/** The same for values that may be equal by coercion. */
function valueKey(path: string, value: Scalar): string {
  const number = typeof value === 'string' ? numberIn(value) : undefined;
  return `${path} ${typeof (number ?? value)} ${String(number ?? value)}`;
}
