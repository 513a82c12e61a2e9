/**
 * Random rules and events that meet each other often: paths and values come from small pools, so that many
 * leaves share them, with every oddity that JSON can carry among them.
 *
 * Patterns stay within what RE2 and RegExp (with `u`) agree on.
 */
import fc from 'fast-check';
import type { Action, Event, Json, Leaf, Match, Rule, TransformOp } from '../../src/index.js';

/** Keys that invite mistakes: inherited names, indexes, the characters of the path syntax. */
const keys = [
  'a',
  'b',
  'c',
  '0',
  '1',
  '01',
  '__proto__',
  'constructor',
  'length',
  'a.b',
  'a\\b',
  '😀',
] as const;

/** What strings are made of; `\r`, U+2028 and U+2029 are left out because `.` differs on them. */
const characters = [
  'a',
  'b',
  'A',
  '1',
  '.',
  ' ',
  '\n',
  'é',
  'ß',
  'İ',
  '😀',
  '\ud83d',
  '\ude00',
  '\ue000',
  '\uffee',
];

const numbers = [0, -0, 1, 5, -1000, 0.1, 1e21, 2 ** 53, 2 ** 53 + 2, 1e308, 5e-324];
const numerals = [
  '5',
  '5.0',
  '-1e3',
  '0',
  '-0',
  '1e400',
  '9007199254740993',
  '05',
  ' 5',
  '0x5',
  '+5',
  '5.',
  '.5',
];
const words = [
  '',
  'a',
  'ab',
  'aab',
  'AB',
  'Infinity',
  'NaN',
  'null',
  '2026-01-01T00:00:00Z',
  '2026-01-02',
  'e\u0301',
];

/** Short text, lone surrogates included. */
export const text = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...words, ...numerals),
    fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 }),
  );

export const number = (): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(...numbers),
    fc.integer({ min: -3, max: 9 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );

/** Few enough that two draws are often equal, or equal but for a coercion. */
const common = [0, 5, '5', '5.0', 'a', 'ab', 'b', null, true] as const;

const scalar = (): fc.Arbitrary<null | boolean | number | string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...common), weight: 8 },
    { arbitrary: text(), weight: 4 },
    { arbitrary: number(), weight: 3 },
    { arbitrary: fc.constantFrom(null, true, false), weight: 1 },
  );

/** An object as JSON.parse makes it: `__proto__` is a key like any other. */
const members = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<{ [key: string]: T }> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { selector: ([key]) => key, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

/** Any JSON value, structures of up to three levels. */
export const json = (): fc.Arbitrary<Json> =>
  fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { arbitrary: scalar(), weight: 3 },
      { arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 1 },
      { arbitrary: members(tie('value')), weight: 1 },
    ),
  })).value;

/** A segment as it is written in a path. */
const written = (key: string): string => key.replaceAll('\\', '\\\\').replaceAll('.', '\\.');

/** Paths that most events have. */
const likely = ['data.a', 'data.b', 'data.a.b', 'data.b.0'] as const;

/** Inside the event's data: where a transform may write. */
export const dataPath = (): fc.Arbitrary<string> => {
  const odd = fc
    .array(fc.constantFrom('a', 'b', ...keys), { minLength: 1, maxLength: 3 })
    .map((segments) => ['data', ...segments.map(written)].join('.'));
  return fc.oneof({ arbitrary: fc.constantFrom(...likely), weight: 2 }, { arbitrary: odd, weight: 1 });
};

/** Where a leaf may look. */
export const path = (): fc.Arbitrary<string> => {
  const elsewhere = fc.constantFrom('data', 'type', 'channel.type', 'tags.0', 'raw_payload.a', '__proto__');
  return fc.oneof({ arbitrary: dataPath(), weight: 8 }, { arbitrary: elsewhere, weight: 1 });
};

/** A pattern on which RE2 and RegExp agree: only what cannot be empty is repeated, and no group is. */
export const pattern = (): fc.Arbitrary<string> => {
  const atom = fc.constantFrom(
    'a',
    'b',
    'ab',
    '.',
    '[ab]',
    '[^a]',
    '\\d',
    '\\w',
    '\\.',
    '😀',
    '(?:a|bb)',
    'é',
  );
  const repeated = fc
    .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '+?', '*?', '{2}', '{1,2}'))
    .map(([one, often]) => (often !== '' && one === 'ab' ? `(?:ab)${often}` : one + often));
  const grouped = repeated.chain((one) => fc.constantFrom(one, one, `(${one})`, `(?:${one})`));
  const sequence = fc.array(grouped, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  return fc
    .tuple(
      fc.constantFrom('', '', '^', '\\b'),
      fc.array(sequence, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('', '$'),
    )
    .map(([start, branches, end]) => `${start}${branches.join('|')}${end}`);
};

/** Every operator as often as any other. */
export const leaf = (): fc.Arbitrary<Leaf> => {
  const ops = <T extends string>(...names: T[]): fc.Arbitrary<T> => fc.constantFrom(...names);
  const orderable = fc.oneof(number(), text());
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ path: path(), op: ops('eq', 'neq', 'contains', 'not_contains'), value: json() }),
    },
    { weight: 2, arbitrary: fc.record({ path: path(), op: ops('starts_with', 'ends_with'), value: text() }) },
    {
      weight: 2,
      arbitrary: fc.record({ path: path(), op: ops('matches', 'not_matches'), value: pattern() }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        path: path(),
        op: ops('in', 'not_in'),
        value: fc.array(json(), { maxLength: 4 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ path: path(), op: ops('gt', 'gte', 'lt', 'lte'), value: orderable }),
    },
    { weight: 2, arbitrary: fc.record({ path: path(), op: ops('exists', 'missing') }) },
  );
};

/** Trees over some leaves: a leaf alone, flat groups, and groups in groups. */
export const matchOf = (leaves: fc.Arbitrary<Leaf>): fc.Arbitrary<Match> =>
  fc.letrec<{ node: Match; children: readonly Match[] }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { arbitrary: leaves, weight: 3 },
      { arbitrary: tie('children').map((all) => ({ all })), weight: 1 },
      { arbitrary: tie('children').map((any) => ({ any })), weight: 1 },
    ),
    children: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  })).node;

export const match = (): fc.Arbitrary<Match> => matchOf(leaf());

/** Replacement text, with every template of JavaScript's `replace` and the look-alikes. */
export const replacement = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.constantFrom(
        '***',
        '',
        '$1',
        '$2',
        '$01',
        '$10',
        '$0',
        '$&',
        '$$',
        '$`',
        "$'",
        '$',
        '$<n>',
        '😀',
        '1',
      ),
      {
        maxLength: 3,
      },
    )
    .map((parts) => parts.join(''));

export const transformOp = (): fc.Arbitrary<TransformOp> =>
  fc.oneof(
    fc.record({ op: fc.constant('set' as const), path: dataPath(), value: json() }),
    fc.record({
      op: fc.constant('redact' as const),
      path: dataPath(),
      regex: pattern(),
      replace: replacement(),
    }),
    fc.record({
      op: fc.constantFrom('uppercase' as const, 'lowercase' as const, 'trim' as const),
      path: dataPath(),
    }),
  );

const endpointIds = Array.from({ length: 4 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);
export const endpointId = (): fc.Arbitrary<string> => fc.constantFrom(...endpointIds);
export const tag = (): fc.Arbitrary<string> =>
  fc.constantFrom('urgent', 'Urgent', 'b', '😀', '__proto__', '0');

/** Every type of action; drops are rarer, so that the others add up. */
export const action = (): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant({ type: 'drop' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('transform' as const),
        ops: fc.array(transformOp(), { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('route_only' as const),
        endpoint_ids: fc.array(endpointId(), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('tag' as const),
        tags: fc.array(tag(), { minLength: 1, maxLength: 3 }),
      }),
    },
  );

/** Ids whose order differs by UTF-16 unit, by code point and by locale. */
const id = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom('a', 'B', 'b', 'a1', 'é', '😀', '\uffee', '10', '9'), fc.uuid());

/** Priorities are few, so that ties are many. */
export const rule = (): fc.Arbitrary<Rule> =>
  fc.record(
    {
      id: id(),
      name: fc.string({ minLength: 1, maxLength: 5 }),
      description: fc.string({ maxLength: 5 }),
      stage: fc.constant('deliver' as const),
      match: match(),
      action: action(),
      priority: fc.constantFrom(-1, 0, 0, 1, 10, Number.MAX_SAFE_INTEGER),
      enabled: fc.constantFrom(true, true, false),
    },
    { requiredKeys: ['id', 'name', 'stage', 'match', 'action', 'priority'], noNullPrototype: true },
  );

/** Rules with ids of their own, in any order. */
export const rules = (maxLength = 8): fc.Arbitrary<Rule[]> =>
  fc.uniqueArray(rule(), { selector: ({ id }) => id, maxLength, size: 'max' });

/** The block that rules look at: likely members, and whatever else. */
const data = (): fc.Arbitrary<{ [key: string]: Json }> =>
  fc
    .record({
      rest: members(json()),
      value: json(),
      inner: members(json()),
      list: fc.array(json(), { maxLength: 3 }),
    })
    .chain(({ rest, value, inner, list }) =>
      fc.constantFrom<{ [key: string]: Json }[]>(
        rest,
        { ...rest, a: value, b: list },
        { ...rest, a: { ...inner, b: value }, b: list },
        { ...rest, a: list, b: value },
      ),
    );

/** An event; sometimes its raw payload is the very object that `data` holds. */
export const event = (): fc.Arbitrary<Event> =>
  fc
    .record(
      {
        id: fc.integer({ min: 0, max: 999 }).map((n) => `evt_${n}`),
        type: fc.constantFrom('webhook.received', 'a', '5'),
        channel: fc.record({ type: fc.constantFrom('webhook', 'a') }, { noNullPrototype: true }),
        data: data(),
        raw_payload: json(),
        tags: fc.array(tag(), { maxLength: 3 }),
        project: scalar(),
      },
      { requiredKeys: ['id', 'type', 'data'], noNullPrototype: true },
    )
    .chain((base) => fc.constantFrom(base, { ...base, raw_payload: base.data }));

/** The leaves of a tree, in document order. */
export function leavesOf(tree: Match): Leaf[] {
  if ('all' in tree) return tree.all.flatMap(leavesOf);
  return 'any' in tree ? tree.any.flatMap(leavesOf) : [tree];
}

/** A copy of a value with another one put where the path leads; an array takes it only where it has an element. */
function planted(value: Json, [key, ...rest]: readonly string[], seed: Json): Json {
  if (key === undefined) return seed;
  if (Array.isArray(value)) {
    const elements: readonly Json[] = value;
    return elements.map((at, i) => (String(i) === key ? planted(at, rest, seed) : at));
  }
  const members = new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));
  members.set(key, planted(members.get(key) ?? null, rest, seed));
  return Object.fromEntries(members);
}

/** What the leaf asks about is now what it asks for, or near it. */
function plantedFor(event: Event, leaf: Leaf, turn: number): Event {
  const segments = leaf.path.split('.');
  if (segments[0] !== 'data' || leaf.path.includes('\\')) return event;
  const value = leaf.value ?? null;
  const near = leaf.op === 'in' ? leaf.value[turn % (leaf.value.length + 1)] : value;
  const seed = (['matches', 'not_matches'].includes(leaf.op) ? ['ab', 'aab', 'b1'][turn % 3] : near) ?? null;
  const around = leaf.op === 'contains' && turn % 2 === 0 ? [seed] : seed;
  return { ...event, data: planted(event.data as Json, segments.slice(1), around) as Event['data'] };
}

/** An event in which some of the leaves find what they ask for. */
const meeting = (leaves: readonly Leaf[], event: Event, turns: readonly number[]): Event =>
  leaves.length === 0
    ? event
    : turns.reduce((so, turn) => plantedFor(so, leaves[turn % leaves.length]!, turn), event);

const turns = fc.array(fc.nat(1000), { maxLength: 8 });

/** A tree and an event that has something to say to it. */
export const question = (): fc.Arbitrary<[Match, Event]> =>
  fc
    .tuple(match(), event(), turns)
    .map(([tree, base, picks]) => [tree, meeting(leavesOf(tree), base, picks)]);

/** Rules and a few events that have something to say to them. */
export const encounter = (maxRules = 8): fc.Arbitrary<[Rule[], Event[]]> =>
  fc
    .tuple(rules(maxRules), fc.array(fc.tuple(event(), turns), { minLength: 1, maxLength: 6, size: 'max' }))
    .map(([all, bases]) => {
      const leaves = all.flatMap(({ match }) => leavesOf(match));
      return [all, bases.map(([base, picks]) => meeting(leaves, base, picks))];
    });

/** Freezes a value and all within it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFrozen);
  }
  return value;
}
