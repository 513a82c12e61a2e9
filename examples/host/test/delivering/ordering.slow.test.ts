/** Order: events of a key, or all events of an endpoint, arrive one at a time, from the API to the receivers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, type HostWorld, receiver, type Receiver } from '../world.js';

const SLOW = { timeout: 60_000 };

interface Sent {
  readonly key: string;
  readonly n: number;
}
/** The part of a delivery that is about its order. */
interface Shown {
  readonly order: { readonly key: string; readonly is_waiting: boolean; readonly is_holding: boolean } | null;
  readonly waiting_behind: number;
}
const sentOf = ({ got }: Receiver): readonly Sent[] => got.map((one) => (one.event as { data: Sent }).data);
/** Numbers of a key as they came, each once. */
const numbersOf = (of: Receiver, key: string): readonly number[] => [
  ...new Set(
    sentOf(of)
      .filter((one) => one.key === key)
      .map(({ n }) => n),
  ),
];

const publish = (host: HostWorld, data: Sent, orderingKey?: string) =>
  host.call('POST', `/projects/${host.project}/events`, {
    ...{ type: 'order.changed', data },
    ...(orderingKey !== undefined && { ordering_key: orderingKey }),
  });

/** Publishes one event after the other, each once the one before is in the log, so that the log has this order. */
async function publishAll(host: HostWorld, all: readonly Sent[]): Promise<void> {
  for (const [i, one] of all.entries()) {
    expect((await publish(host, one, one.key)).status).toBe(202);
    const logged = async (): Promise<number> =>
      (await host.call('GET', `/projects/${host.project}/events?status=processed&limit=200`)).json.items
        .length as number;
    await expect.poll(logged, { timeout: 10_000, interval: 10 }).toBe(i + 1);
  }
}

const QUICK = { retry_max_attempts: 3, retry_backoff_base_seconds: 1 };

describe.each(databases())('$name', ({ open }) => {
  test('a key waits for the retry of its first event, and no other key does', SLOW, async () => {
    const host = await hostOn(await open());
    const [ordered, plain] = [await receiver(500), await receiver(500)];
    await host.endpoint(ordered, { ...QUICK, ordering: 'key' });
    await host.endpoint(plain, QUICK);
    const sent = ['a', 'b'].flatMap((key) => [1, 2, 3].map((n) => ({ key, n })));
    await publishAll(host, sent);
    await expect.poll(() => plain.got.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(6);
    // Only the first event of each key was tried, however often.
    expect(new Set(sentOf(ordered).map(({ n }) => n))).toEqual(new Set([1]));
    ordered.answer = 204;
    plain.answer = 204;
    await expect
      .poll(() => new Set(sentOf(ordered).map(({ key, n }) => `${key}${n}`)).size, { timeout: 15_000 })
      .toBe(6);
    for (const key of ['a', 'b']) expect(numbersOf(ordered, key)).toEqual([1, 2, 3]);
  });

  test(
    'an endpoint may order all of its events, and events without a key are not ordered by it',
    SLOW,
    async () => {
      const host = await hostOn(await open());
      const [whole, byKey] = [await receiver(500), await receiver(500)];
      await host.endpoint(whole, { ...QUICK, ordering: 'endpoint' });
      await host.endpoint(byKey, { ...QUICK, ordering: 'key' });
      for (const n of [1, 2, 3]) await publish(host, { key: '', n });
      await expect.poll(() => numbersOf(byKey, '').length, { timeout: 10_000 }).toBe(3);
      await expect.poll(() => numbersOf(whole, ''), { timeout: 10_000 }).toHaveLength(1);
      whole.answer = 204;
      await expect.poll(() => numbersOf(whole, '').length, { timeout: 15_000 }).toBe(3);
    },
  );

  test('hold: a dead letter holds its key until it is discarded, or redelivered', SLOW, async () => {
    const host = await hostOn(await open());
    const base = `/projects/${host.project}`;
    const held = await receiver(500);
    const settings = { retry_max_attempts: 1, ordering: 'key', on_exhausted: 'hold' };
    const endpoint = await host.endpoint(held, settings);
    await publishAll(
      host,
      ['a', 'b', 'c'].flatMap((key) => [1, 2].map((n) => ({ key, n }))),
    );
    const letters = async () =>
      (await host.call('GET', `${base}/dead-letters`)).json.items as { id: string; event_id: string }[];
    await expect.poll(async () => (await letters()).length, { timeout: 10_000 }).toBe(3);
    await sleep(200);
    expect(held.got).toHaveLength(3);
    held.answer = 204;
    const dataOf = async (id: string): Promise<Sent> =>
      (await host.call('GET', `${base}/events/${id}`)).json.data as Sent;
    const byKey = new Map<string, { id: string; event_id: string }>();
    for (const letter of await letters()) byKey.set((await dataOf(letter.event_id)).key, letter);
    await host.call('POST', `${base}/deliveries/${encodeURIComponent(byKey.get('a')!.id)}/retry`);
    await expect.poll(() => numbersOf(held, 'a'), { timeout: 10_000 }).toEqual([1, 2]);
    // The events behind the other letters still wait; deleting the endpoint lets them fail.
    await sleep(200);
    expect([numbersOf(held, 'b'), numbersOf(held, 'c')]).toEqual([[1], [1]]);
    await host.call('DELETE', `${base}/endpoints/${endpoint.id}`);
    const pending = async (): Promise<number> =>
      (await host.call('GET', `${base}/deliveries?state=pending`)).json.items.length as number;
    await expect.poll(pending, { timeout: 15_000 }).toBe(0);
  });

  test(
    'the lists say which letter holds which key, and how many deliveries wait behind it',
    SLOW,
    async () => {
      const host = await hostOn(await open());
      const base = `/projects/${host.project}`;
      const items = async (path: string): Promise<readonly Shown[]> =>
        (await host.call('GET', `${base}/${path}`)).json.items as Shown[];
      const settings = { retry_max_attempts: 1, ordering: 'key' };
      const held = await host.endpoint(await receiver(500), { ...settings, on_exhausted: 'hold' });
      const free = await host.endpoint(await receiver(500), settings);
      const sent = ['a\\b', 'c'].flatMap((key) => [1, 2, 3].map((n) => ({ key, n })));
      await publishAll(host, sent);
      await publish(host, { key: '', n: 1 });
      await expect
        .poll(async () => (await items(`dead-letters?endpoint=${free.id}`)).length, { timeout: 10_000 })
        .toBe(7);
      await expect
        .poll(async () => (await items(`dead-letters?endpoint=${held.id}`)).length, { timeout: 10_000 })
        .toBe(3);
      const holding = async (): Promise<readonly string[]> =>
        (await items('dead-letters?order=holding'))
          .map(({ order, waiting_behind: behind }) => `${behind} behind ${JSON.stringify(order)}`)
          .sort();
      const behind = (key: string): string =>
        `2 behind ${JSON.stringify({ key, is_waiting: false, is_holding: true })}`;
      expect(await holding()).toEqual([behind('a\\b'), behind('c')]);
      expect((await host.call('GET', `${base}/dead-letters/count?order=holding`)).json).toEqual({ count: 2 });
      const ofFree = await items(`dead-letters?endpoint=${free.id}`);
      expect(ofFree.filter(({ order }) => order === null)).toHaveLength(1);
      expect(ofFree.every(({ order, waiting_behind: n }) => n === 0 && order?.is_holding !== true)).toBe(
        true,
      );
      const pending = await items(`deliveries?endpoint=${held.id}&state=pending`);
      expect(pending.map(({ order }) => [order?.key, order?.is_waiting])).toEqual(
        ['c', 'c', 'a\\b', 'a\\b'].map((key) => [key, true]),
      );
      await host.call('DELETE', `${base}/dead-letters?order=holding`);
      expect(await items(`dead-letters?endpoint=${free.id}`)).toHaveLength(7);
      await expect.poll(async () => (await holding()).map((one) => one[0])).toEqual(['1', '1']);
    },
  );

  test('hold: discarding the letters lets the next events go at once', SLOW, async () => {
    const host = await hostOn(await open());
    const held = await receiver(500);
    await host.endpoint(held, { retry_max_attempts: 1, ordering: 'endpoint', on_exhausted: 'hold' });
    await publishAll(
      host,
      [1, 2].map((n) => ({ key: 'a', n })),
    );
    const count = async () =>
      (await host.call('GET', `/projects/${host.project}/dead-letters/count`)).json.count as number;
    await expect.poll(count, { timeout: 10_000 }).toBe(1);
    held.answer = 204;
    await host.call('DELETE', `/projects/${host.project}/dead-letters?all=true`);
    await expect.poll(() => numbersOf(held, 'a'), { timeout: 10_000 }).toEqual([1, 2]);
  });

  test('a channel may read the key of its events from a path', SLOW, async () => {
    const host = await hostOn(await open());
    const ordered = await receiver(500);
    await host.endpoint(ordered, { ...QUICK, ordering: 'key' });
    const channel = await host.channel({ ordering_path: 'data.body.order' });
    for (const order of [7, 7, '8', '8']) await host.send(channel.url, { order });
    const keys = (): readonly unknown[] =>
      ordered.got.map((one) => (one.event as { data: { body: { order: unknown } } }).data.body.order);
    await expect.poll(() => new Set(keys()).size, { timeout: 10_000 }).toBe(2);
    const ids = new Set(ordered.got.map((one) => (one.event as { id: string }).id));
    expect(ids.size).toBe(2);
    ordered.answer = 204;
    await expect
      .poll(() => new Set(ordered.got.map((one) => (one.event as { id: string }).id)).size, {
        timeout: 15_000,
      })
      .toBe(4);
  });
});
