/** The publisher, on a `fetch` that answers as it is told. */
import { createPublisher, PublisherError } from 'headgate/publisher';
import { type Checks, equal } from './checks.js';

const EVENT = { type: 'order.paid', data: { name: 'Zoë' } };

/** @param statuses - The statuses of the answers, one after the other. */
function stage(...statuses: readonly number[]) {
  const keys: (string | null)[] = [];
  const bodies: unknown[] = [];
  const publisher = createPublisher({
    ...{ url: 'https://example.com', project: 'p1', key: 'hg_test' },
    async fetch(...asked) {
      const request = new Request(...asked);
      keys.push(request.headers.get('idempotency-key'));
      bodies.push(await request.json());
      return new Response('{"id":"evt_1","duplicate":false}', { status: statuses[keys.length - 1] ?? 202 });
    },
  });
  return { publisher, keys, bodies };
}

/** The checks of the publisher. */
export const publisherChecks: Checks = {
  'an event that could not be taken is sent again with its key': async () => {
    const { publisher, keys, bodies } = stage(503, 202);
    equal(await publisher.publish(EVENT), { id: 'evt_1', duplicate: false }, 'answer');
    equal(keys.length, 2, 'attempts');
    equal(keys[0], keys[1], 'keys');
    equal(bodies, [EVENT, EVENT], 'bodies');
  },

  'an event that is refused is not': async () => {
    const { publisher, keys } = stage(400);
    const error: unknown = await publisher.publish(EVENT).catch((reason: unknown) => reason);
    equal(error instanceof PublisherError && error.code, 'invalid_event', 'code');
    equal(keys.length, 1, 'attempts');
  },
};
