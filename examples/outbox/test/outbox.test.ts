/** The row of an order and its event are committed together, or neither is; then a scheduler sends the event. */
import { createScheduler, defaultRetryPolicy } from 'headgate/delivery';
import { createHttpTransport } from 'headgate/http';
import { createPostgresStore } from 'headgate/postgres';
import { createSigner } from 'headgate/signing';
import { createRecordingReceiver, type RecordingReceiver } from 'headgate/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { close, libraries, pool, store } from './libraries.js';

const SECRET = 'whsec_outbox';
let receiver: RecordingReceiver;

beforeAll(async () => {
  receiver = await createRecordingReceiver({ secrets: SECRET });
  await store.migrate();
  await pool.query('create table orders (id integer primary key, paid boolean not null)');
});
afterAll(async () => {
  await receiver.close();
  await close();
});

/** Sends all that is due from the store on the pool, as the worker of a service does. */
async function sendAll(): Promise<void> {
  const transport = createHttpTransport({ allow: ['127.0.0.1'] });
  const scheduler = createScheduler({
    store,
    transport,
    endpoints: () => ({ url: receiver.url, ...defaultRetryPolicy }),
    signer: createSigner({ secrets: SECRET }),
  });
  scheduler.start();
  await scheduler.idle();
  await scheduler.stop();
  await transport.close();
}

/** As another connection sees it. */
async function known(order: number) {
  const { rows } = await pool.query('select paid from orders where id = $1', [order]);
  return { rows: rows as unknown[], state: (await store.get(`evt_${order}:a`))?.delivery.state };
}
const NOTHING = { rows: [], state: undefined };

const examples = Object.entries(libraries).flatMap(([name, { pay }], i) =>
  pay === undefined ? [] : [{ name, pay, order: 10 * (i + 1) }],
);

describe.each(examples)('in a transaction of $name', ({ pay, order }) => {
  test('a row and its event are committed together, and the event is sent', async () => {
    await pay(order, async () => expect(await known(order), 'before the commit').toEqual(NOTHING));
    expect(await known(order)).toEqual({ rows: [{ paid: true }], state: 'pending' });
    await sendAll();
    expect((await known(order)).state).toBe('delivered');
    const request = receiver.requests.at(-1);
    expect(request).toMatchObject({ event: { id: `evt_${order}`, data: { order } }, error: null });
  });

  test('neither is there after a rollback, and nothing is sent', async () => {
    const { length } = receiver.requests;
    const declined = new Error('declined');
    await expect(pay(order + 1, () => Promise.reject(declined))).rejects.toThrow(declined);
    expect(await known(order + 1)).toEqual(NOTHING);
    await sendAll();
    expect(receiver.requests.slice(length)).toEqual([]);
  });
});

test.for(Object.entries(libraries))(
  'with %s, an error of Postgres has the code that it has with pg',
  async ([, { inTransaction }]) => {
    const unmade = createPostgresStore({ pool, schema: 'unmade' });
    await expect(
      inTransaction((client) => unmade.makeDue({ endpointId: 'a' }, { at: 1 }, client)),
    ).rejects.toMatchObject({
      name: 'StoreError',
      code: 'store_outdated',
    });
  },
);
