/** Steps that the cases about ordering keys share. */
import assert from 'node:assert/strict';
import { type Delivery, newDelivery } from '../delivery/delivery.js';
import type { RetryPolicy } from '../delivery/retry.js';
import type { DeliveryStore } from '../delivery/store.js';
import { after, claim, enqueue, NOW } from './contract.js';

/** A new delivery of `event` with a key, to endpoint `a`. */
export const keyed = (event: string, key: string | null = 'k', endpoint = 'a', at = NOW): Delivery =>
  newDelivery({ id: event, type: 'webhook.received' }, endpoint, { at, orderingKey: key });

/** Adds `evt_1`, `evt_2` … to endpoint `a`, all with one key. */
export const enqueueSome = (store: DeliveryStore, count: number): Promise<number> =>
  enqueue(store, ...Array.from({ length: count }, (_, n) => keyed(`evt_${n + 1}`)));

/** The end of an attempt: delivered, failed with retries left, or failed for good without and with `hold`. */
export type End = 'delivered' | 'retry' | 'failed' | 'held';

const policies: Readonly<Record<End, RetryPolicy>> = {
  delivered: { retry_max_attempts: 5, retry_backoff_base_seconds: 60 },
  retry: { retry_max_attempts: 5, retry_backoff_base_seconds: 60 },
  failed: { retry_max_attempts: 1, retry_backoff_base_seconds: 60 },
  held: { retry_max_attempts: 1, retry_backoff_base_seconds: 60, on_exhausted: 'hold' },
};

/** Ends the lease of a delivery with an attempt. */
export async function settleAs(
  store: DeliveryStore,
  delivery: Delivery | undefined,
  end: End,
  at = NOW,
): Promise<Delivery> {
  assert.ok(delivery?.lease, 'the case settles what it has claimed');
  const { lease } = delivery;
  const outcome =
    end === 'delivered'
      ? ({ ok: true, status: 204 } as const)
      : ({ ok: false, failure: 'http_status', status: 500, transient: true, detail: '' } as const);
  const attempt = { started_at: at, ended_at: at, outcome };
  const record = after(delivery, { type: 'attempt', lease, attempt, policy: policies[end] });
  assert.deepEqual(await store.settle([{ lease, delivery: record, attempt: record.last_attempt }]), [true]);
  return record;
}

let tokens = 0;

/** Claims the only due delivery, which must be that of `event`, and ends its lease. */
export async function attemptNext(
  store: DeliveryStore,
  event: string,
  end: End,
  at = NOW,
): Promise<Delivery> {
  const { claims } = await claim(store, `lease ${++tokens}`, { at });
  assert.deepEqual(
    claims.map(({ delivery }) => delivery.event_id),
    [event],
  );
  return await settleAs(store, claims[0]?.delivery, end, at);
}

/** The state of the delivery of `event` to endpoint `a`. */
export const stateOf = async (store: DeliveryStore, event: string): Promise<string | undefined> =>
  (await store.get(`${event}:a`))?.delivery.state;
