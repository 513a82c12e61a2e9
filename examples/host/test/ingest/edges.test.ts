/** The edges of ingest: what refused requests leave behind, what bodies cost, and in which order things happen. */
import { expect, test } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { persistEvents } from '../../src/ingest/persist.js';
import { createMemory } from '../../src/limits/memory.js';
import { databases } from '../db/databases.js';
import { AT } from '../deciding/seed.js';
import { channel, storedEvents, world } from './world.js';

const [sqlite] = databases();

test('requests that are refused make room for the next ones', async () => {
  const { send } = world(await sqlite!.open(), { address: channel() }, { requests: 2 });
  for (let i = 0; i < 5; i++) expect((await send('/in/address', '{')).status).toBe(400);
  expect((await send('/in/address', '1')).status).toBe(202);
});

test('a body of exactly the most bytes is taken, and one with a byte more is not', async () => {
  const { send } = world(await sqlite!.open(), { address: channel() }, { maxBodyBytes: 100 });
  for (const [body, status] of [
    [`"${'x'.repeat(98)}"`, 202],
    [`"${'x'.repeat(99)}"`, 413],
  ] as const) {
    expect((await send('/in/address', body)).status).toBe(status);
    expect((await send('/in/address', new Blob([body]).stream())).status).toBe(status);
  }
});

test('a body counts once, whether or not its length is announced', async () => {
  const made = world(await sqlite!.open(), { address: channel() }, { bytesPerSecond: 100 });
  const body = `"${'x'.repeat(198)}"`;
  for (const sent of [body, new Blob([body]).stream()]) {
    // The bucket holds the bytes of two seconds: exactly this body.
    expect((await made.send('/in/address', sent)).status).toBe(202);
    expect((await made.send('/in/address', '1')).status).toBe(429);
    made.now += 2_000;
  }
});

test('a dense body counts for what it costs to read, and its project waits that long for the next one', async () => {
  const made = world(await sqlite!.open(), { address: channel() }, { bytesPerSecond: 1_000 });
  const statusOf = async (body: string): Promise<number> => (await made.send('/in/address', body)).status;
  const dense = `[${'0,'.repeat(499)}0]`;
  // 502 values and brackets count for eight bytes each, 2,015 more than the bucket of two seconds holds.
  expect(await statusOf(dense)).toBe(202);
  made.now += 2_015;
  expect(await statusOf('1')).toBe(429);
  made.now += 10;
  expect(await statusOf('1')).toBe(202);
  made.now += 2_000;
  // As long, but one value.
  expect(await statusOf(`"${'x'.repeat(dense.length - 2)}"`)).toBe(202);
  expect(await statusOf(`"${'x'.repeat(900)}"`)).toBe(202);
});

test('a project that sends many large bodies at once does not hold back the others', async () => {
  const other = channel({ id: newId(AT), project: newId(AT) });
  const { send } = world(await sqlite!.open(), { large: channel(), small: other });
  let done = 0;
  const large = `"${'x'.repeat(100_000)}"`;
  const all = Array.from({ length: 10 }, async () => {
    expect((await send('/in/large', large)).status).toBe(202);
    done++;
  });
  expect((await send('/in/small', '1')).status).toBe(202);
  expect(done).toBeLessThan(10);
  await Promise.all(all);
});

test('a body whose length is not announced takes room as it comes', async () => {
  const memory = createMemory(1_000);
  const { send } = world(await sqlite!.open(), { address: channel() }, {}, memory);
  const body = `"${'x'.repeat(298)}"`;
  let end = (): void => undefined;
  const slow = send(
    '/in/address',
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(body));
        end = () => controller.close();
      },
    }),
  );
  await expect.poll(() => memory.taken).toBe(body.length);
  const unannounced = (): Promise<number> =>
    send('/in/address', new Blob([body]).stream()).then(({ status }) => status);
  expect(await unannounced()).toBe(503);
  expect(memory.taken).toBe(body.length);
  end();
  expect((await slow).status).toBe(202);
  expect(await unannounced()).toBe(202);
  expect(memory.taken).toBe(0);
});

test('a challenge is answered to nobody but its source', async () => {
  const db = await sqlite!.open();
  const source = { name: 'slack' as const, settings: { secrets: ['s3cret'], header: null } };
  const { send } = world(db, { address: channel({ source }) });
  const { status, body } = await send('/in/address', '{"type":"url_verification","challenge":"echo"}');
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'signature_invalid' });
  expect(JSON.stringify(body)).not.toContain('echo');
  expect(await storedEvents(db)).toEqual([]);
});

test('keys are taken in one order, however they came, so that two processes do not wait for each other', async () => {
  const orderOf = async (keys: readonly string[]): Promise<readonly unknown[]> => {
    let taken: readonly unknown[] = [];
    const tx = {
      insert(_: string, rows: readonly { readonly key: string }[]) {
        taken = rows.map(({ key }) => key);
        return Promise.resolve(rows.length);
      },
      all: () => Promise.resolve([]),
      beforeCommit: () => undefined,
    } as unknown as Transaction;
    const events = keys.map((key, i) => ({
      event: { id: `${i}` } as never,
      key: { scope: 'channel:c', key, digest: '' },
      decideAt: AT,
    }));
    await persistEvents(tx, events, AT);
    return taken;
  };
  const orders = await Promise.all([orderOf(['c', 'a', 'b']), orderOf(['b', 'c', 'a'])]);
  expect(orders[0]).toEqual(['a', 'b', 'c']);
  expect(orders[1]).toEqual(orders[0]);
});
