/** The events of AWS Lambda's fronts, and what becomes of them on the way. */
import { expect, test, vi } from 'vitest';
import { createReceiver, type HeadgateError, type LambdaEvent } from '../../src/receiver/index.js';
import { delivery, SECRET } from './deliveries.js';

const { body, headers } = delivery();
const base64 = Buffer.from(body).toString('base64');
const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
const many = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
const V2 = { requestContext: { http: { method: 'POST' } } } as const;
const V1 = { httpMethod: 'POST' } as const;

function make(): {
  lambda: (event: LambdaEvent) => Promise<string>;
  handle: () => void;
  errors: HeadgateError[];
} {
  const errors: HeadgateError[] = [];
  const handle = vi.fn();
  const { lambda } = createReceiver({ secrets: SECRET, handle, onError: (error) => errors.push(error) });
  const shown = async (event: LambdaEvent): Promise<string> => {
    const { statusCode, body: text } = await lambda(event);
    return text === '' ? `${statusCode}` : `${statusCode} ${(JSON.parse(text) as { code: string }).code}`;
  };
  return { lambda: shown, handle, errors };
}

test.for<[string, LambdaEvent]>([
  [
    'a function URL',
    { ...V2, rawPath: '/', rawQueryString: '', headers: lower, body, isBase64Encoded: false },
  ],
  ['API Gateway, format 2.0, in base64', { ...V2, headers: lower, body: base64, isBase64Encoded: true }],
  [
    'API Gateway, format 1.0',
    { ...V1, path: '/', headers, multiValueHeaders: many, body, isBase64Encoded: false },
  ],
  ['API Gateway, format 1.0, in base64', { ...V1, headers, body: base64, isBase64Encoded: true }],
  ['a load balancer', { ...V1, headers: lower, body, isBase64Encoded: false }],
  ['a load balancer with multi-value headers', { ...V1, multiValueHeaders: many, body }],
  ['one that writes names in capitals', { ...V1, headers: upper, body }],
  ['one without the flag, whose body is text', { ...V2, headers, body }],
])('a delivery by %s is handled', async ([, event]) => {
  const { lambda, handle, errors } = make();
  expect(await lambda(event)).toBe('204');
  expect(errors).toEqual([]);
  expect(handle).toHaveBeenCalledTimes(1);
});

test.for<[string, object, string, string]>([
  [
    'whose flag got lost',
    { ...V2, headers, body: base64 },
    '503 body_parsed',
    'isBase64Encoded is not true: pass',
  ],
  [
    'whose flag is wrong',
    { ...V2, headers, body, isBase64Encoded: true },
    '503 body_parsed',
    'the body is not base64',
  ],
  [
    'whose body was parsed',
    { ...V2, headers, body: JSON.parse(body) },
    '503 body_parsed',
    'the body is not a string',
  ],
  [
    'that is the body alone',
    JSON.parse(body) as object,
    '405 method_not_allowed',
    "the event of Lambda's proxy integration",
  ],
  ['whose headers got lost', { ...V2, body }, '400 missing_header', 'svc-signature: missing'],
  [
    'whose headers are null',
    { ...V1, headers: null, multiValueHeaders: null, body },
    '400 missing_header',
    'missing',
  ],
  ['without a body', { ...V1, headers, body: null }, '400 signature_mismatch', 'the body is empty'],
])('an event %s is told so', async ([, event, answer, message]) => {
  const { lambda, handle, errors } = make();
  expect(await lambda(event as LambdaEvent)).toBe(answer);
  expect(errors[0]?.message).toContain(message);
  expect(handle).not.toHaveBeenCalled();
});

test('the limit counts bytes, and not characters', async () => {
  const { lambda } = createReceiver({
    secrets: SECRET,
    handle: () => undefined,
    maxBytes: 300,
    onError: () => undefined,
  });
  const sent = delivery({ body: JSON.stringify({ id: 'evt_1', data: 'é'.repeat(200) }) });
  expect(sent.body.length).toBeLessThan(300);
  expect((await lambda({ ...V2, ...sent })).statusCode).toBe(413);
});

test.for<[LambdaEvent, string]>([
  [{ ...V2, rawPath: '/hooks', rawQueryString: 'of=a%20b' }, '/hooks?of=a%20b'],
  [{ ...V2, rawPath: '/hooks', rawQueryString: '' }, '/hooks'],
  [{ ...V1, path: '/hooks', queryStringParameters: { of: 'a b' } }, '/hooks?of=a+b'],
  [{ ...V1, path: '/hooks', queryStringParameters: null }, '/hooks'],
  [V1, ''],
])('secrets may be chosen by the path and the query', async ([event, url]) => {
  const secrets = vi.fn(() => SECRET);
  await createReceiver({ secrets, handle: () => undefined }).lambda({ ...event, headers, body });
  expect(secrets).toHaveBeenCalledWith(expect.objectContaining({ url }));
});

test('an answer has the headers in the form that the event has', async () => {
  const { lambda } = createReceiver({ secrets: SECRET, handle: () => undefined, onError: () => undefined });
  const json = { 'content-type': 'application/json' };
  const refusal = {
    statusCode: 400,
    headers: json,
    body: '{"code":"missing_header"}',
    isBase64Encoded: false,
  };
  expect(await lambda({ ...V1, headers: {}, multiValueHeaders: {}, body })).toEqual(refusal);
  expect(await lambda({ ...V1, multiValueHeaders: {}, body })).toEqual({
    ...refusal,
    multiValueHeaders: { 'content-type': ['application/json'] },
  });
});
