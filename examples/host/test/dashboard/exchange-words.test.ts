/** The exchange of an attempt in words and shares. */
import { expect, test } from 'vitest';
import {
  type Content,
  isReused,
  notesOf,
  noResponse,
  stepsOf,
  structureOf,
} from '../../dashboard/parts/exchange/exchange.js';

const NONE = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: null };
const REQUEST = { target: '/', headers: [], body: null };
const text = (content: string): Content => ({ encoding: 'utf8', text: content });
const RESPONSE = { status: 200, headers: [], body: text(''), is_complete: true };

test('steps follow each other and fill the whole, whatever was taken', () => {
  const timings = { ...NONE, dns_ms: 1, connect_ms: 2, first_byte_ms: 5, total_ms: 10 };
  const steps = stepsOf({ timings, request: REQUEST, response: RESPONSE });
  expect(steps.map(({ name, text: ms }) => `${name} ${ms}`)).toEqual([
    'DNS 1 ms',
    'Connect 2 ms',
    'First byte 5 ms',
    'Everything else 2 ms',
  ]);
  expect(steps.map(({ from }) => Math.round(from * 10))).toEqual([0, 1, 3, 8]);
  expect(steps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

test('the steps may be longer than the attempt, or none', () => {
  const steps = stepsOf({ timings: { ...NONE, dns_ms: 30, total_ms: 10 }, request: REQUEST, response: null });
  expect(steps).toEqual([{ name: 'DNS', text: '30 ms', from: 0, share: 1 }]);
  expect(stepsOf({ timings: { ...NONE, total_ms: 0 }, request: null, response: null })).toEqual([]);
  const timings = { ...NONE, total_ms: 10_000 };
  expect(stepsOf({ timings, request: REQUEST, response: null })[0]?.name).toBe('Waiting');
  expect(stepsOf({ timings, request: null, response: null })[0]?.name).toBe('Connecting');
});

test('a connection is reused only if something was sent over it', () => {
  expect(isReused({ request: REQUEST, timings: NONE })).toBe(true);
  expect(isReused({ request: null, timings: NONE })).toBe(false);
  expect(isReused({ request: REQUEST, timings: { ...NONE, connect_ms: 0 } })).toBe(false);
});

test('notes say what a body is, and what is missing', () => {
  const zipped = [{ name: 'Content-Encoding', value: 'gzip' }];
  const bytes: Content = { encoding: 'base64', text: '/w==' };
  expect(notesOf(text('x'), [])).toEqual([]);
  expect(notesOf(text(''), [])).toEqual(['The body is empty.']);
  expect(notesOf(text('x'.repeat(16_384)), [], false)).toEqual([
    'The body was longer: only its first 16 KiB are kept.',
  ]);
  expect(notesOf(text('é'), [], false)).toEqual([
    'The body did not end in time: these are the 2 B that arrived.',
  ]);
  expect(notesOf(bytes, zipped)).toEqual([
    'The body is compressed (gzip). It is shown as it came, as base64.',
  ]);
  expect(notesOf(bytes, [])).toEqual(['The body is not text. It is shown as base64.']);
});

test('an answer that did not come has a reason', () => {
  expect(noResponse({ failure: 'timeout' })).toContain('in time');
  expect(noResponse({ failure: 'connection_reset' })).toContain('never arrived');
});

test('objects and arrays have a tree, and other texts do not', () => {
  expect(structureOf(text(' [1]'))).toEqual([1]);
  for (const other of ['7', '"x"', '{"cut": tr', '']) expect(structureOf(text(other))).toBeUndefined();
});
