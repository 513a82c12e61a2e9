/** The warnings of lint, one table for each, and the work that they take. */
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  lintRules,
  RuleError,
  type Json,
  type Leaf,
  type LintCode,
  type LintWarning,
  type Match,
  type Rule,
} from '../../../src/index.js';
import { monsters } from '../monsters.js';

const rule = (match: Match, more: Partial<Rule> = {}): Rule => ({
  id: 'r',
  name: 'r',
  stage: 'deliver',
  match,
  action: { type: 'tag', tags: ['seen'] },
  priority: 0,
  ...more,
});
const drop = (match: Match, more: Partial<Rule> = {}): Rule =>
  rule(match, { id: 'drop', name: 'drop', action: { type: 'drop' }, priority: -1, ...more });

const codes = (...rules: Rule[]): LintCode[] => lintRules(rules).map(({ code }) => code);

/** `data.a eq 5` as a leaf; the value is JSON. */
function leaf(text: string): Leaf {
  const [path, op, ...value] = text.split(' ');
  return { path, op, ...(value.length > 0 && { value: JSON.parse(value.join(' ')) as Json }) } as Leaf;
}
const all = (...texts: string[]): Match => ({ all: texts.map(leaf) });
const any = (...texts: string[]): Match => ({ any: texts.map(leaf) });

describe('no event matches', () => {
  test.for([
    ['a eq 5', 'a eq 6'],
    ['a eq 5', 'a eq "6"'],
    ['a eq 5', 'a neq "5"', 'a neq 5'],
    ['a eq 5', 'a neq 5.0'],
    ['a eq null', 'a exists', 'a missing'],
    ['a eq "x"', 'a in ["y", "z"]'],
    ['a in ["x", 1]', 'a in ["y", 2]'],
    ['a in []'],
    ['a in [1, 2]', 'a not_in [2, 1]'],
    ['a gt 5', 'a lt 5'],
    ['a gt 5', 'a lte 5'],
    ['a gt 5', 'a lt 9', 'a gt 9'],
    ['a gt "m"', 'a lt "b"'],
    ['a gte "2026-02-01"', 'a lt "2026-01-01"'],
    ['a gt 5', 'a eq "five"'],
    ['a gt 5', 'a eq 5'],
    ['a eq "abc"', 'a starts_with "b"'],
    ['a eq "abc"', 'a ends_with "b"'],
    ['a eq "abc"', 'a contains "x"'],
    ['a eq "abc"', 'a not_contains "b"'],
    ['a eq "abc"', 'a matches "^b"'],
    ['a eq "abc"', 'a not_matches "^a"'],
    ['a eq [1, 2]', 'a contains 3'],
    ['a eq true', 'a starts_with ""'],
    ['a starts_with "ab"', 'a starts_with "b"'],
    ['a starts_with "ab"', 'a not_contains "b"'],
    ['a contains 1', 'a gt 1'],
    ['a ends_with "ab"', 'a ends_with "a"'],
    ['a matches "x+"', 'a not_matches "x+"'],
    ['a contains 5', 'a not_contains 5'],
    ['a contains 5', 'a starts_with "5"'],
    ['a exists', 'a missing'],
    ['a missing', 'a neq 5'],
    ['a missing', 'a.b eq 5'],
    ['a eq 5', 'a.b exists'],
    ['a starts_with "x"', 'a.b.c exists'],
    ['a contains 1', 'a.b exists'],
    ['a eq {"b": 1}', 'a.b eq 2'],
    ['a eq {"b": 1}', 'a.c exists'],
    ['a eq {"b": 1}', 'a.b missing'],
    ['a\\.b eq 1', 'a\\.b eq 2'],
  ])('%s', (texts) => {
    for (const order of [texts, texts.toReversed()]) {
      const [warning, ...more] = lintRules([rule(all(...order))]);
      expect(more).toEqual([]);
      expect(warning).toMatchObject({ code: 'never_matches', rule: { id: 'r' } });
      const { pointer, related } = warning!;
      const named = [pointer, ...related.map((each) => each.pointer)];
      expect(new Set(named).size).toBe(named.length);
      const found = named.map((one) => order[Number(one.replace('/match/all/', ''))]!);
      // The leaves that it names are enough to be impossible.
      expect(codes(rule(all(...found)))).toEqual(['never_matches']);
    }
    const inside = (match: Match): Match => ({ all: [leaf('y eq 1'), { any: [match, all(...texts)] }] });
    expect(codes(rule(inside(all(...texts))))).toEqual(['never_matches']);
    expect(codes(rule(inside(leaf('z eq 1'))))).toEqual([]);
  });
});

describe('some event matches', () => {
  test.for([
    ['a eq 5', 'a eq "5.0"'],
    ['a eq "5"', 'a eq "5.0"'],
    ['a eq "5.0"', 'a gt 4'],
    ['a eq 5', 'a starts_with "5."'],
    ['a gt 5', 'a lt "m"'],
    ['a gt "5"', 'a lt "a"'],
    ['a contains 5', 'a contains "5"'],
    ['a contains "x"', 'a.0 eq "x"'],
    ['a.0 exists', 'a.b exists'],
    ['a missing', 'a.b missing'],
    ['a starts_with "\ud83d"', 'a gt "\ue000"'],
  ])('%s', (texts) => {
    expect(codes(rule(all(...texts)))).not.toContain('never_matches');
  });
});

describe('behind a drop', () => {
  test.for<[string, Match, Match]>([
    ['the same leaf', leaf('a eq "x"'), leaf('a eq "x"')],
    ['more leaves', leaf('a eq "x"'), all('b exists', 'a eq "x"')],
    ['gt', leaf('a gt 3'), leaf('a gt 5')],
    ['a spelling of the number', leaf('a eq 5'), leaf('a eq "5.0"')],
    ['eq in a range', all('a gt 3', 'a lte 9'), leaf('a eq "5"')],
    ['a longer prefix', leaf('a starts_with "ab"'), leaf('a starts_with "abc"')],
    ['eq, and a prefix of it', leaf('a starts_with "ab"'), leaf('a eq "abc"')],
    ['a pattern', leaf('a matches "^a+$"'), all('a matches "^a+$"', 'b exists')],
    ['fewer members', leaf('a in ["x", "y", "z", 1]'), leaf('a in ["y", 1]')],
    ['anything there', leaf('a exists'), leaf('a neq 5')],
    ['anything below', leaf('a exists'), leaf('a.b eq 5')],
    ['another branch', any('a eq 1', 'b eq 1', 'c eq 1'), all('c eq 1', 'd eq 1')],
    ['fewer branches', any('a eq 1', 'b eq 1', 'c eq 1'), any('c eq 1', 'a eq 1')],
    [
      'the same tree',
      { all: [leaf('a eq 1'), any('b eq 1', 'c eq 1')] },
      { all: [any('c eq 1', 'b eq 1'), leaf('a eq 1')] },
    ],
    [
      'the same tree of two choices',
      { all: [any('a eq 1', 'b eq 1'), any('c eq 1', 'd eq 1')] },
      { all: [any('a eq 1', 'b eq 1'), any('c eq 1', 'd eq 1')] },
    ],
    ['everything', any('a exists', 'a missing'), leaf('b eq 1')],
    ['everything else', any('a missing', 'a eq 5', 'a neq 5'), leaf('b eq 1')],
  ])('%s', ([_, early, late]) => {
    const hidden = lintRules([rule(late), drop(early)]).filter(({ code }) => code === 'behind_drop');
    expect(hidden).toMatchObject([{ rule: { id: 'r' }, related: [{ rule: { id: 'drop' } }] }]);
    expect(codes(rule(late, { priority: -2 }), drop(early))).not.toContain('behind_drop');
    expect(codes(rule(late), drop(early, { enabled: false }))).not.toContain('behind_drop');
  });
});

test.for([
  ['gt', 'gte'],
  ['lt', 'lte'],
] as const)('of the same bound, %s hides only itself and %s hides both', ([strict, wide]) => {
  const hides = (early: string, late: string): boolean =>
    codes(drop(leaf(`a ${early} 5`)), rule(leaf(`a ${late} 5`))).includes('behind_drop');
  expect([hides(strict, strict), hides(wide, strict), hides(wide, wide)]).toEqual([true, true, true]);
  expect(hides(strict, wide)).toBe(false);
});

test('every drop hides the rules after it, and disabled ones are told only that they cannot match', () => {
  const rules = [
    drop(leaf('a exists'), { id: '1', priority: 1 }),
    drop(leaf('a eq 5'), { id: '2', priority: 2 }),
    rule(all('a eq 5', 'b exists'), { id: '3', priority: 3 }),
    rule(leaf('a eq 5'), { id: '4', priority: 4, enabled: false }),
    rule(all('a eq 5', 'a missing'), { id: '5', priority: 5, enabled: false }),
    rule(leaf('a neq 5'), { id: '6', priority: 0, enabled: false }),
  ];
  const found = lintRules(rules.toReversed()).map((one) => [
    one.rule.id,
    one.code,
    one.related.map((at) => at.rule.id),
  ]);
  expect(found).toEqual([
    ['2', 'behind_drop', ['1']],
    ['3', 'behind_drop', ['1']],
    ['5', 'never_matches', ['5']],
  ]);
});

test('any drop of the path may be the one', () => {
  const drops = [9, 8, 7, 3].map((at, i) => drop(leaf(`a gt ${at}`), { id: `drop ${at}`, priority: i - 9 }));
  expect(lintRules([...drops, rule(leaf('a gt 5'))]).at(-1)).toMatchObject({
    code: 'behind_drop',
    rule: { id: 'r' },
    related: [{ rule: { id: 'drop 3' } }],
  });
});

describe('drops everything', () => {
  test.for<[Match, boolean]>([
    [any('a exists', 'a missing'), true],
    [any('a missing', 'a eq 5', 'b eq 1', 'a neq 5'), true],
    [any('a.b missing', 'a exists'), true],
    [{ all: [any('a exists', 'a missing'), any('b missing', 'b exists')] }, true],
    [any('a eq 5', 'a neq 5'), false],
    [any('a missing', 'a gt 5', 'a lte 5'), false],
    [leaf('type exists'), false],
  ])('%j: %s', ([match, everything]) => {
    expect(codes(drop(match)).includes('drops_everything')).toBe(everything);
    expect(codes(rule(match))).not.toContain('drops_everything');
    expect(codes(drop(match), rule(leaf('x eq 1'))).includes('behind_drop')).toBe(everything);
  });
});

describe('always tried', () => {
  test.for<[Match, boolean]>([
    ...['neq 1', 'not_contains "x"', 'not_in [1]', 'not_matches "x"', 'missing'].map(
      (text): [Match, boolean] => [leaf(`a ${text}`), true],
    ),
    ...[
      'eq 1',
      'contains "x"',
      'in [1]',
      'matches "x"',
      'exists',
      'starts_with "x"',
      'ends_with "x"',
      'gt 1',
      'lte 1',
    ].map((text): [Match, boolean] => [leaf(`a ${text}`), false]),
    [all('a neq 1', 'a missing', 'b eq 1'), false],
    [any('a neq 1', 'b eq 1'), true],
    [{ all: [any('a neq 1', 'b eq 1'), any('c exists', 'd gt 1')] }, false],
    [{ any: [all('a neq 1', 'b eq 1'), all('c not_in []', 'd missing')] }, true],
  ])('%j: %s', ([match, tried]) => {
    expect(codes(rule(match)).includes('always_tried')).toBe(tried);
  });
});

describe('a hundred thousand levels', () => {
  const DEEP = 30_000;
  /** Every `all` contains `sure`, and every `any` contains `other`. */
  function deep(innermost: Match, sure: Leaf, other: Match): Match {
    let tree = innermost;
    for (let i = 0; i < DEEP; i++) tree = i % 2 === 0 ? { all: [tree, sure] } : { any: [tree, other] };
    return tree;
  }
  const sure = leaf('a eq 5');

  test('of which no branch is possible', () => {
    const [warning] = lintRules([rule(deep(leaf('a eq 6'), sure, all('a eq 5', 'a missing')))]);
    expect(warning?.code).toBe('never_matches');
  });

  test('impossible at the bottom, with branches that are possible and change nothing', () => {
    let tree = all('a eq 5', 'a eq 6');
    for (let i = 0; i < DEEP; i++) tree = { all: [any(`b${i} eq 1`, `c${i} eq 1`), tree] };
    expect(codes(rule(tree))).toEqual(['never_matches']);
  });

  test('possible, and behind a drop', () => {
    const tree = deep(leaf('b exists'), sure, all('b exists', 'b missing'));
    expect(codes(drop(sure), rule(tree))).toEqual(['behind_drop']);
    expect(codes(drop(leaf('a eq 6')), rule(tree))).toEqual([]);
  });

  test('of the drop, and of a path', () => {
    const path = `a${'.a'.repeat(DEEP)}`;
    const tree = deep({ path, op: 'exists' }, sure, leaf('c exists'));
    expect(codes(drop(tree), rule(all('a eq 5', 'c exists')))).toEqual(['behind_drop']);
    expect(codes(rule({ all: [{ path, op: 'exists' }, sure] }))).toEqual(['never_matches']);
  });
});

/** A text, and a pattern that takes longer on it the longer it is. */
const asking = (length: number): Match => all(`a eq "${'a'.repeat(length)}"`, 'a matches "[ab]{40}[^ab]"');

test('a pattern that takes too long on the value is not said to contradict it', () => {
  expect(codes(rule(asking(100)))).toEqual(['never_matches']);
  expect(codes(rule(asking(1_000_000)))).toEqual(['not_checked']);
});

test('long lists exclude each other', () => {
  const list = (from: number, length: number): string =>
    JSON.stringify(Array.from({ length }, (_, i) => from + i));
  expect(codes(rule(all(`a in ${list(0, 300)}`, `a in ${list(300, 300)}`)))).toEqual(['never_matches']);
  expect(codes(rule(all(`a in ${list(0, 300)}`, `a in ${list(299, 300)}`)))).toEqual([]);
  expect(codes(rule(all(`a in ${list(0, 100_000)}`, `a in ${list(200_000, 100_000)}`)))).toEqual([
    'never_matches',
  ]);
  expect(codes(rule(all(`a in ${list(0, 100_000)}`, 'a in ["x", -1]')))).toEqual(['never_matches']);
});

test('what takes too long to tell is said to be left open', () => {
  expect(lintRules([rule(asking(1_000_000), { enabled: false })])).toMatchObject([
    {
      code: 'not_checked',
      pointer: '/match',
      rule: { id: 'r' },
      message: expect.stringMatching(/^left open: whether it can match; finding out takes more work/),
    },
  ]);
});

test('of choices that exclude each other only together nothing is said', () => {
  // Each number needs a path of its own, and there is one path too few.
  const paths = Array.from({ length: 12 }, (_, nth) => `p${nth}`);
  const numbers = Array.from({ length: 13 }, (_, number) =>
    any(...paths.map((path) => `${path} eq ${number}`)),
  );
  expect(codes(rule({ all: numbers }))).toEqual([]);
});

test('a rule that takes all there is to spend on it leaves enough for others', () => {
  const found = lintRules([
    ...Array.from({ length: 100 }, (_, i) => rule(asking(200_000 + i), { id: `hard ${i}`, priority: -9 })),
    drop(leaf('a exists')),
    rule(all('a eq 5', 'b eq 1'), { id: 'hidden' }),
    rule(all('b eq 5', 'b eq 6'), { id: 'impossible' }),
  ]);
  const left = found.filter(({ code }) => code === 'not_checked').map(({ rule: { id } }) => id);
  expect(left.length).toBeGreaterThan(90);
  expect(
    found.filter(({ code }) => code !== 'not_checked').map(({ rule: { id }, code }) => [id, code]),
  ).toEqual([
    ['hidden', 'behind_drop'],
    ['impossible', 'never_matches'],
  ]);
});

test.for(monsters.map((monster) => [monster.name, monster] as const))(
  'lintRules of 200 KB of %s ends',
  ([, { rules }]) => {
    const some = rules(200_000);
    const start = process.cpuUsage();
    lintRules(some);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(20); // seconds; most take a tenth of one
  },
);

test('time grows with the number of rules, however alike they are', () => {
  const drops = Array.from({ length: 5_000 }, (_, i) =>
    drop(all('type eq "webhook.received"', `a starts_with "v${i}/"`), { id: `r${i}`, priority: i }),
  );
  const started = process.cpuUsage();
  expect(lintRules(drops)).toEqual([]);
  expect(process.cpuUsage(started).user).toBeLessThan(10_000_000); // microseconds of the processor
});

test('the drop is found among ten thousand like it', () => {
  const drops = Array.from({ length: 10_000 }, (_, i) =>
    drop(all('type eq "webhook.received"', i % 2 === 0 ? `b eq "v${i}"` : `d in [1, "v${i}"]`), {
      id: `r${i}`,
      priority: i,
    }),
  );
  const hidden = ['b eq "v8000"', 'd in ["v8001"]'].map((text, i) =>
    rule(all('type eq "webhook.received"', text), { id: `hidden ${i}`, priority: 20_000 + i }),
  );
  const found = lintRules([...drops, ...hidden]).map((one) => [
    one.rule.id,
    one.code,
    one.related[0]!.rule.id,
  ]);
  expect(found).toEqual([
    ['hidden 0', 'behind_drop', 'r8000'],
    ['hidden 1', 'behind_drop', 'r8001'],
  ]);
});

test('a message names the leaves, or the drop, and says what to do', () => {
  const first = drop(any('a missing', 'a exists'), { name: 'All of it' });
  const messages = (...rules: Rule[]): string[] => lintRules(rules).map(({ message }) => message);
  expect(messages(first, rule(leaf('b eq 1')))).toEqual([
    'drops every event, since one leaf or another always holds; remove one',
    'never applied: the drop "All of it" (id "drop") runs first and matches all that this rule does; run this rule before it',
  ]);
  expect(messages(rule(all('a eq "x"', 'a missing')))).toEqual([
    'no event matches: a missing and a eq "x" exclude each other; change a leaf',
  ]);
  expect(messages(rule({ any: [leaf('a in []'), all('a eq 1', 'a eq 2')] }))).toEqual([
    'no event matches, by whatever branch; in one, a in an empty array holds for no value; change a leaf',
  ]);
  expect(messages(rule(leaf('a missing')))).toEqual([
    expect.stringMatching(/^tried on every event: .*; add /),
  ]);
  const [long] = messages(rule(all(`${'a'.repeat(1_000)} exists`, `${'a'.repeat(1_000)} missing`)));
  expect(long!.length).toBeLessThan(300);
});

test('an invalid rule is refused', () => {
  expect(() => lintRules([rule({ all: [] })])).toThrow(RuleError);
  expect(() => lintRules([rule(leaf('a exists')), rule(leaf('a exists'))])).toThrow(RuleError);
});

describe('odd paths', () => {
  test.for<[string, string | null]>([
    ['$.data.a', 'data.a'],
    ["$['data']['a.b'][0]", 'data.a\\.b.0'],
    ['$["data"].items', 'data.items'],
    ['$', null],
    ['data.items[0].a', 'data.items.0.a'],
    ['data.items[0][1]', 'data.items.0.1'],
    ['data.**', null],
    ['data.items[*].a', 'data.items.*.a'],
    ['data.items[].a', 'data.items.*.a'],
    ['$.body.items[*].tags[0]', 'data.body.items.*.tags.0'],
    ['body.items[*]', 'data.body.items.*'],
    ['data.items[*][*].a', 'data.items.*.*.a'],
    ['/data/a', 'data.a'],
    ['/data/a~1b/c~0d/e', 'data.a/b.c~d.e'],
    ['data/a', 'data.a'],
    ['body.a', 'data.body.a'],
    ['body', 'data.body'],
    ['$.body.items[0]', 'data.body.items.0'],
    ['payload.a', 'data.body.a'],
    ['headers.x-id', 'data.headers.x-id'],
    ['event.data.a', 'data.a'],
    ['Data.a', 'data.a'],
    ['rawPayload.a', 'raw_payload.a'],
    ['receivedAt', 'received_at'],
    ['$data.a', 'data.a'],
    ['$body.a', 'data.body.a'],
    ['$event.data.a', 'data.a'],
    ['@data.a', 'data.a'],
    ['@.data.a', 'data.a'],
    ["@['data'].a", 'data.a'],
    ['{{data.a}}', 'data.a'],
    ['{{ body.items[0] }}', 'data.body.items.0'],
    ['${data.a}', 'data.a'],
    ['#{data.a}', 'data.a'],
    ['{data.a}', 'data.a'],
    ['{{x}}', 'x'],
    ['{{.}}', null],
    ['data.items.#.id', 'data.items.*.id'],
    ['data.items.#(id==1).a', null],
    ['data.items.#', 'data.items.*'],
    ['data.items[?(@.a)].b', null],
    ['data.items[0:2]', null],
    ['data->a', 'data.a'],
    ["data->'a'->>'b'", 'data.a.b'],
    ["data.a->>'b'", 'data.a.b'],
    ['$event->data->a', 'data.a'],
    ['data?.a', 'data.a'],
    ['data.a[', null],
    ['data.a[0', null],
    ["data['a.b']", 'data.a\\.b'],
    ["data.x['a.b'][0].c", 'data.x.a\\.b.0.c'],
  ])('%s, for which %s may be meant', ([path, instead]) => {
    const warnings = lintRules([rule({ path, op: 'exists' })]).filter(({ code }) => code === 'odd_path');
    expect(warnings).toMatchObject([{ rule: { id: 'r' }, pointer: '/match/path', related: [] }]);
    const [{ message }] = warnings as [LintWarning];
    if (instead === null) expect(message).not.toContain('did you mean');
    else expect(message).toContain(`did you mean ${JSON.stringify(instead)}?`);
    expect(message).toMatch(/(?:[a-z]\.|\?) Leave it if your events have such a key$/);
  });

  test.for([
    'data.a',
    'type',
    'channel.type',
    'tags.0',
    'raw_payload.x',
    'tenant.a',
    'a',
    'event.action',
    'data.body.$.id',
    'data.xml.$t',
    'data.$ref',
    'data.a[b]',
    'data.a/b',
    'data.https://example\\.com/x',
    'data.body.body',
    'data.*args',
    'data.a*',
    '@type',
    '$type',
    '$id',
    'data.@type',
    'data.$',
    'data.items.*.a',
    'data.items.\\*',
    'data.items.#text',
    'data.channels.#general.id',
    'data.JFK->LAX',
    'data.paid?',
    'data.{id}',
    'data.[0,5)',
    'data.[',
    'data.a[b',
    'data.url?page',
  ])('%s is none', (path) => {
    expect(lintRules([rule({ path, op: 'exists' })])).toEqual([]);
  });

  test('are found wherever a path stands, eight for each rule, also of disabled rules', () => {
    const ops = [
      { op: 'trim' as const, path: 'data.a' },
      { op: 'trim' as const, path: 'data.items[0]' },
    ];
    const odd = rule(
      { any: [leaf('a exists'), { all: [leaf('b exists'), leaf('/data/c exists')] }] },
      {
        action: { type: 'transform', ops },
        enabled: false,
      },
    );
    expect(lintRules([odd]).map(({ code, pointer }) => [code, pointer])).toEqual([
      ['odd_path', '/match/any/1/all/1/path'],
      ['odd_path', '/action/ops/1/path'],
    ]);
    const many = rule(any(...Array.from({ length: 100 }, (_, i) => `body.a${i} exists`)));
    expect(codes(many, { ...many, id: 's' })).toEqual(Array(16).fill('odd_path'));
  });

  test('such a rule is valid, and matches where an event has such a key', () => {
    const matches = compileMatch({ all: [leaf('data.items[0] eq 1'), leaf('$ eq 2'), leaf('data.** eq 3')] });
    expect(matches({ $: 2, data: { 'items[0]': 1, '**': 3 } })).toBe(true);
  });
});

describe('odd patterns', () => {
  const found = (value: string): LintCode[] => codes(rule({ path: 'data.a', op: 'matches', value }));

  test.for([
    '/abc/i',
    '/abc/gi',
    '/^a+$/',
    '/^abc/',
    '/abc$/',
    '/a\\/b/',
    '/[^/]+$/i',
    '/\\bfoo\\b/',
    '/\\d+/g',
    '/(a|b)/gm',
    '/a.*b/s',
  ])('%s', (value) => {
    expect(found(value)).toEqual(['odd_pattern']);
    const ops = [{ op: 'redact' as const, path: 'data.a', regex: value, replace: '' }];
    const warnings = lintRules([rule(leaf('data.a exists'), { action: { type: 'transform', ops } })]);
    expect(warnings).toMatchObject([{ code: 'odd_pattern', pointer: '/action/ops/0/regex' }]);
  });

  test.for([
    '/api/v1/',
    '/',
    '//',
    '/abc/',
    '^/a+/$',
    '/users/img/gi',
    'abc/i',
    '/abc/x',
    '(?i)/abc/',
    '/static/img',
    '/feed/my',
    '/docs/s',
    '/files/g',
    '/blog/us',
    '/abc/ii',
    '/v\\d+/',
    '/(de|en)/',
    '/users/\\d+/',
    '/\\d+/id',
    '/[a-z]+/img',
    '/a/\\$',
    '/cost\\$/',
  ])('%s is none', (value) => {
    expect(found(value)).toEqual([]);
  });

  test('none is in a redact that puts slashes back', () => {
    const redact = (regex: string, replace: string): LintCode[] =>
      codes(
        rule(leaf('data.a exists'), {
          action: { type: 'transform', ops: [{ op: 'redact', path: 'data.a', regex, replace }] },
        }),
      );
    for (const regex of ['/\\d+/', '/\\d+$/', '/a\\/b/']) expect(redact(regex, '/N/')).toEqual([]);
    expect(redact('/\\d+$/', 'N')).toEqual(['odd_pattern']);
  });

  test.for<[Leaf['op'], Json, string]>([
    ['eq', '/abc/i', 'matches'],
    ['contains', '/abc/gi', 'matches'],
    ['starts_with', '/^abc/', 'matches'],
    ['ends_with', '/abc$/', 'matches'],
    ['eq', '/\\d+/', 'matches'],
    ['eq', '/a.*b/', 'matches'],
    ['contains', '/[a-z]+/g', 'matches'],
    ['contains', '/(?:a|b)/', 'matches'],
    ['eq', '/a\\.b/', 'matches'],
  ])('a text: %s %j, for which %s is to be written', ([op, value, instead]) => {
    const warnings = lintRules([rule({ path: 'data.a', op, value } as Leaf)]);
    expect(warnings).toMatchObject([{ code: 'odd_pattern', pointer: '/match/value' }]);
    expect(warnings[0]!.message).toContain(
      `is compared as text, slashes too; for a pattern write ${instead}`,
    );
  });

  test('texts in a list, and of operators that say no', () => {
    const listed = lintRules([rule({ path: 'data.a', op: 'in', value: ['a', 5, '/abc/i', '/abc/'] })]);
    expect(listed).toMatchObject([{ code: 'odd_pattern', pointer: '/match/value/2' }]);
    for (const not of ['a neq "/abc/i"', 'a not_contains "/abc/i"', 'a not_in ["/abc/i"]']) {
      const warnings = lintRules([rule(all('b exists', not))]);
      expect(warnings).toMatchObject([{ code: 'odd_pattern' }]);
      expect(warnings[0]!.message).toContain('write not_matches');
    }
    const many = rule({ path: 'data.a', op: 'in', value: Array.from({ length: 100 }, (_, i) => `/a${i}/i`) });
    expect(codes(many)).toEqual(Array(8).fill('odd_pattern'));
  });
});

describe('ordinary rules are left alone', () => {
  const texts = [
    ...[
      '/',
      '//',
      '/abc/',
      '/docs/',
      '/docs',
      '/api/v1/',
      '/api/v1/users/42',
      '/static/img',
      '/feed/my',
      '/docs/s',
    ],
    ...[
      '/files/g',
      '/blog/us',
      '/users/{id}/',
      '/users/:id/',
      '/[slug]/',
      '/[my-slug]/',
      '/*/',
      '/**/',
      '/c++/',
    ],
    ...['/$metadata/', '/?q=a+b', '/a(b)/', '/~user/', '/search/?q=x&y=1#top', '/v1.2/', '/@me/', '/{{id}}/'],
    ...['https://example.com/a/i', 'https://example.com/?a=1&b[]=2', 'refs/heads/main', 'refs/tags/v1.0.0'],
    ...[
      '/etc/hosts',
      '/var/log/syslog.1',
      '~/notes/a.txt',
      'C:\\Users\\a',
      '\\\\server\\share',
      '../a/b',
      './a/*.ts',
    ],
    ...['2026-01-02', '2026-01-02T03:04:05Z', '01/02/2026', '12/31', 'text/html; charset=utf-8', 'image/*'],
    ...[
      'application/vnd.api+json',
      '$5.00',
      'US$ 1,000',
      '5 €',
      'a.b+c@example.com',
      '<a@example.com>',
      '#general',
    ],
    ...[
      '@here',
      '{"a": 1}',
      '[bot]',
      'what?',
      '1/2',
      'and/or',
      'n/a',
      'a -> b',
      '// comment',
      '/* comment */',
    ],
    ...[
      '*',
      '**',
      '.*',
      '^',
      '$',
      '\\d',
      '%',
      'a|b',
      '/bin/sh -c',
      '/r/AskReddit/',
      '/remind me',
      '/giphy hi',
    ],
  ];
  const ops = ['eq', 'contains', 'starts_with', 'ends_with'] as const;

  test.for(texts)('text: %s', (value) => {
    for (const op of ops) expect(codes(rule({ path: 'data.a', op, value }))).toEqual([]);
    expect(codes(rule({ path: 'data.a', op: 'in', value: [value] }))).toEqual([]);
  });

  test.for([
    ...[
      '/api/v\\d+/users',
      '^/api/',
      '/docs/$',
      '/static/img',
      '/feed/my',
      '/docs/s',
      '/files/g',
      '/users/[^/]+/edit',
    ],
    ...[
      '^refs/heads/(?:main|master)$',
      'refs/tags/v\\d+',
      '\\.(?:png|jpe?g)$',
      '^C:\\\\Users\\\\',
      '^\\d{4}-\\d\\d-\\d\\d$',
    ],
    ...[
      '^\\d\\d/\\d\\d/\\d{4}$',
      '^image/(?:png|gif)$',
      '\\$\\d+\\.\\d\\d',
      '^[^@]+@example\\.com$',
      '/v\\d+/',
      '/\\d+/',
    ],
  ])('pattern: %s', (value) => {
    for (const op of ['matches', 'not_matches'] as const) {
      expect(codes(rule({ all: [leaf('b exists'), { path: 'data.a', op, value }] }))).toEqual([]);
    }
  });

  test.for([
    ...[
      'id',
      'type',
      'channel',
      'channel.id',
      'status',
      'tags.0',
      'received_at',
      'raw_payload',
      'data.body.items.0.sku',
    ],
    ...[
      'data.headers.content-type',
      'data.headers.x-github-event',
      'data.body.@type',
      'data.body.@context.0',
      '@type',
    ],
    ...[
      '$type',
      'data.body.$ref',
      'data.body.$.id',
      'data.body.#text',
      'data.body._id',
      'data.body.user:name',
    ],
    ...[
      'data.body.a/b',
      'data.body.application/json',
      'data.paths./users/{id}.get',
      'data.body.user@example\\.com',
    ],
    ...[
      'data.body.a b',
      'data.body.fields[name]',
      'data.body.C:\\\\Users',
      'data.body.2026-01-02',
      'data.body.price $',
    ],
    ...[
      'data.body.{id}',
      'data.body.%name%',
      'data.body.a->b',
      'data.body.ok?',
      'data.body.<none>',
      'data.body.a*b',
    ],
    ...[
      'data.body.[0,5)',
      'data.body.größe',
      'data.body.日本',
      'data.body.a=b',
      'data.body.x|y',
      'tenant.region',
    ],
  ])('path: %s', (path) => {
    expect(codes(rule({ path, op: 'exists' }))).toEqual([]);
  });
});
