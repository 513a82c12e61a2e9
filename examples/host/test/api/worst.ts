/**
 * The worst values for a schema, made from the schema itself, and values that count how often somebody looks at them.
 */
import type { JsonSchema } from '../../src/api/json-schema.js';

/** The members of JSON Schema that matter here. */
interface Node {
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly maxItems?: number;
}

/** Too much of everything, whatever a schema asks for. */
const tooMuch = (many: number): readonly unknown[] => [
  'x'.repeat(many),
  '💥'.repeat(many / 2),
  '\u0000'.repeat(many),
  `${'a.'.repeat(many / 2)}a`,
  '0'.repeat(many),
  Array<number>(many).fill(0),
  Array<string>(many).fill('x'),
  Array.from({ length: many }, () => ({})),
  Object.fromEntries(Array.from({ length: many }, (_, i) => [`m${i.toString(36)}`, 0])),
];

/**
 * Values that have far too much in them: instead of the whole, and of each member, whose neighbours are missing or
 * wrong.
 *
 * @param many - Elements, members and characters.
 */
export function worstValues(schema: JsonSchema, many: number): readonly unknown[] {
  const worst = tooMuch(many);
  return [...worst, ...insides(schema, worst)];
}

function insides(
  { anyOf = [], properties = {}, items, maxItems = 1_000 }: Node,
  worst: readonly unknown[],
): readonly unknown[] {
  const members = Object.entries(properties).flatMap(([name, node]) =>
    [...worst, ...insides(node, worst)].map((value) => ({ [name]: value })),
  );
  const elements =
    items === undefined ? [] : [...fullLists(maxItems), ...insides(items, worst).map((value) => [value])];
  return [...members, ...elements, ...anyOf.flatMap((node) => insides(node, worst))];
}

/** Lists that are just short enough. */
const fullLists = (length: number): readonly unknown[] => [
  Array<number>(length).fill(0),
  Array.from({ length }, (_, i) => `x${i}`),
  Array.from({ length }, () => ({})),
];

/** A value, and how often anybody has looked at a part of it. */
export interface Counted {
  readonly value: unknown;
  readonly looks: () => number;
}

/** Reading a member is one look, and asking for the names of all members is as many as there are. */
export function countingLooks(value: unknown): Counted {
  let count = 0;
  const known = new WeakMap<object, object>();
  const counted = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const proxy = known.get(inner) ?? new Proxy(inner, handler);
    known.set(inner, proxy);
    return proxy;
  };
  const handler: ProxyHandler<object> = {
    get: (target, name, receiver) => {
      count++;
      return counted(Reflect.get(target, name, receiver));
    },
    has: (target, name) => {
      count++;
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor: (target, name) => {
      count++;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys: (target) => {
      const names = Reflect.ownKeys(target);
      count += names.length;
      return names;
    },
  };
  return { value: counted(value), looks: () => count };
}
