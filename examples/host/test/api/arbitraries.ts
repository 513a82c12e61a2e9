/** Requests made from the schemas of routes, and against them. */
import fc from 'fast-check';
import type { RouteDefinition } from '../../src/api/route.js';
import { type JsonSchema, jsonSchemaOf } from '../../src/api/json-schema.js';
import { validBody } from './requests.js';

/** A request before its ids are known: `@own:<name>` and `@other:<name>` stand for ids of the two projects. */
export interface FuzzRequest {
  readonly route: RouteDefinition;
  readonly method: string;
  /** With query. */
  readonly path: string;
  readonly caller: (typeof CALLERS)[number];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /** How the body comes: at once, in pieces, or broken off. */
  readonly manner: 'whole' | 'pieces' | 'broken';
}

export const CALLERS = [
  'all',
  'read',
  'manage',
  'session',
  'nobody',
  'revoked',
  'ingest',
  'receive',
] as const;

const DEPTH = 100_000;
/** Texts instead of a member: what no `JSON.stringify` makes. */
const RAW_JSON: Readonly<Record<string, string>> = {
  deepList: '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  deepObject: '{"all":['.repeat(DEPTH / 2) + ']}'.repeat(DEPTH / 2),
  deepMatch: `${'{"all":['.repeat(20_000)}{"path":"data","op":"exists"}${']}'.repeat(20_000)}`,
  huge: '1e999',
  long: '9'.repeat(5_000),
  minusZero: '-0',
  twice: '{"name":"a","name":"b","__proto__":{"x":1},"constructor":1}',
  surrogate: '"\\ud800"',
  pair: '"\\udc00\\ud800"',
  nul: '"\\u0000"',
  proto: '{"__proto__":{"project":"x","scopes":["manage"]}}',
};

/** Texts that have broken something somewhere. */
export const HOSTILE = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u0007\u001b[31m',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  "' or 1=1 --",
  '$1; drop table projects',
  '{rows $1: id text}',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e308',
  '9007199254740993',
  '0'.repeat(600),
  '💥'.repeat(300),
  'İ',
  'whsec_',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'http://[::ffff:127.0.0.1]:9/',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  'WyJ6eiJd',
  'W10',
  'eyJhIjoxfQ',
];

const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const rawMember = fc.constantFrom(...Object.keys(RAW_JSON)).map((name) => `@raw:${name}@`);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 2, arbitrary: rawMember },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 53, -(2 ** 53), [], {}, [[]], 1e308) },
);

/** The members of JSON Schema that routes use. */
interface Node {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const RULE_PARTS: readonly unknown[] = [
  { path: 'data.body.text', op: 'exists' },
  { all: [] },
  {
    any: [
      { path: 'data.body.n', op: 'gt', value: 1 },
      { path: 'type', op: 'matches', value: '^(a+)+$' },
    ],
  },
  { type: 'drop' },
  { type: 'tag', tags: ['a', 'ü'] },
  { type: 'route_only', endpoint_ids: ['@other:endpoint'] },
  { type: 'transform', ops: [{ op: 'redact', path: 'data', regex: '\\d+', replace: '#', deep: true }] },
];

/** Values that a schema takes, as far as it says; `name` is that of the member, whose ids are those of the estate. */
export function valueOf(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  const node: Node = schema;
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.anyOf !== undefined) return fc.oneof(...node.anyOf.map((one) => valueOf(one as JsonSchema, name)));
  const type = typeof node.type === 'object' ? node.type[0] : node.type;
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = node;
      const members = Object.entries(properties).map(([key, of]) => [key, valueOf(of as JsonSchema, key)]);
      return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: required as string[],
        noNullPrototype: true,
      });
    }
    case 'array':
      return fc.array(valueOf((node.items ?? {}) as JsonSchema, name.replace(/_?ids?$/, '')), {
        minLength: node.minItems ?? 0,
        maxLength: Math.min(node.maxItems ?? 3, 3),
      });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      // A request that waits for its answer holds up all that follow.
      if (name === 'delay_ms') return fc.integer({ min: 0, max: 5 });
      return fc.integer({
        min: bound(node.minimum, 0),
        max: Math.max(bound(node.minimum, 0), bound(node.maximum, 1_000)),
      });
    case 'number':
      return fc.double({ min: node.minimum ?? 0, max: node.maximum ?? 1e6, noNaN: true });
    case 'null':
      return fc.constant(null);
    case 'string':
      return textOf(node, name);
    default:
      return fc.oneof(fc.constantFrom(...RULE_PARTS), fc.jsonValue({ maxDepth: 2 }));
  }
}

const bound = (given: number | undefined, otherwise: number): number =>
  given === undefined || Math.abs(given) > 1e9 ? otherwise : given;

function textOf({ pattern, format, minLength, maxLength }: Node, name: string): fc.Arbitrary<string> {
  const kind = name.replace(/_id$/, '');
  if (format === 'uuid') return fc.constantFrom(`@own:${kind}`, `@own:${kind}`, `@other:${kind}`);
  if (format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((at) => at.toISOString());
  }
  if (name === 'url') {
    return fc.constantFrom(
      'http://127.0.0.1:9/fuzz',
      'https://hooks.invalid/a?b=c',
      'http://127.0.0.1:9/%F0?x#y',
    );
  }
  if (name === 'event' || name === 'delivery') return fc.constantFrom(`@own:${name}`, `@other:${name}`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 30, 30) });
}

/** The body of a route: valid, valid but for one member, or anything at all. */
function bodyOf(route: RouteDefinition): fc.Arbitrary<Uint8Array | null> {
  const { body } = route;
  const plain = validBody(route, OWN_IDS);
  const anything = hostileValue.map(bytesOf);
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    fc
      .constantFrom('', '{', '[1,', '\ufeff{}', '{"a":1}x', 'null', '"', 'a=b&a=c', 'x'.repeat(70_000))
      .map(utf8),
    fc.constant(new Uint8Array(1_048_577).fill(0x20)),
    fc.constant(new Uint8Array([0x22, 0xff, 0xfe, 0x22])),
  );
  if (body === undefined) return fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, junk);
  const exact = fc.constant(utf8(plain ?? ''));
  const made = body === 'raw' ? fc.jsonValue() : valueOf(jsonSchemaOf(body, 'in').schema);
  const damaged = fc
    .tuple(fc.oneof(made, fc.constant(JSON.parse(plain ?? '{}') as unknown)), hostileValue, fc.nat())
    .map(([value, member, at]) => bytesOf(withMember(value, member, at)));
  return fc.oneof(
    { weight: 3, arbitrary: exact },
    { weight: 4, arbitrary: made.map(bytesOf) },
    { weight: 4, arbitrary: damaged },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: junk },
  );
}

const OWN_IDS = Object.fromEntries(
  [
    'project',
    'key',
    'channel',
    'secret',
    'endpoint',
    'receiver',
    'token',
    'rule',
    'event',
    'delivery',
    'redelivery',
    'replay',
    'client',
  ].map((name) => [
    name,
    name === 'event' ? 'evt_00000000000000000000000000' : '01920000-0000-7000-8000-000000000000',
  ]),
);

/** One member, of those that are there and one that is not, gets another value. */
function withMember(value: unknown, member: unknown, at: number): unknown {
  if (typeof value !== 'object' || value === null) return member;
  const names = [...Object.keys(value), 'project_id', '__proto__'];
  const name = names[at % names.length] ?? '';
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true });
  return copy;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytesOf = (value: unknown): Uint8Array =>
  utf8(JSON.stringify(value).replaceAll(/"@raw:(\w+)@"/g, (_, name: string) => RAW_JSON[name] ?? ''));

const paramOf = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: name === 'project' ? 30 : 6, arbitrary: fc.constant(`@own:${name}`) },
    { weight: 2, arbitrary: fc.constant(`@other:${name}`) },
    { weight: 1, arbitrary: hostileText.map(encodeText) },
    { weight: 1, arbitrary: fc.constantFrom('%ff', '%', '..', '.', '%2f', 'a%00b', '%ed%a0%80') },
  );

/** Lone surrogates, which encodeURIComponent refuses, are sent as U+FFFD. */
const encodeText = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));

function queryOf({ query }: RouteDefinition): fc.Arbitrary<string> {
  const odd = fc.array(fc.tuple(hostileText, hostileText), { maxLength: 2 });
  const raw = fc.constantFrom(
    '',
    '',
    '',
    '?limit=1&limit=2',
    '?%ff=%ff',
    '?cursor=%00',
    '?__proto__=1',
    '?&&=&',
  );
  if (query === undefined) return raw;
  const { properties = {} } = jsonSchemaOf(query, 'in').schema as { properties?: Record<string, JsonSchema> };
  const members = Object.entries(properties).map(([name, of]) =>
    fc
      .option(fc.oneof({ weight: 5, arbitrary: valueOf(of, name) }, { weight: 1, arbitrary: hostileText }), {
        freq: 2,
        nil: undefined,
      })
      .map((value) => [name, value] as const),
  );
  const pairs = fc.tuple(fc.tuple(...members), odd).map(([given, more]) => {
    const all = [
      ...given.flatMap(([name, value]) =>
        (Array.isArray(value) ? (value as unknown[]) : [value])
          .filter((one) => one !== undefined)
          .map((one) => [name, `${one as string | number}`]),
      ),
      ...(more.length === 2 ? more : []),
    ];
    return `?${all.map(([name = '', value = '']) => `${encodeText(name)}=${/^@\w+:\w+$/.test(value) ? value : encodeText(value)}`).join('&')}`;
  });
  return fc.oneof({ weight: 5, arbitrary: pairs }, { weight: 1, arbitrary: raw });
}

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  'application/json, text/html',
  '*/*',
  'application/cloudevents+json',
];
const headerOf = (route: RouteDefinition): fc.Arbitrary<readonly (readonly [string, string])[]> =>
  fc.array(
    fc.oneof(
      fc.tuple(fc.constant('content-type'), fc.constantFrom(...TYPES)),
      fc.tuple(
        fc.constantFrom('if-match', 'if-none-match'),
        fc.constantFrom('"1"', '*', 'W/"2"', '"', '"1", "2"', '"99999999999999999999"', '"nan"'),
      ),
      fc.tuple(
        fc.constant('idempotency-key'),
        fc.constantFrom('a', 'b', '', 'x'.repeat(256), 'k y', '\u00ff', '__proto__'),
      ),
      fc.tuple(fc.constant('accept'), fc.constantFrom('text/event-stream', '*/*', 'application/xml', ';;;')),
      fc.tuple(fc.constant('x-request-id'), fc.constantFrom('abcdefgh', 'a b', '<script>', 'x'.repeat(100))),
      fc.tuple(
        fc.constantFrom(
          'last-event-id',
          'range',
          'x-forwarded-for',
          'x-forwarded-host',
          'forwarded',
          'cookie',
          'x-token',
          'content-encoding',
          'content-length',
        ),
        fc.constantFrom('1', 'evil.example', '', '-1', 'gzip', '\u00e9'),
      ),
    ),
    { maxLength: route.versioned === true || route.idempotent === true ? 3 : 2 },
  );

/** Requests to a route. */
function requestTo(route: RouteDefinition): fc.Arbitrary<FuzzRequest> {
  const names = Object.keys(route.params.shape);
  const path = fc.tuple(fc.tuple(...names.map(paramOf)), queryOf(route)).map(([params, query]) => {
    const filled = names.reduce(
      (text, name, i) => text.replace(`{${name}}`, () => params[i] ?? ''),
      route.path,
    );
    return filled + query;
  });
  return fc.record({
    route: fc.constant(route),
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant<string>(route.method) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'PROPFIND', 'PATCH', 'DELETE', 'POST'),
      },
    ),
    path: fc.oneof(
      { weight: 40, arbitrary: path },
      { weight: 1, arbitrary: path.map((one) => `/${one}//..`) },
    ),
    caller: fc.oneof(
      { weight: 8, arbitrary: fc.constant('all' as const) },
      { weight: 2, arbitrary: fc.constant('session' as const) },
      { weight: 2, arbitrary: fc.constantFrom(...CALLERS) },
    ),
    headers: headerOf(route),
    body: bodyOf(route),
    manner: fc.oneof(
      { weight: 20, arbitrary: fc.constant('whole' as const) },
      fc.constantFrom('pieces' as const, 'broken' as const),
    ),
  });
}

/** Requests to all routes of a table, each as often as the others. */
export const requests = (definitions: readonly RouteDefinition[]): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(...definitions.map(requestTo));
