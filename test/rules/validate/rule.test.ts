/** Every mistake in a rule is an issue with its code, its pointer and a message that helps. */
import { describe, expect, test } from 'vitest';
import {
  RuleError,
  compileMatch,
  compileTransform,
  explainMatch,
  parseRule,
  parseRuleDocument,
  ruleSchema,
  validateRule,
  validateRuleDocument,
  type Match,
} from '../../../src/index.js';

const valid = {
  id: 'r1',
  name: 'a rule',
  stage: 'deliver',
  match: { path: 'type', op: 'eq', value: 'x' },
  action: { type: 'drop' },
  priority: 1,
};
const leaf = (leaf: unknown): unknown => ({ ...valid, match: leaf });
const action = (action: unknown): unknown => ({ ...valid, action });
const op = (op: unknown): unknown => action({ type: 'transform', ops: [op] });

/** `code pointer` of each issue. */
const found = (rule: unknown): string[] => {
  const result = validateRule(rule);
  return result.ok ? [] : result.issues.map(({ code, pointer }) => `${code} ${pointer}`);
};
const messageOf = (rule: unknown): string => {
  const result = validateRule(rule);
  return result.ok ? '' : result.issues.map(({ message }) => message).join('\n');
};

test('a valid rule comes back itself', () => {
  expect(validateRule(valid)).toEqual({ ok: true, rule: valid });
  expect(parseRule(valid)).toBe(valid);
  expect(found({ ...valid, enabled: false, counts: { matched: 5 }, description: '' })).toEqual([]);
});

test('a document has no id', () => {
  const { id, ...document } = valid;
  expect(validateRuleDocument(document)).toEqual({ ok: true, rule: document });
  expect(found(document)).toEqual(['missing_key /id']);
  expect(validateRuleDocument({ ...document, id }).ok).toBe(false);
  expect(parseRuleDocument(document)).toBe(document);
  expect(() => parseRuleDocument({ ...document, id })).toThrow(RuleError);
});

describe('each problem has a code and a pointer', () => {
  test.for<[unknown, string]>([
    [null, 'invalid_type '],
    [[valid], 'invalid_type '],
    [{ ...valid, name: '' }, 'out_of_bounds /name'],
    [{ ...valid, name: 'x'.repeat(201) }, 'out_of_bounds /name'],
    [{ ...valid, name: 5 }, 'invalid_type /name'],
    [{ ...valid, description: 'x'.repeat(2001) }, 'out_of_bounds /description'],
    [{ ...valid, description: null }, 'invalid_type /description'],
    [{ ...valid, id: '' }, 'out_of_bounds /id'],
    [{ ...valid, stage: 'ingest' }, 'invalid_stage /stage'],
    [{ ...valid, priority: 1.5 }, 'invalid_type /priority'],
    [{ ...valid, priority: '1' }, 'invalid_type /priority'],
    [{ ...valid, priority: 2 ** 53 }, 'out_of_bounds /priority'],
    [{ ...valid, enabled: 'yes' }, 'invalid_type /enabled'],
    [{ ...valid, 'a/b~c': 1 }, 'unknown_key /a~1b~0c'],
    [{ ...valid, match: undefined }, 'missing_key /match'],
    [{ ...valid, action: [] }, 'invalid_type /action'],
    [leaf([]), 'invalid_type /match'],
    [leaf({}), 'invalid_node /match'],
    [leaf({ all: [] }), 'empty_group /match/all'],
    [leaf({ any: [] }), 'empty_group /match/any'],
    [leaf({ any: {} }), 'invalid_type /match/any'],
    [leaf({ all: [5] }), 'invalid_node /match/all/0'],
    [leaf({ all: [valid.match], any: [valid.match] }), 'invalid_node /match'],
    [leaf({ all: [valid.match], path: 'a' }), 'unknown_key /match/path'],
    [leaf({ ...valid.match, extra: 1 }), 'unknown_key /match/extra'],
    [leaf({ ...valid.match, path: '' }), 'invalid_path /match/path'],
    [leaf({ ...valid.match, path: 5 }), 'invalid_type /match/path'],
    [leaf({ op: 'eq', value: 1 }), 'missing_key /match/path'],
    [leaf({ path: 'a', value: 1 }), 'missing_key /match/op'],
    [leaf({ path: 'a', op: 'eq' }), 'missing_key /match/value'],
    [leaf({ path: 'a', op: 'equals', value: 1 }), 'unknown_operator /match/op'],
    [leaf({ path: 'a', op: 'constructor', value: 1 }), 'unknown_operator /match/op'],
    [leaf({ path: 'a', op: 'in', value: 'x' }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'starts_with', value: 5 }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'gt', value: true }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'gt', value: NaN }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'exists', value: false }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'missing', value: false }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'eq', value: [new Date(0)] }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'in', value: [undefined] }), 'invalid_value /match/value'],
    [leaf({ path: 'a', op: 'matches', value: '(' }), 'invalid_pattern /match/value'],
    [leaf({ path: 'a', op: 'not_matches', value: 'x'.repeat(201) }), 'pattern_too_long /match/value'],
    [leaf({ path: 'a', op: 'matches', value: '(\\p{L}{20}){20}' }), 'pattern_too_complex /match/value'],
    [leaf({ path: 'a', op: 'matches', value: 5 }), 'invalid_value /match/value'],
    [action({}), 'missing_key /action/type'],
    [action({ type: 'explode' }), 'unknown_action /action/type'],
    [action({ type: 'toString' }), 'unknown_action /action/type'],
    [action({ type: 'drop', tags: [] }), 'unknown_key /action/tags'],
    [action({ type: 'tag' }), 'missing_key /action/tags'],
    [action({ type: 'tag', tags: [] }), 'out_of_bounds /action/tags'],
    [action({ type: 'tag', tags: ['a', ''] }), 'out_of_bounds /action/tags/1'],
    [action({ type: 'tag', tags: ['a', 5] }), 'invalid_type /action/tags/1'],
    [action({ type: 'tag', tags: Array(51).fill('a') }), 'out_of_bounds /action/tags'],
    [action({ type: 'route_only', endpoint_ids: ['x'] }), 'invalid_endpoint_id /action/endpoint_ids/0'],
    [action({ type: 'route_only', endpoint_ids: [] }), 'out_of_bounds /action/endpoint_ids'],
    [action({ type: 'transform', ops: [] }), 'out_of_bounds /action/ops'],
    [op(5), 'invalid_type /action/ops/0'],
    [op({ op: 'explode', path: 'data.a' }), 'unknown_op /action/ops/0/op'],
    [op({ path: 'data.a' }), 'missing_key /action/ops/0/op'],
    [op({ op: 'set', path: 'data.a' }), 'missing_key /action/ops/0/value'],
    [op({ op: 'set', path: 'data.a', value: [() => 1] }), 'invalid_value /action/ops/0/value'],
    [op({ op: 'trim', path: 'type' }), 'transform_outside_data /action/ops/0/path'],
    [op({ op: 'trim', path: 'data' }), 'transform_outside_data /action/ops/0/path'],
    [op({ op: 'trim', path: 'raw_payload.a' }), 'transform_outside_data /action/ops/0/path'],
    [op({ op: 'trim', path: 'data.' }), 'invalid_path /action/ops/0/path'],
    [
      op({ op: 'redact', path: 'data.a', regex: '(?=x)', replace: '' }),
      'invalid_pattern /action/ops/0/regex',
    ],
    [op({ op: 'redact', path: 'data.a', regex: 'x' }), 'missing_key /action/ops/0/replace'],
    [op({ op: 'redact', path: 'data.a', regex: 'x', replace: null }), 'invalid_type /action/ops/0/replace'],
    [
      op({ op: 'redact', path: 'data.a', regex: 'x', replace: '😀'.repeat(1_001) }),
      'replace_too_long /action/ops/0/replace',
    ],
    [
      op({ op: 'redact', path: 'data.a', regex: 'x', replace: '', deep: 1 }),
      'invalid_type /action/ops/0/deep',
    ],
    [
      op({ op: 'redact', path: 'data.a', regex: 'x', replace: '', deeep: true }),
      'unknown_key /action/ops/0/deeep',
    ],
    [op({ op: 'trim', path: 'data.a', deep: true }), 'unknown_key /action/ops/0/deep'],
  ])('%j', ([rule, issue]) => {
    expect(found(rule)).toEqual([issue]);
  });
});

describe('bounds', () => {
  test.for<[string, unknown]>([
    ['200 astral characters in a name', { ...valid, name: '😀'.repeat(200) }],
    [
      '1,000 astral characters in a replacement, and a redact that goes deep',
      op({ op: 'redact', path: 'data.a', regex: 'x', replace: '😀'.repeat(1_000), deep: true }),
    ],
    ['the largest priority', { ...valid, priority: Number.MAX_SAFE_INTEGER }],
    ['the smallest priority', { ...valid, priority: Number.MIN_SAFE_INTEGER }],
    ['a pattern of 200 astral characters', leaf({ path: 'a', op: 'matches', value: '😀'.repeat(200) })],
    ['an empty in', leaf({ path: 'a', op: 'in', value: [] })],
    ['a value that exists ignores', leaf({ path: 'a', op: 'exists', value: true })],
    ['50 tags', action({ type: 'tag', tags: Array.from({ length: 50 }, (_, i) => `${i}`) })],
    [
      'an upper-case UUID',
      action({ type: 'route_only', endpoint_ids: ['3F0B2C1E-5D7A-4C8E-9B1F-2A6D8E4C7F10'] }),
    ],
    ['100 ops', action({ type: 'transform', ops: Array(100).fill({ op: 'trim', path: 'data.a' }) })],
  ])('%s is fine', ([, rule]) => {
    expect(found(rule)).toEqual([]);
  });
});

test('every problem of a rule is found at once', () => {
  const rule = {
    name: '',
    stage: 'x',
    priority: 1,
    match: { all: [{ path: '', op: 'eq' }, { any: [] }, { path: 'a', op: 'matches', value: '[' }] },
    action: {
      type: 'transform',
      ops: [
        { op: 'trim', path: 'id' },
        { op: 'upcase', path: 'data.x' },
      ],
    },
  };
  expect(found(rule)).toEqual([
    'missing_key /id',
    'out_of_bounds /name',
    'invalid_stage /stage',
    'missing_key /match/all/0/value',
    'invalid_path /match/all/0/path',
    'empty_group /match/all/1/any',
    'invalid_pattern /match/all/2/value',
    'transform_outside_data /action/ops/0/path',
    'unknown_op /action/ops/1/op',
  ]);
});

describe('messages tell what to write instead', () => {
  test.for<[string, string]>([
    ['equals', 'eq'],
    ['EQ', 'eq'],
    ['==', 'eq'],
    ['!=', 'neq'],
    ['startsWith', 'starts_with'],
    ['start_with', 'starts_with'],
    ['regex', 'matches'],
    ['not_match', 'not_matches'],
    ['exist', 'exists'],
    ['>=', 'gte'],
    ['contain', 'contains'],
    ['notin', 'not_in'],
    ['mising', 'missing'],
  ])('operator %s: did you mean %s', ([op, nearest]) => {
    expect(messageOf(leaf({ path: 'a', op, value: 1 }))).toContain(`did you mean ${nearest}?`);
  });

  test.for<[object, string]>([
    [{ and: [] }, 'for "and", did you mean all?'],
    [{ OR: [] }, 'for "OR", did you mean any?'],
    [{ anyOf: [] }, 'for "anyOf", did you mean any?'],
    [{ $and: [] }, 'for "$and", did you mean all?'],
    [{ rules: [] }, '"rules" is a key of neither'],
    [{ not: {} }, 'there is no "not", only inverse operators such as neq'],
    [{ '!': {} }, 'there is no "!", only inverse operators such as neq'],
    [{ nand: [] }, 'there is no "nand", only inverse operators such as neq'],
    ...['none', 'noneOf', 'nor', '$nor', 'must_not'].map((key): [object, string] => [
      { [key]: [] },
      `there is no "${key}"; use inverse operators such as neq in an all`,
    ]),
    [{}, 'this is empty'],
  ])('%j is told what a node is', ([node, hint]) => {
    expect(messageOf(leaf(node))).toBe(
      `a match is a leaf {"path", "op", "value"} or a group {"all": […]} or {"any": […]}; ${hint}`,
    );
  });

  test.for<[unknown, string]>([
    [{ ...valid, name: 5 }, 'name must be text of 1 to 200 characters; it is 5'],
    [{ ...valid, name: null }, 'name must be text of 1 to 200 characters; it is null'],
    [{ ...valid, name: {} }, 'name must be text of 1 to 200 characters; it is an object'],
    [{ ...valid, name: [1, 2] }, 'name must be text of 1 to 200 characters; it is an array of 2'],
    [{ ...valid, stage: 'x'.repeat(41) }, `stage must be "deliver"; it is "${'x'.repeat(40)}…"`],
    [{ ...valid, stage: 'x'.repeat(40) }, `stage must be "deliver"; it is "${'x'.repeat(40)}"`],
    [
      leaf({ all: [5] }),
      'a match is a leaf {"path", "op", "value"} or a group {"all": […]} or {"any": […]}; this is 5',
    ],
    [
      leaf({ all: [valid.match], any: [valid.match] }),
      'a group has all or any, not both; nest one in the other',
    ],
    [leaf({ path: 'a', op: 'eq', value: [() => 1] }), 'value must be JSON, but it holds a function'],
    [
      leaf({ path: 'a', value: 1 }),
      'op is missing; it must be one of eq, neq, contains, not_contains, starts_with, ends_with, matches, not_matches, in, not_in, gt, gte, lt, lte, exists, missing',
    ],
    [
      leaf({ path: 'a', op: 'equals' }),
      'unknown operator "equals"; did you mean eq? Known: eq, neq, contains, not_contains, starts_with, ends_with, matches, not_matches, in, not_in, gt, gte, lt, lte, exists, missing',
    ],
    [action({}), 'type is missing; it must be one of drop, transform, route_only, tag'],
    [
      action({ type: 'label' }),
      'unknown action "label"; did you mean tag? Known: drop, transform, route_only, tag',
    ],
    [op(5), 'an op must be an object; this is 5'],
    [action({ type: 'tag', tags: ['a', ''] }), 'tags/1 must be text of 1 to 100 characters; it is ""'],
    [
      action({ type: 'tag', tags: Array(60).fill('a') }),
      'tags must be an array of 1 to 50 tags; it is an array of 60',
    ],
    [
      { ...valid, Priority: 1 },
      'unknown key "Priority". Did you mean priority? Known here: id, name, description, stage, match, action, priority, enabled, counts',
    ],
    [
      { ...valid, rules: 1 },
      'unknown key "rules". Known here: id, name, description, stage, match, action, priority, enabled, counts',
    ],
    [op({ op: 'trim', path: 'type' }), 'a transform changes what lies under data.; "type" does not'],
  ])('%j', ([rule, message]) => {
    expect(messageOf(rule)).toBe(message);
  });

  test('a group that contains itself is refused, however it is handed in', () => {
    const cyclic: { all: unknown[] } = { all: [valid.match] };
    cyclic.all.push({ any: [cyclic] });
    expect(found(leaf(cyclic))).toEqual(['invalid_node /match/all/1/any/0']);
    expect(messageOf(leaf(cyclic))).toBe('this group contains itself');
    expect(() => compileMatch(cyclic as Match)).toThrow('/all/1/any/0: this group contains itself');
    expect(found(leaf({ all: [valid.match, valid.match] }))).toEqual([]);
    const shared = { any: [valid.match] };
    expect(found(leaf({ all: [shared, shared] }))).toEqual([]);
  });

  test('what compiles on its own is checked on its own', () => {
    const bad = { path: '', op: 'exists' } as const;
    expect(() => compileMatch(bad)).toThrow('1 problem\n  /path: the path is empty');
    expect(() => explainMatch(bad, {})).toThrow('1 problem\n  /path: the path is empty');
    expect(() => compileTransform([{ op: 'trim', path: 'id' }])).toThrow(
      '1 problem\n  /0/path: a transform changes what lies under data.; "id" does not',
    );
    expect(() => compileMatch(5 as never)).toThrow(RuleError);
    expect(() => compileTransform({} as never)).toThrow(
      '1 problem\n  as a whole: ops must be an array of 1 to 100 ops; this is an object',
    );
  });

  test('an operator of megabytes is cut before it is compared', () => {
    expect(messageOf(leaf({ path: 'a', op: 'x'.repeat(5_000_000), value: 1 })).length).toBeLessThan(500);
  });

  test.for([1, 100, 2_000])(
    'with maxIssues %i, no more is looked at than it takes to find them',
    (maxIssues) => {
      let looks = 0;
      const misspelled = () => ({
        path: 'a',
        get op() {
          looks++;
          return 'eqals';
        },
        value: 1,
      });
      const all = Array.from({ length: 20_000 }, misspelled);
      const result = validateRule(leaf({ all }), { maxIssues });
      expect(result.ok ? 0 : result.issues.length).toBe(maxIssues);
      expect(looks).toBeLessThan(10 * maxIssues + 10);
      const ops = Array.from({ length: 20_000 }, misspelled);
      const ofOps = validateRuleDocument({ ...valid, action: { type: 'transform', ops } }, { maxIssues });
      expect(ofOps.ok ? 0 : ofOps.issues.length).toBe(maxIssues);
      expect(validateRule(valid, { maxIssues })).toEqual({ ok: true, rule: valid });
    },
  );

  test('a RuleError says how many, where and what, and cuts what is long', () => {
    const error = new RuleError(
      Array.from({ length: 7 }, (_, i) => ({
        code: 'invalid_path' as const,
        pointer: `/${'x'.repeat(100 * i)}`,
        message: 'no path',
      })),
    );
    expect(error.code).toBe('invalid_rule');
    expect(error.name).toBe('RuleError');
    expect(error.message).toMatch(/^7 problems\n {2}\/: no path\n[^]*and 2 more in \.issues$/);
    expect(error.message.length).toBeLessThan(900);
    expect(() => parseRule(5)).toThrow('1 problem\n  as a whole: a rule must be an object; this is 5');
  });
});

test('the schema for editors refers only to what it defines', () => {
  const text = JSON.stringify(ruleSchema);
  const refs = [...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name as string);
  expect(new Set(refs)).toEqual(new Set(Object.keys(ruleSchema.$defs as object)));
});

describe('hints for who knows another system', () => {
  test.for<[unknown, string]>([
    [leaf({ path: 'a', op: 'greaterThan', value: 1 }), 'unknown operator "greaterThan"; did you mean gt?'],
    [leaf({ path: 'a', op: 'lessThanOrEqual', value: 1 }), 'did you mean lte?'],
    [leaf({ path: 'a', op: 'xyzzy', value: 1 }), 'unknown operator "xyzzy". Known: eq, neq'],
    [action({ type: 'redact' }), 'unknown action "redact"; redact is an op of transform: write'],
    [action({ type: 'uppercase' }), 'uppercase is an op of transform'],
    [leaf({ path: 'a', op: 'toString', value: 'x' }), 'unknown operator "toString". Known'],
    ...['not_starts_with', 'notStartsWith', '!startsWith', 'doesNotBeginWith', "doesn't start with"].map(
      (op): [unknown, string] => [
        leaf({ path: 'a', op, value: 'x' }),
        `unknown operator "${op}"; starts_with has no inverse: write not_matches with ^…. Known: eq`,
      ],
    ),
    [
      leaf({ path: 'a', op: 'not_ends_with', value: 'x' }),
      'unknown operator "not_ends_with"; ends_with has no inverse: write not_matches with …$. Known: eq',
    ],
    [leaf({ path: 'a', op: 'not_gt', value: 1 }), 'unknown operator "not_gt". Known: eq'],
    [{ ...valid, disabled: true }, 'unknown key "disabled". Known here'],
    ...['remove', 'delete', 'Remove', 'unset'].map((type): [unknown, string] => [
      action({ type }),
      `unknown action "${type}"; did you mean drop? It takes the whole event; in a transform nothing is removed`,
    ]),
    [action({ type: 'rename' }), 'unknown action "rename"; in a transform nothing is created or moved'],
    [op({ op: 'remove', path: 'data.a' }), 'unknown op "remove"; nothing is removed: set puts null there'],
    [op({ op: 'rename', path: 'data.a' }), 'nothing is created or moved'],
    [op({ op: 'drop' }), 'drop is an action of its own'],
    [op({ op: 'mask', path: 'data.a' }), 'did you mean redact?'],
    [op({ op: 'constructor', path: 'data.a' }), 'unknown op "constructor"'],
    [op({ op: 'trim', path: 'body.a' }), '"body.a" does not; did you mean "data.body.a"?'],
    [op({ op: 'trim', path: '$.data.a' }), '"$.data.a" does not; did you mean "data.a"?'],
    [op({ op: 'trim', path: 'type' }), 'a transform changes what lies under data.; "type" does not'],
    [{ ...valid, priority: () => 'secret' }, 'it is a function'],
    [
      { ...valid, priority: 2 ** 53 },
      'from -9,007,199,254,740,991 to 9,007,199,254,740,991; lower runs first; it is 9007199254740992',
    ],
  ])('%o', ([input, hint]) => {
    expect(messageOf(input)).toContain(hint);
  });
});
