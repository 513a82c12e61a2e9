/** Code that compiles and code that does not: the types of rules, and the names that hosts rely on. */
import { assertType, describe, expectTypeOf, test } from 'vitest';
import {
  assertRuleQuota,
  compileMatch,
  compileRules,
  compileTransform,
  dryRun,
  explainMatch,
  exportRules,
  importRules,
  parseRule,
  ruleLimits,
  ruleSchema,
  ruleTemplates,
  validateRule,
  type Action,
  type Decision,
  type DryRunReport,
  type Event,
  type EventLike,
  type HeadgateError,
  type ImportSummary,
  type Issue,
  type Json,
  type Leaf,
  type Match,
  type MatchTrace,
  type Operator,
  type Plan,
  type QuotaError,
  type Rule,
  type RuleDocument,
  type RuleError,
  type RuleSet,
  type TransformOp,
} from 'headgate';

const path = 'data.a';

describe('a leaf', () => {
  test('has one of sixteen operators', () => {
    expectTypeOf<Operator>().toEqualTypeOf<
      | 'eq'
      | 'neq'
      | 'contains'
      | 'not_contains'
      | 'starts_with'
      | 'ends_with'
      | 'in'
      | 'not_in'
      | 'matches'
      | 'not_matches'
      | 'gt'
      | 'gte'
      | 'lt'
      | 'lte'
      | 'exists'
      | 'missing'
    >();
    // @ts-expect-error no such operator
    assertType<Leaf>({ path, op: 'equals', value: 1 });
    // @ts-expect-error the operator is missing
    assertType<Leaf>({ path, value: 1 });
    // @ts-expect-error the path is missing
    assertType<Leaf>({ op: 'exists' });
    // @ts-expect-error no such member
    assertType<Leaf>({ path, op: 'exists', not: true });
  });

  test('compares with any JSON value', () => {
    assertType<Leaf[]>([
      { path, op: 'eq', value: null },
      { path, op: 'neq', value: { a: [1, 'x', false] } },
      { path, op: 'contains', value: 5 },
      { path, op: 'not_contains', value: [[]] },
    ]);
    // @ts-expect-error undefined is no JSON
    assertType<Leaf>({ path, op: 'eq', value: undefined });
    // @ts-expect-error the value is missing
    assertType<Leaf>({ path, op: 'neq' });
    // @ts-expect-error a function is no JSON
    assertType<Leaf>({ path, op: 'contains', value: () => 1 });
    // @ts-expect-error a bigint is no JSON
    assertType<Leaf>({ path, op: 'not_contains', value: 1n });
  });

  test('looks for text', () => {
    assertType<Leaf[]>([
      { path, op: 'starts_with', value: '' },
      { path, op: 'ends_with', value: 'x' },
      { path, op: 'matches', value: '^x' },
      { path, op: 'not_matches', value: 'x$' },
    ]);
    // @ts-expect-error not allowed: a number
    assertType<Leaf>({ path, op: 'starts_with', value: 5 });
    // @ts-expect-error not allowed: null
    assertType<Leaf>({ path, op: 'ends_with', value: null });
    // @ts-expect-error no other op goes deep
    assertType<TransformOp>({ op: 'trim', path, deep: true });
    // @ts-expect-error not allowed: a RegExp
    assertType<Leaf>({ path, op: 'matches', value: /x/ });
    // @ts-expect-error not allowed: a list
    assertType<Leaf>({ path, op: 'not_matches', value: ['x'] });
  });

  test('looks up in a list', () => {
    assertType<Leaf[]>([
      { path, op: 'in', value: [1, 'x', null] },
      { path, op: 'not_in', value: [] },
    ]);
    // @ts-expect-error not allowed: text
    assertType<Leaf>({ path, op: 'in', value: 'x' });
    // @ts-expect-error not allowed: an object
    assertType<Leaf>({ path, op: 'not_in', value: { 0: 'x' } });
  });

  test('orders numbers and text', () => {
    assertType<Leaf[]>([
      { path, op: 'gt', value: 5 },
      { path, op: 'gte', value: '2026-01-01' },
      { path, op: 'lt', value: '5' },
      { path, op: 'lte', value: -0 },
    ]);
    // @ts-expect-error not allowed: a boolean
    assertType<Leaf>({ path, op: 'gt', value: true });
    // @ts-expect-error not allowed: null
    assertType<Leaf>({ path, op: 'gte', value: null });
    // @ts-expect-error not allowed: a list
    assertType<Leaf>({ path, op: 'lt', value: [5] });
    // @ts-expect-error not allowed: a Date
    assertType<Leaf>({ path, op: 'lte', value: new Date() });
  });

  test('asks for presence without a value', () => {
    assertType<Leaf[]>([
      { path, op: 'exists' },
      { path, op: 'missing' },
      { path, op: 'exists', value: true },
    ]);
    // @ts-expect-error means the opposite operator
    assertType<Leaf>({ path, op: 'exists', value: false });
    // @ts-expect-error means the opposite operator
    assertType<Leaf>({ path, op: 'missing', value: false });
  });

  test('narrows its value by its operator', () => {
    const leaf = {} as Leaf;
    if (leaf.op === 'in') expectTypeOf(leaf.value).toEqualTypeOf<readonly Json[]>();
    if (leaf.op === 'matches') expectTypeOf(leaf.value).toEqualTypeOf<string>();
    if (leaf.op === 'lt') expectTypeOf(leaf.value).toEqualTypeOf<number | string>();
    if (leaf.op === 'eq') expectTypeOf(leaf.value).toEqualTypeOf<Json>();
  });
});

describe('a match', () => {
  test('is a leaf or a group of matches', () => {
    assertType<Match>({ all: [{ any: [{ path, op: 'exists' }] }, { path, op: 'eq', value: 1 }] });
    // @ts-expect-error no group of this name
    assertType<Match>({ none: [] });
    // @ts-expect-error children stand in an array
    assertType<Match>({ all: { path, op: 'exists' } });
    // @ts-expect-error a wrong value below
    assertType<Match>({ all: [{ any: [{ path, op: 'gt', value: null }] }] });
  });

  test('is one of them, never two', () => {
    // @ts-expect-error all and any
    assertType<Match>({ all: [], any: [] });
    // @ts-expect-error all and any, further down
    assertType<Match>({ any: [{ all: [{ path, op: 'exists' }], any: [{ path, op: 'exists' }] }] });
    // @ts-expect-error a leaf with children
    assertType<Match>({ path, op: 'exists', all: [] });
    // @ts-expect-error a group with a value
    assertType<Match>({ any: [{ path, op: 'exists' }], value: 1 });
    const { all, any } = { all: [] as Match[], any: [] as Match[] };
    // @ts-expect-error all and any, in a variable
    compileMatch({ all, any });
    const either = {} as { readonly all: readonly Match[] } | { readonly any: readonly Match[] };
    assertType<Match>(either);
  });

  test('is told apart by its members', () => {
    const match = {} as Match;
    if (match.all) expectTypeOf(match.all).toEqualTypeOf<readonly Match[]>();
    else if (match.any) expectTypeOf(match.any).toEqualTypeOf<readonly Match[]>();
    else expectTypeOf(match).toEqualTypeOf<Leaf>();
    if ('all' in match) expectTypeOf(match.all.length).toEqualTypeOf<number>();
  });
});

describe('an action', () => {
  test('carries what its type needs', () => {
    assertType<Action[]>([
      { type: 'drop' },
      { type: 'tag', tags: ['urgent'] },
      { type: 'route_only', endpoint_ids: ['3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10'] },
      { type: 'transform', ops: [{ op: 'trim', path }] },
    ]);
    // @ts-expect-error no such type
    assertType<Action>({ type: 'delete' });
    // @ts-expect-error drop takes nothing
    assertType<Action>({ type: 'drop', tags: ['x'] });
    // @ts-expect-error the tags are missing
    assertType<Action>({ type: 'tag' });
    // @ts-expect-error tags are text
    assertType<Action>({ type: 'tag', tags: [1] });
    // @ts-expect-error one id is no list
    assertType<Action>({ type: 'route_only', endpoint_ids: 'x' });
    // @ts-expect-error the ops are missing
    assertType<Action>({ type: 'transform' });
  });

  test('has ops that carry what they need', () => {
    assertType<TransformOp[]>([
      { op: 'set', path, value: { a: null } },
      { op: 'redact', path, regex: 'x', replace: '' },
      { op: 'redact', path, regex: 'x', replace: '', deep: true },
      { op: 'uppercase', path },
      { op: 'lowercase', path },
      { op: 'trim', path },
    ]);
    // @ts-expect-error the value is missing
    assertType<TransformOp>({ op: 'set', path });
    // @ts-expect-error the replacement is missing
    assertType<TransformOp>({ op: 'redact', path, regex: 'x' });
    // @ts-expect-error not allowed: a RegExp
    assertType<TransformOp>({ op: 'redact', path, regex: /x/, replace: '' });
    // @ts-expect-error trim takes nothing
    assertType<TransformOp>({ op: 'trim', path, value: 1 });
    // @ts-expect-error no such op
    assertType<TransformOp>({ op: 'delete', path });
  });
});

describe('a rule', () => {
  const document: RuleDocument = {
    name: 'r',
    stage: 'deliver',
    match: { path, op: 'exists' },
    action: { type: 'drop' },
    priority: 0,
  };

  test('is a document with an id', () => {
    assertType<Rule>({ ...document, id: 'r', enabled: false });
    assertType<RuleDocument>({} as Rule);
    // @ts-expect-error the id is missing
    assertType<Rule>(document);
    // @ts-expect-error no other stage exists
    assertType<RuleDocument>({ ...document, stage: 'ingest' });
    // @ts-expect-error priority is a number
    assertType<RuleDocument>({ ...document, priority: '0' });
  });

  test('is never changed', () => {
    const rule = {} as Rule;
    // @ts-expect-error not allowed: read-only
    rule.priority = 1;
    // @ts-expect-error not allowed: read-only
    if (rule.action.type === 'tag') rule.action.tags = [];
  });

  test('comes from JSON only by being checked', () => {
    const input: unknown = JSON.parse('{}');
    // @ts-expect-error not checked
    compileRules([input]);
    compileRules([parseRule(input)]);
    const result = validateRule(input);
    if (result.ok) expectTypeOf(result.rule).toEqualTypeOf<Rule>();
    else expectTypeOf(result.issues).toExtend<readonly Issue[]>();
  });
});

describe('a decision', () => {
  interface Mine extends Event {
    readonly data: { readonly total: number };
    readonly tenant: string;
  }
  const mine: Mine = { id: 'evt_1', type: 't', data: { total: 1 }, tenant: 'x' };

  test('keeps the type of the event', () => {
    const decision = compileRules([]).evaluate(mine);
    expectTypeOf(decision).toEqualTypeOf<Decision<Mine>>();
    expectTypeOf(decision.event.tenant).toEqualTypeOf<string>();
    expectTypeOf(compileTransform([])(mine)).toEqualTypeOf<Mine>();
    // @ts-expect-error not allowed: no event
    compileRules([]).evaluate({ id: 'evt_1' });
  });

  test('tells default fan-out from none', () => {
    expectTypeOf<Decision['endpointIds']>().toEqualTypeOf<readonly string[] | null>();
    expectTypeOf<Decision['outcome']>().toEqualTypeOf<'deliver' | 'drop'>();
    expectTypeOf<Decision['droppedBy']>().toEqualTypeOf<Rule | null>();
    expectTypeOf<Decision['limits'][number]>().toExtend<{ rule: Rule; path: string; pattern: string }>();
  });
});

/** Events of hosts: none of these types has an index signature. */
interface Order {
  readonly total: number;
  readonly lines: readonly { readonly sku: string }[];
}
interface OrderEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Order;
  readonly tenant: string;
}
interface Placed extends Event {
  readonly data: { readonly total: number };
}
type DeepReadonly<T> = { readonly [K in keyof T]: DeepReadonly<T[K]> };
interface Mutable {
  id: string;
  type: string;
  data: { total: number };
  tags: string[];
  channel: { type: string };
}
/** An event as an entity of an ORM. */
class Row {
  id = 'evt_1';
  type = 'order.placed';
  data = new Body();
  tags: string[] | null = null;
  received_at: string | undefined;
}
/** Its data, a class of its own. */
class Body {
  total = 1;
}

describe('an event of the host', () => {
  const ruleSet = {} as RuleSet;
  const rule = { stage: 'deliver', match: { path, op: 'exists' }, action: { type: 'drop' } } as const;

  test('may have an interface for data, and stays of its type', () => {
    const event = {} as OrderEvent;
    expectTypeOf(ruleSet.evaluate(event)).toEqualTypeOf<Decision<OrderEvent>>();
    expectTypeOf(ruleSet.evaluate(event).event.data.lines[0]?.sku).toEqualTypeOf<string | undefined>();
    expectTypeOf(compileTransform([])(event)).toEqualTypeOf<OrderEvent>();
    assertType<Promise<DryRunReport>>(dryRun(rule, [event], { windowHours: 1 }));
    expectTypeOf(ruleSet.evaluate({} as Placed).event).toEqualTypeOf<Placed>();
  });

  test('may be of a class, an alias, deeply read-only, or what a validator or a database gives', () => {
    expectTypeOf(ruleSet.evaluate(new Row()).event).toEqualTypeOf<Row>();
    expectTypeOf(ruleSet.evaluate({} as Mutable).event.tags).toEqualTypeOf<string[]>();
    expectTypeOf(ruleSet.evaluate({} as DeepReadonly<Mutable>).event).toEqualTypeOf<DeepReadonly<Mutable>>();
    const literal = { id: 'evt_1', type: 't', data: { list: [1, 2] } } as const;
    expectTypeOf(ruleSet.evaluate(literal).event.data.list[1]).toEqualTypeOf<2>();
    assertType<Promise<DryRunReport>>(dryRun(rule, {} as AsyncIterable<Row>, { windowHours: 1 }));
  });

  test('may be a parameter of type', () => {
    interface Envelope<D extends object> {
      readonly id: string;
      readonly type: string;
      readonly data: D;
    }
    const decide = <D extends object>(event: Envelope<D>): Envelope<D> =>
      compileTransform([])(ruleSet.evaluate(event).event);
    expectTypeOf(decide({} as OrderEvent)).toEqualTypeOf<Envelope<Order>>();
    const placed = <E extends Event>(event: E): Decision<E> => ruleSet.evaluate(event);
    expectTypeOf(placed({} as Placed)).toEqualTypeOf<Decision<Placed>>();
  });

  test('of which nothing is known has data to read from', () => {
    const event = {} as Event;
    expectTypeOf(event.data.total).toEqualTypeOf<unknown>();
    expectTypeOf<Event>().toExtend<EventLike>();
    // @ts-expect-error data is an object
    ruleSet.evaluate({ id: 'evt_1', type: 't', data: 'text' });
    // @ts-expect-error data must be there
    ruleSet.evaluate({ id: 'evt_1', type: 't' });
  });
});

describe('the names that hosts rely on', () => {
  test('functions are callable as declared', () => {
    expectTypeOf(parseRule).toExtend<(input: unknown) => Rule>();
    expectTypeOf(compileMatch).toExtend<(match: Match) => (event: unknown) => boolean>();
    expectTypeOf(compileTransform).toExtend<
      (ops: readonly TransformOp[]) => <E extends Event>(event: E) => E
    >();
    expectTypeOf(explainMatch).toExtend<(match: Match, event: unknown) => MatchTrace>();
    expectTypeOf<MatchTrace>().toExtend<{ readonly matched: boolean; readonly [key: string]: unknown }>();
    expectTypeOf(compileRules).toExtend<(rules: readonly Rule[]) => RuleSet>();
    expectTypeOf<RuleSet['rules']>().toEqualTypeOf<readonly Rule[]>();
    expectTypeOf(exportRules).toExtend<(rules: readonly Rule[]) => readonly RuleDocument[]>();
    expectTypeOf(assertRuleQuota).toExtend<
      (plan: Plan | number, existing: number, adding?: number) => void
    >();
    expectTypeOf(ruleLimits).toExtend<{ readonly [plan in Plan]: number }>();
    expectTypeOf<Plan>().toEqualTypeOf<'hobby' | 'hacker' | 'pro' | 'scale'>();
    expectTypeOf(ruleSchema).toExtend<object>();
    expectTypeOf(ruleTemplates).toExtend<readonly { readonly key: string; readonly rule: RuleDocument }[]>();
  });

  test('import takes anything, and options', () => {
    const result = importRules('[]', { remaining: 3, newId: () => 'id' });
    expectTypeOf(result.rules).toEqualTypeOf<readonly Rule[]>();
    expectTypeOf(result.summary).toEqualTypeOf<ImportSummary>();
    expectTypeOf<ImportSummary['errors'][number]>().toExtend<
      Issue & { readonly index: number | null; readonly name?: string }
    >();
  });

  test('dry-run takes a rule without a name, and events from either kind of iterable', () => {
    const rule = { stage: 'deliver', match: { path, op: 'exists' }, action: { type: 'drop' } } as const;
    const endpoints = [{ id: 'x', status: 'paused' }] as const;
    expectTypeOf(
      dryRun(rule, [] as Event[], { windowHours: 1, now: 0, endpoints }),
    ).resolves.toEqualTypeOf<DryRunReport>();
    assertType<Promise<DryRunReport>>(dryRun(rule, {} as AsyncIterable<Event>, { windowHours: 168 }));
    // @ts-expect-error the window is missing
    void dryRun(rule, [], {});
    expectTypeOf<DryRunReport['byAction']>().toEqualTypeOf<{ readonly [type: string]: number }>();
  });

  test('errors are of one family', () => {
    expectTypeOf<RuleError>().toExtend<HeadgateError>();
    expectTypeOf<RuleError['issues']>().toExtend<readonly Issue[]>();
    expectTypeOf<QuotaError>().toExtend<HeadgateError>();
    expectTypeOf<QuotaError['code']>().toEqualTypeOf<'quota_exceeded'>();
    expectTypeOf<QuotaError['status']>().toEqualTypeOf<402>();
    expectTypeOf<HeadgateError['code']>().toEqualTypeOf<string>();
  });
});
