/** Finds the drop that hides a rule: it runs earlier and matches whatever the rule matches. */
import type { Json } from '../../json.js';
import { type Step, numberIn } from '../match/index.js';
import type { Rule } from '../rule.js';
import type { SizedProgram } from './condition.js';
import { coverOf } from './cover.js';
import type { Effort } from './effort.js';
import { pathsTo } from './known.js';
import { conflictsOf } from './ways.js';

interface Drop {
  readonly rule: Rule;
  readonly program: SizedProgram;
}

/** Drops kept under one key. A drop for which no key has room hides nothing. */
const MAX_OF_KEY = 8;

/** Units of a prefix or suffix, and members of a list, that are looked up. */
const MAX_LOOKUPS = 64;

/** UTF-16 units of a path up to which values at it are looked up one by one. */
const MAX_PATH = 256;

/** Drops, each kept by leaves that it cannot match without, and by which few others are kept. */
export class Drops {
  readonly #byKey = new Map<string, readonly Drop[]>();
  #ofAll: Rule | undefined;

  /** Adds a drop; rules asked about from now on run after it. True when it surely drops every event. */
  add(rule: Rule, program: SizedProgram, effort: Effort): boolean {
    const dropsAll = conflictsOf([{ program, must: false }], effort) !== null;
    if (dropsAll) this.#ofAll ??= rule;
    const room = (key: string): number => MAX_OF_KEY - this.#of(key).length;
    const cover = coverOf(program, (step) => 1 / Math.max(...keysOf(step).map(room))) ?? [];
    for (const key of new Set(cover.flatMap(keysOf))) {
      if (room(key) > 0) this.#byKey.set(key, [...this.#of(key), { rule, program }]);
    }
    return dropsAll;
  }

  /** A drop that surely matches whatever event the program matches. */
  hiding(program: SizedProgram, effort: Effort): Rule | undefined {
    if (this.#ofAll !== undefined) return this.#ofAll;
    for (const drop of this.#suspects(program)) {
      if (!effort.affords(1)) return undefined;
      const escaping = [
        { program, must: true },
        { program: drop.program, must: false },
      ];
      if (conflictsOf(escaping, effort) !== null) return drop.rule;
    }
    return undefined;
  }

  /** Drops that go by something which may follow from a leaf of the program. */
  #suspects(program: SizedProgram): ReadonlySet<Drop> {
    const drops = new Set<Drop>();
    for (const step of program) {
      for (const key of keysFor(step)) for (const drop of this.#of(key)) drops.add(drop);
    }
    return drops;
  }

  #of(key: string): readonly Drop[] {
    return this.#byKey.get(key) ?? [];
  }
}

/** What a drop is kept by that cannot match without a leaf. */
function keysOf({ leaf: { path, op, value } }: Step): readonly string[] {
  if (path.length > MAX_PATH) return [path];
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
  if (path.length > MAX_PATH) return keys;
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
