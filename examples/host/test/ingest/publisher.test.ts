/** `headgate/publisher` and the host, over HTTP. */
import { createPublisher, PublisherError } from 'headgate/publisher';
import { expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, receiver } from '../world.js';

const [sqlite] = databases();

test('what a publisher sends is delivered, once each, and what the host refuses is told', async () => {
  const host = await hostOn(await sqlite!.open());
  const subscriber = await receiver();
  await host.endpoint(subscriber, { topics: ['invoice.*'] });
  const { url, project, key } = host;
  const publisher = createPublisher({ url, project, key });
  const event = { type: 'invoice.paid', data: { n: 0, name: 'Zoë' }, idempotencyKey: 'row-1' };
  const first = await publisher.publish(event);
  expect(await publisher.publish(event)).toEqual({ id: first.id, duplicate: true });
  const results = await publisher.publishMany([
    { type: 'invoice.paid', data: { n: 1 } },
    { type: 'endpoint.test', data: { n: 2 } },
    event,
    { type: 'user.created', data: { n: 3 } },
    ...Array.from({ length: 120 }, (_, n) => ({ type: 'invoice.sent', data: { n: n + 4 } })),
  ]);
  expect(results.filter(({ ok }) => !ok)).toEqual([
    { ok: false, error: expect.objectContaining({ code: 'invalid_event', status: 400 }) as unknown },
  ]);
  expect(results[2]).toEqual({ ok: true, id: first.id, duplicate: true });
  await expect.poll(() => subscriber.got.length, { timeout: 10_000 }).toBe(122);
  const numbers = subscriber.got.map((one) => (one.event as { data: { n: number } }).data.n);
  expect(numbers.sort((a, b) => a - b)).toEqual([0, 1, ...Array.from({ length: 120 }, (_, n) => n + 4)]);
  const stranger = createPublisher({ url, project, key: 'hg_wrong' });
  await expect(stranger.publish(event)).rejects.toThrow(PublisherError);
  await expect(stranger.publish(event)).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
});
