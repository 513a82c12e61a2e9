/**
 * The law of every format: a condition is refused, or the rule matches exactly the events for which the original
 * answers yes. Conditions and events are random, and events have odd values wherever conditions look.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  importRules,
  type ImportOptions,
  type Json,
  type RuleFormat,
} from '../../../src/index.js';

type Scalar = string | number | boolean | null;

/** A member that a condition reads, and values to compare it with. */
export interface Field {
  readonly path: readonly string[];
  readonly value: fc.Arbitrary<Scalar>;
  /** The kind that events hold there; `list` for an array of texts. */
  readonly kind: 'any' | 'number' | 'text' | 'boolean' | 'list';
}

const texts = [
  'x',
  'X',
  'xy',
  'y',
  '',
  '5',
  '5.0',
  ' 5',
  '0x5',
  '1',
  '0',
  'true',
  'null',
  '[5]',
  '["x"]',
  '5e0',
  '[object Object]',
];
const text = fc.constantFrom(
  ...texts,
  '\u00e9',
  'e\u0301',
  '\u{1f600}',
  '\uffee',
  '\ud83d',
  'x,y',
  'line\nx',
  'x.y',
  '\u2028x',
  '2026-01-01',
  '2025-12-31T10:00:00Z',
);
const number = fc.constantFrom(0, -0, 1, 5, 5.5, -1, 10, 1e21, Number.MAX_SAFE_INTEGER);
const scalar: fc.Arbitrary<Scalar> = fc.oneof(text, number, fc.boolean(), fc.constant(null));
/** Texts that people write into conditions. */
const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('x', 'xy', 'y', 'X', '2026-01-01') },
  { weight: 1, arbitrary: text },
);

const NAMES = [
  'n',
  'm',
  't',
  'u',
  'b',
  'list',
  'o',
  'items',
  'length',
  '0',
  'link',
  'constructor',
  '__proto__',
  'a.b',
  '*',
];

/** An object from entries, in which `__proto__` is a member as `JSON.parse` makes it. */
export const fromEntries = (entries: readonly (readonly [string, Json])[]): Record<string, Json> =>
  JSON.parse(
    `{${[...new Map(entries)].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`,
  ) as Record<string, Json>;

const objectOf = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 6 }).map(fromEntries);

/** Anything, at a few levels. Arrays directly in arrays are left out where sift and mingo differ about them. */
const anything = (nested: boolean): fc.Arbitrary<Json> => {
  const { value } = fc.letrec<{ value: Json; element: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(nested ? tie('value') : tie('element'), { maxLength: 3 }),
      objectOf(tie('value')),
    ),
    element: fc.oneof({ maxDepth: 3 }, scalar, objectOf(tie('value'))),
  }));
  return value;
};

/** Events with odd values. */
const oddEvents = (nested: boolean): fc.Arbitrary<Record<string, Json>> =>
  fc.record(
    {
      id: fc.constant('evt_1'),
      type: fc.constantFrom('x', 'y', 'push'),
      topic: fc.constantFrom('x', 'invoice.paid'),
      data: objectOf(anything(nested)) as fc.Arbitrary<Record<string, Json>>,
      raw_payload: anything(nested),
    },
    { requiredKeys: ['id', 'type', 'data'] },
  );

/** Members that hold anything. */
const oddFields: fc.Arbitrary<Field> = fc.record({
  path: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(...['n', 'm', 't', 'u', 'b', 'list'].map((name) => ['data', name])),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ['type'],
        ['data', 'o', 't'],
        ['data', 'o', 'n'],
        ['data', 'items', 't'],
        ['data', 'items', '0'],
        ['data', 'o', '0', 't'],
        ['raw_payload'],
        ['raw_payload', 't'],
        ['raw_payload', 'n', '0'],
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
        .map((names) => ['data', ...names]),
    },
  ),
  value: fc.constant(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 2, arbitrary: number },
      { weight: 1, arbitrary: scalar },
    ),
  ),
  kind: fc.constant('any' as const),
});

/** Members of one kind. */
const plainFields: fc.Arbitrary<Field> = fc.constantFrom<Field>(
  ...[
    ['data', 'n'],
    ['data', 'm'],
    ['data', 'o', 'n'],
  ].map((path) => ({ path, value: number, kind: 'number' }) as const),
  ...[['type'], ['data', 't'], ['data', 'u'], ['data', 'o', 't']].map(
    (path) => ({ path, value: word, kind: 'text' }) as const,
  ),
  { path: ['data', 'b'], value: fc.boolean(), kind: 'boolean' },
  { path: ['data', 'list'], value: word, kind: 'list' },
);

const orNothing = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json | undefined> =>
  fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );

const plainObject = (
  more: Record<string, fc.Arbitrary<Json | undefined>>,
): fc.Arbitrary<Record<string, Json>> =>
  fc
    .record({
      n: orNothing(number),
      m: orNothing(number),
      t: orNothing(text),
      u: orNothing(text),
      b: orNothing(fc.boolean()),
      ...more,
    })
    .map((members) => JSON.parse(JSON.stringify(members)) as Record<string, Json>);

/** Events whose members are of the kind that plain fields are compared with. */
const plainEvents: fc.Arbitrary<Record<string, Json>> = fc.record({
  id: fc.constant('evt_1'),
  type: fc.constantFrom('x', 'y', 'push'),
  topic: fc.constantFrom('x', 'invoice.paid'),
  data: plainObject({
    list: orNothing(fc.array(text, { maxLength: 3 })),
    o: orNothing(plainObject({})),
    items: orNothing(fc.array(plainObject({}), { maxLength: 3 })),
  }),
});

/** Members of one kind, some of them of objects in an array. */
const itemFields: fc.Arbitrary<Field> = fc.oneof(
  plainFields,
  fc.constantFrom<Field>(
    { path: ['data', 'items', 't'], value: word, kind: 'text' },
    { path: ['data', 'items', 'n'], value: number, kind: 'number' },
  ),
);

/** Members of the data and of an object in it, for events in which they are anything but objects. */
const objectFields: fc.Arbitrary<Field> = fc.record({
  path: fc.constantFrom(
    ['data', 'n'],
    ['data', 't'],
    ['data', 'link'],
    ['data', 'o', 't'],
    ['data', 'o', 'length'],
    ['data', 'o', '0'],
  ),
  value: fc.constant(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 2, arbitrary: number },
      { weight: 1, arbitrary: scalar },
    ),
  ),
  kind: fc.constant('any' as const),
});

const leafValue = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
);

/** Events in which names are read from objects, and values are odd. */
const objectEvents: fc.Arbitrary<Record<string, Json>> = fc.record({
  id: fc.constant('evt_1'),
  type: fc.constantFrom('x', 'y'),
  topic: fc.constant('x'),
  data: fc
    .tuple(objectOf(leafValue), fc.option(objectOf(leafValue)))
    .map(([members, o]) => ({ ...(members as Record<string, Json>), o })),
});

/** A tree of conditions, two leaves or so. */
export const treeOf = <T>(
  leaf: fc.Arbitrary<T>,
  groups: (inner: fc.Arbitrary<T>) => fc.Arbitrary<T>,
): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 3, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: groups(fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: groups(leaf) })),
    },
  );

/** The function that a CommonJS module exports as its default, under however many names for it. */
export function defaultOf(module: object): never {
  let found: unknown = module;
  while (typeof found === 'object' && found !== null && 'default' in found) found = found.default;
  return found as never;
}

/** A format, and how much of its conditions must be converted. */
interface Law {
  readonly from: RuleFormat;
  readonly conditions: fc.Arbitrary<unknown>;
  readonly events: fc.Arbitrary<Record<string, Json>>;
  readonly assume?: ImportOptions['assume'];
  /** The original's answer; `undefined` where it has none. */
  readonly original: (
    condition: never,
    event: Record<string, Json>,
  ) => boolean | undefined | Promise<boolean | undefined>;
  /** Share of all conditions that are converted, as `SHARES=1 CONDITIONS=6000` measures it. */
  readonly share: number;
}

const EVENTS = 12;
/** Conditions; `CONDITIONS=20000` tries more. */
const RUNS = Number(process.env.CONDITIONS ?? 500);

/** Standard deviations that the share of so few conditions may lie below that of all. */
const CHANCE = 5;

/** As `JSON.parse` makes it. */
const parsed = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Tries the law on random conditions, each with a dozen events. */
async function obeys({ from, conditions, events, assume = [], original, share }: Law): Promise<void> {
  let converted = 0;
  let tried = 0;
  let held = 0;
  const refusals = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      conditions.map(parsed),
      fc.array(events.map(parsed), { minLength: EVENTS, maxLength: EVENTS }),
      async (condition, events) => {
        const { rules, summary } = importRules([condition], {
          from,
          assume,
          as: { action: { type: 'drop' } },
        });
        tried++;
        if (rules.length === 0) {
          expect(summary.errors.map(({ code }) => code)).toContain('not_convertible');
          const message = summary.errors[0]!.message.replace(/"[^"]*"|data[\w.*\\]*|[-\d.]+/g, '…');
          refusals.set(message, (refusals.get(message) ?? 0) + 1);
          return;
        }
        converted++;
        const matches = compileMatch(rules[0]!.match);
        for (const event of events) {
          const answer = await original(condition as never, event);
          if (answer === undefined) continue;
          if (answer) held++;
          expect({ event, match: rules[0]!.match, answer: matches(event) }).toEqual({
            event,
            match: rules[0]!.match,
            answer,
          });
        }
      },
    ),
    { numRuns: RUNS },
  );
  if (process.env.SHARES) {
    console.log(
      from,
      assume,
      (converted / tried).toFixed(3),
      'held',
      held / converted / EVENTS,
      [...refusals].sort((a, b) => b[1] - a[1]).slice(0, 12),
    );
  }
  expect(converted / tried).toBeGreaterThan(share - CHANCE * Math.sqrt((share * (1 - share)) / tried));
  expect(held / converted / EVENTS).toBeGreaterThan(0.05);
}

/** The events that a format is tried on: what is known of them, and the fields that conditions ask for. */
const WORLDS = {
  'any events': { fields: oddFields, events: 'odd', assume: [] },
  'odd values in objects': { fields: objectFields, events: objectEvents, assume: ['objects'] },
  'values of one kind': { fields: plainFields, events: plainEvents, assume: ['kinds'] },
  'values of one kind, also in arrays': { fields: itemFields, events: plainEvents, assume: ['kinds'] },
  'values of one kind, in objects': {
    fields: plainFields,
    events: plainEvents,
    assume: ['kinds', 'objects'],
  },
} as const;

/** A format, and the library that is right about it. */
export interface Format extends Pick<Law, 'from' | 'original'> {
  readonly conditions: (fields: fc.Arbitrary<Field>) => fc.Arbitrary<object>;
  /** Whether arrays may hold arrays. */
  readonly nests: boolean;
  /** Share of all conditions that are converted, by the events. */
  readonly shares: Readonly<Partial<Record<keyof typeof WORLDS, number>>>;
}

/** Tests the law on each kind of events. */
export function lawOf({ from, original, conditions, nests, shares }: Format): void {
  describe(from, () => {
    test.for(Object.entries(shares))('%s: refused, or the same answers', async ([name, share]) => {
      const { fields, events, assume } = WORLDS[name as keyof typeof WORLDS];
      await obeys({
        ...{ from, original, share, assume, conditions: conditions(fields) },
        events: events === 'odd' ? oddEvents(nests) : events,
      });
    });
  });
}
