/** What a scheduler refuses to start with. */
import { describe, expect, test } from 'vitest';
import { createScheduler, type SchedulerOptions } from '../../src/delivery/index.js';
import { setStage } from './stage.js';

describe('options out of bounds are refused, by name', () => {
  test.for<Partial<SchedulerOptions>>([
    { concurrency: 0 },
    { concurrency: 1.5 },
    { concurrencyPerEndpoint: 0 },
    { concurrencyPerEndpoint: NaN },
    { leaseMs: 14_999 },
    { leaseMs: 86_400_001 },
    { leaseMs: Infinity },
    { pollMs: 0 },
    { pollMs: -1 },
    { pollMs: '5' as unknown as number },
    { jitter: -0.1 },
    { jitter: 1.1 },
    { jitter: NaN },
    { retryAfterCapSeconds: 0 },
    { retryAfterCapSeconds: 2_592_001 },
    { pauseAfterDays: 0 },
    { pauseAfterDays: 366 },
    { pauseAfterDays: 1.5 },
  ])('%o', (option) => {
    const { store, transport } = setStage();
    const endpoints = () => null;
    const signer = { headers: () => ({}) };
    expect(() => createScheduler({ store, transport, endpoints, signer, ...option })).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining(Object.keys(option).join()),
      }),
    );
  });

  test.for(['store', 'transport', 'endpoints', 'signer'])('no %s', (part) => {
    const { store, transport } = setStage();
    const whole = { store, transport, endpoints: () => null, signer: { headers: () => ({}) } };
    expect(() => createScheduler({ ...whole, [part]: undefined })).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: `${part} is missing: a scheduler needs one`,
      }),
    );
  });
});
