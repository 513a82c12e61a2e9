/**
 * Rules about GitHub's payloads. Each rule is made around a value of one payload. In a few rules it is the value that
 * the payload holds, so that the rule matches it; in all others it is one that no payload holds.
 */
import type { Leaf, Match } from '../../src/index.js';
import { corpus, type Fact, type Payload, type Scalar } from './github.js';
import { all, any } from './leaves.js';
import { word } from './names.js';
import { Random } from './random.js';
import { rulesOf } from './rules.js';
import type { Workload } from './workload.js';

export interface PayloadShape {
  readonly name: string;
  /** The most that an event may cost with 100,000 rules, over JSON.parse of it. */
  readonly limit: number;
  readonly match: (draft: Draft) => Match;
}

/** A leaf, or two bounds, and the values on which it holds. */
interface Key {
  readonly leaves: readonly Leaf[];
  readonly holds: (value: Scalar) => boolean;
}

type KeyKind = (fact: Fact, random: Random) => Key;

/** How many payloads may hold what a rule names: it tells them from the others. */
const FEW = 6;
/** Rules that name a value which occurs: about one matches an event. */
const OCCURRING = 100;
/** Units of a text that a rule names, at most. */
const LONGEST = 48;

const isText = ({ value }: Fact): boolean => typeof value === 'string' && value.length >= 6;
const isNumber = ({ value }: Fact): boolean => typeof value === 'number';
const isFew = (count: number): boolean => count >= 1 && count <= FEW;

interface Found extends Fact {
  readonly payload: Payload;
}

interface Pools {
  readonly any: readonly Found[];
  readonly texts: readonly Found[];
  readonly numbers: readonly Found[];
  /** Values of elements, however many payloads hold them. */
  readonly elements: readonly Found[];
}

let made: Pools | undefined;
const pools = (): Pools => (made ??= makePools());

/** Values that few payloads hold: on any path, and on those that people write rules about. */
function makePools(): Pools {
  const rareOf = (facts: (payload: Payload) => readonly Fact[]): Found[] =>
    corpus().payloads.flatMap((payload) =>
      facts(payload)
        .filter((fact) => isText(fact) || isNumber(fact))
        .filter(({ path, value }) => isFew(corpus().countOf(path, (other) => other === value)))
        .map((fact) => ({ ...fact, payload })),
    );
  const rare = rareOf(({ named }) => named);
  return {
    any: rareOf(({ facts }) => facts),
    texts: rare.filter(isText),
    numbers: rare.filter(isNumber),
    elements: corpus().payloads.flatMap((payload) => payload.elements.map((fact) => ({ ...fact, payload }))),
  };
}

/** Another value that looks alike. */
const unlike = ({ value }: Fact, random: Random): Scalar =>
  typeof value === 'number'
    ? random.int(4 * Math.abs(value) + 1e6)
    : `${String(value).slice(0, Math.min(LONGEST, String(value).length) >> 1)}${word(random.int(1e6))}${random.int(1e6)}`;

/** Most of a text's units. */
const cut = (length: number, random: Random): number =>
  Math.min(LONGEST, Math.ceil(length * (0.7 + 0.25 * random.next())));

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Leaves for each operator that hold for a value, and for few others. */
const kinds = {
  eq: ({ path, value }) => ({ leaves: [{ path, op: 'eq', value }], holds: (other) => other === value }),
  in(fact, random) {
    const { path, value } = fact;
    const values = [...random.times(9, () => unlike(fact, random)), value];
    return { leaves: [{ path, op: 'in', value: values }], holds: (other) => values.includes(other) };
  },
  startsWith({ path, value }, random) {
    const text = String(value).slice(0, cut(String(value).length, random));
    return {
      leaves: [{ path, op: 'starts_with', value: text }],
      holds: (other) => String(other).startsWith(text),
    };
  },
  endsWith({ path, value }, random) {
    const text = String(value).slice(-cut(String(value).length, random));
    return {
      leaves: [{ path, op: 'ends_with', value: text }],
      holds: (other) => String(other).endsWith(text),
    };
  },
  contains({ path, value }, random) {
    const text = String(value).slice(1, cut(String(value).length, random));
    return {
      leaves: [{ path, op: 'contains', value: text }],
      holds: (other) => String(other).includes(text),
    };
  },
  matches({ path, value }, random) {
    const text = escaped(String(value).slice(0, cut(String(value).length, random)));
    const pattern = random.pick([`^${text}[^/]*$`, `^(?:x-)?${text}`, `${text}\\S*`]);
    const expression = new RegExp(pattern, 'u');
    return {
      leaves: [{ path, op: 'matches', value: pattern }],
      holds: (other) => expression.test(String(other)),
    };
  },
  range({ path, value }, random) {
    const [low, high] = [Number(value) - random.int(50), Number(value) + 1 + random.int(50)];
    return {
      leaves: [
        { path, op: 'gte', value: low },
        { path, op: 'lt', value: high },
      ],
      holds: (other) => typeof other === 'number' && other >= low && other < high,
    };
  },
} satisfies Record<string, KeyKind>;

/** The parts that a rule is made of. */
class Draft {
  readonly random: Random;
  /** True if the rule is to match a payload. */
  readonly occurs: boolean;

  constructor(random: Random, occurs: boolean) {
    this.random = random;
    this.occurs = occurs;
  }

  /** Leaves that select a few payloads or none, and the payload that they were made from. */
  key(
    kind: keyof typeof kinds,
    pool: readonly Found[] = kind === 'range' ? pools().numbers : pools().texts,
  ): { readonly leaves: readonly Leaf[]; readonly payload: Payload } {
    for (;;) {
      const found = this.random.pick(pool);
      const value = this.occurs ? found.value : unlike(found, this.random);
      const { leaves, holds } = kinds[kind]({ ...found, value }, this.random);
      const count = corpus().countOf(found.path, holds);
      if (this.occurs ? isFew(count) : count === 0) return { leaves, payload: found.payload };
    }
  }

  /** A leaf that holds on the payload, and on many others. */
  common({ named }: Payload): Leaf {
    const { path, value } = this.random.pick(named);
    return { path, op: 'eq', value };
  }

  /** A leaf that holds on the payload, and on most others. */
  usual({ named }: Payload): Leaf {
    const fact = this.random.pick(named);
    return { path: fact.path, op: 'neq', value: unlike(fact, this.random) };
  }

  /** A path that the payload lacks and another has. */
  absent({ named }: Payload): string {
    for (;;) {
      const { path } = this.random.pick(this.random.pick(corpus().payloads).named);
      if (!named.some((fact) => fact.path === path)) return path;
    }
  }
}

const alone =
  (kind: keyof typeof kinds): PayloadShape['match'] =>
  (draft) => {
    const { leaves } = draft.key(kind);
    return leaves.length === 1 ? leaves[0]! : all(...leaves);
  };

/** On any path that a payload has; half of the rules name a path that none has. */
function distinctPath(draft: Draft): Match {
  const leaf = draft.key('eq', pools().any).leaves[0]!;
  if (draft.occurs || draft.random.chance(0.5)) return leaf;
  return { ...leaf, path: `${leaf.path}_${word(draft.random.int(1e6))}${draft.random.int(1e6)}` };
}

/** One of two branches, each with what picks few payloads and with what most have. */
function deep(draft: Draft): Match {
  const branch = (): Match => {
    const { leaves, payload } = draft.key(
      draft.random.pick(['eq', 'eq', 'eq', 'in', 'startsWith', 'endsWith', 'range', 'contains', 'matches']),
    );
    const rest = all(draft.usual(payload), { path: draft.absent(payload), op: 'missing' });
    return all(draft.common(payload), ...leaves, any(draft.common(payload), rest));
  };
  return any(branch(), branch());
}

const SIMPLE = 0.08;

export const payloadShapes: readonly PayloadShape[] = [
  { name: 'eq', limit: SIMPLE, match: alone('eq') },
  {
    name: 'eq and eq',
    limit: SIMPLE,
    match(draft) {
      const { leaves, payload } = draft.key('eq');
      return all(draft.common(payload), ...leaves);
    },
  },
  {
    name: 'eq, eq and neq',
    limit: SIMPLE,
    match(draft) {
      const { leaves, payload } = draft.key('eq');
      return all(draft.common(payload), draft.usual(payload), ...leaves);
    },
  },
  {
    name: 'eq and missing',
    limit: SIMPLE,
    match(draft) {
      const { leaves, payload } = draft.key('eq');
      return all({ path: draft.absent(payload), op: 'missing' }, ...leaves);
    },
  },
  { name: 'in', limit: SIMPLE, match: alone('in') },
  { name: 'starts_with', limit: SIMPLE, match: alone('startsWith') },
  { name: 'ends_with', limit: SIMPLE, match: alone('endsWith') },
  { name: 'distinct paths', limit: SIMPLE, match: distinctPath },
  { name: 'any element', limit: SIMPLE, match: (draft) => draft.key('eq', pools().elements).leaves[0]! },
  { name: 'range', limit: 0.12, match: alone('range') },
  { name: 'contains', limit: 0.25, match: alone('contains') },
  { name: 'matches', limit: 0.25, match: alone('matches') },
  { name: 'trees four deep', limit: 0.25, match: deep },
];

/** `count` rules about all of GitHub's payloads; some three hundred name a value that occurs. */
export function payloadWorkload(shape: PayloadShape, count: number): Workload {
  const random = new Random(count);
  const occurring = new Set(random.times(OCCURRING, () => random.int(count)));
  const rules = rulesOf(random, count, (nth) => shape.match(new Draft(random, occurring.has(nth))));
  return { rules, texts: corpus().payloads.map(({ text }) => text) };
}

export function payloadShapeNamed(name: string): PayloadShape {
  const shape = payloadShapes.find((shape) => shape.name === name);
  if (shape === undefined) {
    throw new Error(`no shape ${name}; there are ${payloadShapes.map(({ name }) => name).join(', ')}`);
  }
  return shape;
}
