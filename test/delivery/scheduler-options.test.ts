/** Options that `createScheduler` refuses, with a message that says what to give. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createScheduler, OptionError, type SchedulerOptions } from '../../src/delivery/index.js';
import { createSigner } from '../../src/signing/index.js';
import { setStage } from './stage.js';

const { store, transport } = setStage();
const whole = { store, transport, endpoints: () => null, signer: { headers: () => ({}) } };
/** Calls `createScheduler` with options that would not compile. */
const made = (options: object): unknown => createScheduler({ ...whole, ...options });
const refusal = (...words: readonly string[]): unknown =>
  expect.objectContaining({
    constructor: OptionError,
    code: 'invalid_option',
    message: expect.stringMatching(words.map((word) => `(?=.*${word.replace(/[()[\]]/g, '\\$&')})`).join('')),
  });

describe('options out of bounds are refused, by name', () => {
  test.for<object>([
    { concurrency: 0 },
    { concurrency: 1.5 },
    { concurrency: 5n },
    { concurrencyPerEndpoint: 0 },
    { concurrencyPerEndpoint: NaN },
    { leaseMs: 14_999 },
    { leaseMs: 86_400_001 },
    { leaseMs: Infinity },
    { pollMs: 0 },
    { pollMs: -1 },
    { settleGapMs: -1 },
    { settleGapMs: 1_001 },
    { settleGapMs: '5' },
    { pollMs: '5' },
    { jitter: -0.1 },
    { jitter: 1.1 },
    { jitter: NaN },
    { jitter: '0.5' },
    { jitter: 1n },
    { random: 0.5 },
    { retryAfterCapSeconds: 0 },
    { retryAfterCapSeconds: 2_592_001 },
    { pauseAfterDays: 0 },
    { pauseAfterDays: 366 },
    { pauseAfterDays: 1.5 },
  ])('%o', (option) => {
    expect(() => made(option)).toThrow(refusal(Object.keys(option).join()));
  });
});

describe('an invalid part is refused, with what to give', () => {
  const notParts: readonly unknown[] = [
    undefined,
    null,
    7,
    'x',
    true,
    Symbol('x'),
    [],
    {},
    Promise.resolve({}),
  ];
  const parts: readonly [option: string, instead: string, others?: readonly unknown[]][] = [
    ['store', 'createMemoryStore()', ['postgres://user:password@host/db', createMemoryStore]],
    ['transport', 'createHttpTransport()', [() => undefined, { close: () => undefined }]],
    ['endpoints', 'function', [new Map([['a', {}]]), { url: 'https://a' }]],
    ['signer', 'createSigner({ secrets })', ['whsec_secret', { headers: {} }]],
  ];
  test.for(
    parts.flatMap(([option, instead, others = []]) =>
      [...notParts, ...others].map((given) => ({ option, instead, given })),
    ),
  )('$option: $given', ({ option, instead, given }) => {
    expect(() => made({ [option]: given })).toThrow(refusal(`${option} `, 'give', instead));
    expect(() => made({ [option]: given })).not.toThrow(/password|whsec/);
  });

  test.for<object>([
    { clock: {} },
    { clock: Date },
    { clock: { now: () => 1.5, at: () => () => undefined } },
    { clock: { now: () => new Date(), at: () => () => undefined } },
    { on: 'delivered' },
    { on: 7 },
    { on: [undefined] },
    { on: { delivered: true } },
    { on: { delivered: 'log' } },
  ])('%o', (option) => {
    expect(() => made(option)).toThrow(refusal('give|leave'));
  });

  test.for([undefined, null, 'postgres://user:password@host/db', 5, []])('options that are %o', (options) => {
    const create = () => createScheduler(options as unknown as SchedulerOptions);
    expect(create).toThrow(refusal('createScheduler', 'store, transport, endpoints, signer'));
    expect(create).not.toThrow(/password/);
  });

  test.for<object>([
    { signer: createSigner({ secrets: 's' }) },
    { signer: () => createSigner({ secrets: 's' }) },
    { on: undefined },
    { on: [] },
    { on: [{}, { delivered: () => undefined, retrying: undefined }] },
    { clock: undefined, jitter: undefined, pollMs: Infinity },
  ])('while %o is taken', (option) => {
    expect(() => made(option)).not.toThrow();
  });
});

describe('what is not known is refused, with what there is', () => {
  test('options, all at once', () => {
    expect(() => made({ concurency: 5, lease: 7 })).toThrow(
      refusal('concurency, lease', 'concurrencyPerEndpoint', 'pauseAfterDays'),
    );
  });

  test('callbacks, all at once, in any of a list', () => {
    const on = [{ delivered: () => undefined }, { onDelivered: () => undefined, failed: () => undefined }];
    expect(() => made({ on })).toThrow(refusal('onDelivered, failed', 'deadLettered', 'callbackFailed'));
  });

  test('but an instance of a class of the host keeps what else it has', () => {
    class Listener {
      readonly log: unknown[] = [];
      delivered(): void {
        this.log.push(1);
      }
    }
    expect(() => made({ on: new Listener() })).not.toThrow();
  });
});
