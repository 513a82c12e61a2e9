/** Bodies: what is stored of a request is what was sent, without the service's own credentials. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wholeRequest } from '../../src/stored/request.js';
import type { HeaderPairs } from '../../src/http/headers.js';
import {
  type Hidden,
  type InboundRequest,
  MAX_FIELDS,
  readRequest,
  type Received,
} from '../../src/ingest/body.js';
import { credentialFinder } from '../../src/secrets/credentials.js';
import { newKey } from '../../src/secrets/key-format.js';

const BOM = '\ufeff';

const requestOf = (type: string, body: string | Uint8Array, headers: HeaderPairs = []): InboundRequest => ({
  method: 'POST',
  path: '/in/abc',
  query: 'a=1',
  headers: [['Content-Type', type], ...headers],
  body: typeof body === 'string' ? Buffer.from(body) : body,
});

const OPERATOR = 'an operator / of 32 characters+';
const HIDDEN: Hidden = {
  headers: [],
  holdsCredential: credentialFinder(OPERATOR),
  address: ['0123456789abcdef'],
  id: 'channel-id',
};

const read = (type: string, body: string | Uint8Array, headers?: HeaderPairs) =>
  readRequest(requestOf(type, body, headers), HIDDEN);

/** The event that is stored of an accepted request. */
function received(...request: Parameters<typeof read>): Received {
  const result = read(...request);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
const dataOf = (...request: Parameters<typeof read>): unknown => JSON.parse(received(...request).data);
const messageOf = (...request: Parameters<typeof read>): string | null => {
  const result = read(...request);
  return result.ok ? null : `${result.failure.status} ${result.failure.code}: ${result.failure.message}`;
};

const anyText = () => fc.string({ unit: 'binary' });
const anyBytes = () =>
  fc.oneof(
    fc.uint8Array(),
    anyText().map((text) => Uint8Array.from(Buffer.from(text))),
  );
const types = () =>
  fc.constantFrom(
    'application/json',
    'application/a+json',
    'text/plain',
    'application/x-www-form-urlencoded',
  );

describe('JSON', () => {
  const printed = () =>
    fc
      .tuple(
        fc.jsonValue({ noUnicodeString: false }),
        fc.constantFrom(0, 2),
        fc.constantFrom('', '\n', ' \r\n'),
      )
      .map(([value, indent, blanks]) => blanks + JSON.stringify(value, null, indent) + blanks);

  test('is in data as it was sent', () => {
    fc.assert(
      fc.property(printed(), fc.boolean(), (text, hasMark) => {
        const { data } = received('application/json', hasMark ? BOM + text : text);
        expect(data).toBe(`{"body":${text}}`);
        expect(JSON.parse(data)).toEqual({ body: JSON.parse(text) as unknown });
      }),
    );
  });

  test.for([
    '12345678901234567890',
    '1.10',
    '-0',
    '"\\ud800"',
    '"\\u0000"',
    '{"__proto__":{"a":1}}',
    '"a\\/b"',
  ])('%s is not printed again', (text) => {
    expect(received('application/json', text).data).toBe(`{"body":${text}}`);
  });

  test('of a repeated key the last value counts, and nobody can read another one', () => {
    expect(received('application/json', '{"live":false, "live":true}').data).toBe('{"body":{"live":true}}');
    expect(received('application/json', '{"__proto__":1,"\\u005f_proto__":2}').data).toBe(
      '{"body":{"\\u005f_proto__":2}}',
    );
    expect(JSON.parse(received('application/json', '{"a":1,"a":2}').rawPayload)).toMatchObject({
      body: '{"a":1,"a":2}',
    });
  });

  test.for([
    { body: '', message: 'it ends at line 1, column 1; give a value' },
    { body: '{"a":1,\n"b"}', message: 'line 2, column 4: give a colon' },
    { body: '[1e400]', message: 'line 1, column 2: a number is beyond 1.8e308' },
    { body: `${BOM}${BOM}1`, message: 'line 1, column 1: give a value' },
    { body: Uint8Array.of(0x22, 0xc3, 0x28, 0x22), message: 'byte 1: the text is not UTF-8' },
    { body: Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), message: 'byte 1: the text is not UTF-8' },
    {
      body: Buffer.from('ef bf bd 31 c3'.replaceAll(' ', ''), 'hex'),
      message: 'byte 4: the text is not UTF-8',
    },
    {
      body: Buffer.from('{"a":1}', 'utf16le'),
      message: 'line 1, column 2: give a name in double quotes or }',
    },
  ])('$body is refused: $message', ({ body, message }) => {
    expect(messageOf('application/json', body)).toBe(`400 invalid_json: the body is not JSON: ${message}`);
  });

  test('a refusal quotes nothing of the body', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('§', '"§', '{', '§:', '[', ',', '1'), { minLength: 1 }),
        (parts) => {
          expect(messageOf('application/json', parts.join('')) ?? '').not.toContain('§');
        },
      ),
    );
  });

  test('depth does not matter, even if a key repeats', () => {
    const depth = 100_000;
    const nested = (innermost: string) => '{"a":['.repeat(depth) + innermost + ']}'.repeat(depth);
    expect(received('application/json', nested('')).data).toBe(`{"body":${nested('')}}`);
    const twice = '{"b":1,"b":2}';
    expect(received('application/json', nested(twice)).data).toBe(`{"body":${nested('{"b":2}')}}`);
    expect(messageOf('application/json', '['.repeat(depth))).toContain(`column ${depth + 1}`);
  });
});

describe('a form', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const names = () => fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a', ''), anyText());

  test('is an object of its fields, whatever they are called', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names(), anyText())), (pairs) => {
        const { body } = dataOf(FORM, new URLSearchParams(pairs).toString()) as { body: object };
        const expected = new Map<string, string[]>();
        for (const [name, value] of pairs) expected.set(name, [...(expected.get(name) ?? []), value]);
        expect(Object.keys(body).sort()).toEqual([...expected.keys()].sort());
        for (const [name, values] of expected) {
          const found: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
          expect(found).toEqual(values.length === 1 ? values[0] : values);
        }
      }),
    );
  });

  test.for([
    { body: '', fields: {} },
    { body: 'a=1&b=2&a=3', fields: { a: ['1', '3'], b: '2' } },
    { body: 'a+b=c%20d%2B&e', fields: { 'a b': 'c d+', e: '' } },
    { body: 'a=%E9&b=%zz', fields: { a: '\ufffd', b: '%zz' } },
    { body: `${BOM}a=ü%C3%BC`, fields: { a: 'üü' } },
    { body: 'payload=%7B%22a%22%3A1%7D', fields: { payload: '{"a":1}' } },
  ])('$body is $fields', ({ body, fields }) => {
    expect(dataOf(FORM, body)).toEqual({ body: fields });
  });

  test('has a bound on its fields, which is checked before any is read', () => {
    const { body } = dataOf(FORM, 'a=1&'.repeat(MAX_FIELDS - 1)) as { body: { a: string[] } };
    expect(body.a).toHaveLength(MAX_FIELDS - 1);
    const refused = `400 invalid_request: the form has more than ${MAX_FIELDS} fields: send fewer, or send JSON`;
    expect(messageOf(FORM, 'a=1&'.repeat(MAX_FIELDS))).toBe(refused);
    expect(messageOf(FORM, '&'.repeat(1_048_576))).toBe(refused);
  });
});

describe('text', () => {
  test('is a string, without its byte order mark', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        fc.pre(!text.startsWith(BOM));
        expect(dataOf('text/csv', text)).toEqual({ body: text });
        expect(dataOf('text/csv', BOM + text)).toEqual({ body: text });
      }),
    );
  });

  test('in another encoding is readable as far as it is ASCII, and whole in the envelope', () => {
    const bytes = Buffer.from('caf\u00e9', 'latin1');
    expect(dataOf('text/plain', bytes)).toEqual({ body: 'caf\ufffd' });
    expect(JSON.parse(received('text/plain', bytes).rawPayload)).toMatchObject({
      body: bytes.toString('base64'),
      encoding: 'base64',
    });
  });
});

describe('media types', () => {
  test.for([
    'application/json',
    'APPLICATION/JSON ; charset=UTF-8',
    'application/json;charset="utf-8"; boundary=x',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'application/cloudevents+json',
    'text/plain',
    'text/x.y+json',
    'text/html; charset=utf-8',
    'application/x-www-form-urlencoded; charset=UTF-8',
  ])('%s is taken', (type) => {
    expect(messageOf(type, '1')).toBe(null);
  });

  test('of text/json the body is a string, and of +json a value', () => {
    expect(dataOf('text/json', '1')).toEqual({ body: '1' });
    expect(dataOf('text/x+json', '1')).toEqual({ body: 1 });
  });

  test.for([
    ['', 'Content-Type must be'],
    ['json', 'Content-Type must be'],
    ['application/octet-stream', 'Content-Type must be'],
    ['application/jsonl', 'Content-Type must be'],
    ['application/json, text/plain', 'Content-Type must be'],
    ['multipart/form-data; boundary=x', 'Content-Type must be'],
    ['application/xml; a="text/plain"', 'Content-Type must be'],
    ['application/json; charset=utf-16', 'the charset must be UTF-8'],
    ['text/plain; charset=iso-8859-1', 'the charset must be UTF-8'],
    ['text/plain; charset="', 'the charset must be UTF-8'],
    ['text/plain; charset=utf-8; charset=latin1', 'the charset must be UTF-8'],
  ] as const)('%j is refused: %s', ([type, message]) => {
    expect(messageOf(type, '1')).toMatch(new RegExp(`^415 unsupported_media_type: ${message}`));
  });

  test('no type, two types and a compressed body are refused', () => {
    const request = requestOf('text/plain', '1');
    const untyped = readRequest({ ...request, headers: [] }, HIDDEN);
    expect(untyped).toMatchObject({ ok: false, failure: { status: 415 } });
    expect(messageOf('text/plain', '1', [['content-type', 'text/plain']])).toContain('more than once');
    expect(messageOf('text/plain', '1', [['Content-Encoding', 'gzip']])).toContain('Content-Encoding');
    expect(messageOf('text/plain', '1', [['Content-Encoding', 'identity']])).toBe(null);
  });
});

describe('the envelope', () => {
  const names = () => fc.stringMatching(/^[A-Za-z-]{1,10}$/);
  const values = () => fc.string({ unit: 'binary' });

  test('has the whole request', () => {
    const { rawPayload } = received('text/plain', 'hi', [
      ['X-A', '1'],
      ['x-a', '2'],
    ]);
    expect(rawPayload).toBe(
      '{"method":"POST","path":"/in/abc","query":"a=1",' +
        '"headers":[["Content-Type","text/plain"],["X-A","1"],["x-a","2"]],"body":"hi"}',
    );
  });

  test('gives back every byte of every body that is taken', () => {
    fc.assert(
      fc.property(types(), anyBytes(), (type, bytes) => {
        const result = read(type, bytes);
        fc.pre(result.ok);
        const { data, rawPayload } = result.value;
        const { body, encoding } = JSON.parse(wholeRequest(rawPayload, data)) as {
          body: string;
          encoding?: BufferEncoding;
        };
        expect(Uint8Array.from(Buffer.from(body, encoding ?? 'utf8'))).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  test('every body is read or refused, and what is stored is JSON without NUL and lone surrogates', () => {
    fc.assert(
      fc.property(types(), anyBytes(), fc.array(fc.tuple(names(), values())), (type, bytes, headers) => {
        const result = read(type, bytes, headers);
        if (!result.ok) expect(result.failure.status).toBe(400);
        for (const text of result.ok ? [result.value.data, result.value.rawPayload] : []) {
          expect(text).not.toMatch(/\0|\p{Surrogate}/u);
          JSON.parse(text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a view into a larger buffer is read alone', () => {
    const whole = Buffer.from('xx{"a":1}yy');
    expect(dataOf('application/json', whole.subarray(2, 9))).toEqual({ body: { a: 1 } });
  });
});

describe('credentials', () => {
  const keys = () =>
    fc.constantFrom('key' as const, 'ses' as const, 'once' as const).map((kind) => newKey(kind));
  const headersOf = (headers: HeaderPairs, secretHeaders: readonly string[] = []) => {
    const result = readRequest(requestOf('text/plain', '', headers), { ...HIDDEN, headers: secretHeaders });
    if (!result.ok) throw new Error(result.failure.message);
    const { headers: kept } = JSON.parse(result.value.rawPayload) as { headers: HeaderPairs };
    return kept.slice(1);
  };

  test("no header with one of our keys or the operator's is stored, and all others are", () => {
    const noKey = () => fc.tuple(fc.constantFrom('X-A', 'X-Authorization', 'Accept'), fc.string());
    const forms = [
      (key: string) => ['X-Auth', `basic ${Buffer.from(`:${key}`).toString('base64')}`],
      (key: string) => ['X-Original-URI', `/in/abc?key=${encodeURIComponent(key)}&a=1`],
      (key: string) => ['X-Forwarded-Authorization', `Bearer ${key},`],
      (key: string) => ['x-api-key', key],
      (key: string) => ['Cookie', `__Host-session=${key}`],
    ];
    const withKey = () =>
      fc
        .tuple(fc.constantFrom(...forms), fc.oneof(keys(), fc.constant(OPERATOR)))
        .map(([form, key]) => form(key) as [string, string]);
    fc.assert(
      fc.property(fc.array(noKey()), withKey(), fc.nat(), (others, own, at) => {
        const index = at % (others.length + 1);
        expect(headersOf([...others.slice(0, index), own, ...others.slice(index)])).toEqual(others);
      }),
    );
  });

  test('of cookies, only ours are left out', () => {
    const key = newKey('ses');
    expect(headersOf([['Cookie', `a=1; s=${key}; b=2`]])).toEqual([['Cookie', 'a=1; b=2']]);
    expect(headersOf([['cookie', `s=${key}; b=2`]])).toEqual([['cookie', 'b=2']]);
    expect(headersOf([['cookie', 'a=1; b=2']])).toEqual([['cookie', 'a=1; b=2']]);
  });

  test('a query keeps everything but the values that hold a key', () => {
    const key = newKey('key');
    const query = `a=1&token=${key}&${key}&op=${encodeURIComponent(OPERATOR)}&b`;
    const result = readRequest({ ...requestOf('text/plain', ''), query }, HIDDEN);
    expect(result.ok && JSON.parse(result.value.rawPayload)).toMatchObject({
      query: 'a=1&token=withheld&=withheld&op=withheld&b',
    });
  });

  test.for(['Authorization', 'authorization', 'PROXY-AUTHORIZATION'])('%s is never stored', (name) => {
    expect(headersOf([[name, 'Bearer somebody-else']])).toEqual([]);
  });

  test("the channel's address is replaced by its id in the path, the query and every header", () => {
    const [address = ''] = HIDDEN.address;
    const spelled = `%30${address.slice(1)}`;
    const request = {
      ...requestOf('text/plain', 'x', [
        ['X-Original-URI', `/in/${address}?a=${address}`],
        ['Referer', `https://hooks.example.com/in/${spelled}`],
      ]),
      path: `/in/${spelled}`,
      query: `of=${address}`,
    };
    const result = readRequest(request, { ...HIDDEN, address: [spelled, address] });
    expect(result.ok && JSON.parse(result.value.rawPayload)).toMatchObject({
      path: '/in/channel-id',
      query: 'of=channel-id',
      headers: [
        ['Content-Type', 'text/plain'],
        ['X-Original-URI', '/in/channel-id?a=channel-id'],
        ['Referer', 'https://hooks.example.com/in/channel-id'],
      ],
    });
  });

  test("a sender's own signature, and a text that only looks like a key, are stored", () => {
    const headers: HeaderPairs = [
      ['X-Hub-Signature-256', 'sha256=00'],
      ['x-key', newKey('key').slice(0, -1)],
    ];
    expect(headersOf(headers)).toEqual(headers);
  });

  test("the header of a channel's token is left out, in any case and every time", () => {
    const headers: HeaderPairs = [
      ['X-Gitlab-Token', 'a'],
      ['b', 'c'],
      ['x-gitlab-token', 'd'],
    ];
    expect(headersOf(headers, ['x-gitlab-token'])).toEqual([['b', 'c']]);
  });
});
