import { describe, expect, test } from 'vitest';
import { createDispatch, newDelivery, OptionError, type RetryPolicy } from '../../src/delivery/index.js';
import { createManualClock } from '../../src/testing/index.js';
import { createSigner } from '../../src/signing/index.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { setStage, type StageOptions } from './stage.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const twice: RetryPolicy = { retry_max_attempts: 2, retry_backoff_base_seconds: 7 };

describe('what waiting cannot mend is a failed attempt each time, and a dead letter in the end', () => {
  const refuse = (): never => {
    throw new OptionError('invalid_secret', 'whsec_of_the_customer');
  };
  const signer = createSigner({ secrets: 's' });
  const byItsPolicy = [0, 7_000];
  const byTheDefault = [0, 60_000, 180_000, 420_000, 900_000];

  test.for<{ what: string; code: string; startsMs: number[]; options?: StageOptions; type?: string }>([
    {
      what: 'an event type that no header holds',
      code: 'invalid_header',
      startsMs: byItsPolicy,
      type: 'a\nb',
    },
    {
      what: 'a time that no signature holds',
      code: 'invalid_timestamp',
      startsMs: byItsPolicy,
      options: { clock: createManualClock(1e15 + NOW) },
    },
    { what: 'a secret', code: 'invalid_secret', startsMs: byItsPolicy, options: { signer: refuse } },
    {
      what: 'a policy out of bounds',
      code: 'invalid_policy',
      startsMs: byTheDefault,
      options: { policy: { retry_max_attempts: 0, retry_backoff_base_seconds: 1 } },
    },
    {
      what: 'a look-up that refuses',
      code: 'invalid_secret',
      startsMs: byTheDefault,
      options: {
        endpoints: () => Promise.reject(new OptionError('invalid_secret', 'whsec_of_the_customer')),
      },
    },
  ])('$what', async ({ code, startsMs, options, type = 'x' }) => {
    const stage = setStage({ policy: twice, signer, ...options });
    const startedAt = stage.clock.now();
    stage.scheduler.start();
    await stage.enqueue(newDelivery({ id: 'evt_1', type }, 'a', { at: startedAt }));
    await stage.clock.advance(DAY);
    const { delivery, attempts } = (await stage.store.get('evt_1:a'))!;
    expect(attempts.map(({ started_at }) => started_at - startedAt)).toEqual(startsMs);
    for (const { outcome } of attempts) {
      expect(outcome).toEqual({
        ok: false,
        failure: 'internal_error',
        transient: false,
        detail: expect.stringContaining(code),
      });
    }
    expect(JSON.stringify(delivery)).not.toContain('whsec');
    expect(await stage.store.deadLetters.count({})).toBe(1);
    expect(stage.transport.sent).toEqual([]);
    expect(stage.told.map(([name]) => name)).not.toContain('released');
    expect(stage.told.at(-1)).toEqual(['deadLettered', delivery]);
  });

  test('an event that cannot be sent is dispatched all the same, so that it ends where somebody sees it', () => {
    const event = { id: 'evt_\r\n', type: 'a\nb' };
    const routing = { outcome: 'deliver' as const, event, endpointIds: null };
    const { deliveries } = createDispatch(routing, [{ id: 'a', status: 'active' }], { at: NOW });
    expect(deliveries).toMatchObject([{ event_id: 'evt_\r\n', event_type: 'a\nb', state: 'pending' }]);
  });

  test('one that is given up before it can fail costs no attempt', async () => {
    const stage = setStage({
      signer: () => new Promise((_, reject) => setImmediate(reject, new OptionError('invalid_secret', ''))),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await Promise.resolve();
    await stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(await stage.get('evt_1:endpoint-1')).toMatchObject({ state: 'pending', attempts: 0, due_at: NOW });
  });
});
