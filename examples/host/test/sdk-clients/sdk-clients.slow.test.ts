/** The stream over real sockets, on both databases: every entry, in order, until it is acknowledged. */
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createEventIds } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { type RawClient, streamOn } from './world.js';

const newEventId = createEventIds();

const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const welcomed = (client: RawClient) => expect.poll(() => client.of('welcome')).toHaveLength(1);

describe.each(databases())('$name', ({ open, create }) => {
  test('a new name begins at now, and gets every entry after it in order', async () => {
    const { append, connect } = await streamOn(await open());
    await append(3);
    const client = await connect({ client: 'billing' });
    await expect
      .poll(() => client.of('welcome'))
      .toMatchObject([{ position: 3, resumed: false, window: 64 }]);
    const ids = await append(5, { body: { n: 1 } });
    await expect.poll(() => client.positions).toEqual([4, 5, 6, 7, 8]);
    expect(client.of('event')[0]).toMatchObject({
      origin: 'live',
      event: {
        id: ids[0],
        type: 'webhook.received',
        status: 'processed',
        data: { body: { n: 1 } },
        tags: ['a'],
      },
    });
  });

  test('a name comes back to where it has acknowledged, on whatever process', async () => {
    const connect = create();
    const one = await streamOn(await connect());
    const client = await one.connect({ client: 'billing' });
    await welcomed(client);
    await one.append(5);
    await expect.poll(() => client.positions).toEqual([1, 2, 3, 4, 5]);
    client.send({ type: 'ack', position: 3 });
    client.socket.close();
    await expect.poll(() => one.counts.connected).toBe(0);
    await one.stream.stop();

    const other = await streamOn(await connect(), one.project);
    const again = await other.connect({ client: 'billing' });
    await expect.poll(() => again.positions).toEqual([4, 5]);
    expect(again.of('welcome')).toMatchObject([{ position: 3, resumed: true }]);
  });

  test('no more than the window is sent without an acknowledgement', async () => {
    const { append, connect } = await streamOn(await open());
    const client = await connect({ client: 'billing' });
    await welcomed(client);
    await append(200);
    await expect.poll(() => client.positions.length).toBe(64);
    client.send({ type: 'ack', position: 10 });
    await expect.poll(() => client.positions.length).toBe(74);
    client.send({ type: 'ack', position: 74 });
    await expect.poll(() => client.positions.length).toBe(138);
    expect(client.positions).toEqual(upTo(1, 138));
  });

  test('however often a client is cut off, it gets every entry in order, and repeats only what it had not acknowledged', async () => {
    const db = await open();
    const life = fc.record({ appended: fc.nat(40), handled: fc.nat(100) });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 6 }), async (lives) => {
        const world = await streamOn(db);
        let acknowledged = 0;
        let head = 0;
        for (const { appended, handled } of lives) {
          const client = await world.connect({ client: 'billing' });
          await expect.poll(() => client.of('welcome')).toMatchObject([{ position: acknowledged }]);
          await world.append(appended);
          head += appended;
          const expected = upTo(acknowledged + 1, Math.min(head, acknowledged + 64));
          await expect.poll(() => client.positions).toEqual(expected);
          acknowledged += Math.min(handled, expected.length);
          client.send({ type: 'ack', position: acknowledged });
          client.socket.close();
          await expect
            .poll(() =>
              db.get('select position, connection from clients where project_id = $1', [world.project]),
            )
            .toEqual({ position: acknowledged, connection: null });
        }
        await world.stream.stop();
      }),
      { numRuns: 8 },
    );
  });

  test('positions that are gone are reported as a gap', async () => {
    const db = await open();
    const { append, connect, project } = await streamOn(db);
    await append(3);
    const client = await connect({ client: 'late' });
    await welcomed(client);
    client.socket.close();
    await append(10);
    await db.run('delete from event_log where project_id = $1 and position in (4, 5, 6, 9)', [project]);
    const again = await connect({ client: 'late' });
    await expect.poll(() => again.positions).toEqual([7, 8, 10, 11, 12, 13]);
    expect(again.of('gap')).toEqual([
      { type: 'gap', from: 4, to: 6 },
      { type: 'gap', from: 9, to: 9 },
    ]);
  });

  test('a log that is gone to its end is a gap, too', async () => {
    const db = await open();
    const { append, connect, project, counts } = await streamOn(db);
    const client = await connect({ client: 'late' });
    await welcomed(client);
    client.socket.close();
    await expect.poll(() => counts.connected).toBe(0);
    await append(7);
    await db.run('delete from event_log where project_id = $1', [project]);
    const again = await connect({ client: 'late' });
    await expect.poll(() => again.of('gap')).toEqual([{ type: 'gap', from: 1, to: 7 }]);
    await append(1);
    await expect.poll(() => again.positions).toEqual([8]);
  });

  test('of two connections with one name the newer wins, also across processes', async () => {
    const connect = create();
    const one = await streamOn(await connect());
    const other = await streamOn(await connect(), one.project);
    const first = await one.connect({ client: 'billing' });
    await welcomed(first);
    const second = await other.connect({ client: 'billing' });
    await welcomed(second);
    // Processes on SQLite do not tell each other: the older connection finds out when it acknowledges.
    await one.append(1);
    await expect.poll(() => first.positions.length > 0 || first.closed !== null).toBe(true);
    if (first.closed === null) first.send({ type: 'ack', position: 1 });
    await expect.poll(() => first.closed).toEqual({ code: 4002 });
    expect(second.closed).toBeNull();
  });

  test('from names the first entry of a new name: an event, or a time', async () => {
    const { append, connect } = await streamOn(await open());
    const ids = await append(4);
    const byEvent = await connect({ client: 'a', from: ids[2] });
    await expect.poll(() => byEvent.positions).toEqual([3, 4]);
    const byTime = await connect({ client: 'b', from: '2020-01-01T00:00:00.000Z' });
    await expect.poll(() => byTime.positions).toEqual([1, 2, 3, 4]);
    byTime.send({ type: 'ack', position: 4 });
    const again = await connect({ client: 'a', from: 'no longer kept' });
    await expect.poll(() => again.of('welcome')).toMatchObject([{ resumed: true, position: 2 }]);
    const later = await connect({ client: 'c', from: '2100-01-01T00:00:00.000Z' });
    await expect.poll(() => later.of('welcome')).toMatchObject([{ position: 4 }]);
    for (const [i, from] of ['tomorrow', newEventId(Date.now()), 'evt_'].entries()) {
      const refused = await connect({ client: `d${i}`, from });
      await expect.poll(() => refused.closed).toEqual({ code: 4404 });
    }
  });

  test('a reply is stored once, and answered once it is stored', async () => {
    const db = await open();
    const { append, connect, counts } = await streamOn(db);
    const [event] = await append(1);
    const client = await connect({ client: 'billing' });
    await welcomed(client);
    const reply = { type: 'reply', id: 'r1', event_id: event, payload: { ok: [1, null] } };
    client.send(reply);
    client.send(reply);
    client.send({ ...reply, id: 'r2', event_id: newEventId(Date.now()) });
    client.send({ ...reply, id: 'r3', payload: 'x'.repeat(262_144) });
    await expect.poll(() => client.of('replied').length + client.of('refused').length).toBe(4);
    expect(client.of('replied').map(({ id }) => id)).toEqual(['r1', 'r1']);
    expect(Object.fromEntries(client.of('refused').map(({ id, code }) => [id, code]))).toEqual({
      r2: 'unknown_event',
      r3: 'reply_too_large',
    });
    const stored = await db.all('select client, payload from replies');
    expect(stored.map((row) => ({ ...row }))).toEqual([{ client: 'billing', payload: '{"ok":[1,null]}' }]);
    expect([...counts.replies].sort()).toEqual(['refused', 'refused', 'repeated', 'stored']);
  });

  test('more replies at once than are stored at once are all stored', async () => {
    const db = await open();
    const { append, connect } = await streamOn(db);
    const [event] = await append(1);
    const client = await connect({ client: 'billing' });
    await welcomed(client);
    for (let n = 0; n < 300; n++) client.send({ type: 'reply', id: `r${n}`, event_id: event, payload: n });
    await expect.poll(() => client.of('replied').length).toBe(300);
    expect(await db.all('select id from replies')).toHaveLength(300);
  });

  test.for<[string, object, number]>([
    ['without a key', { key: undefined }, 4001],
    ['with an unknown key', { key: 'nobody' }, 4001],
    ['with a key of another project', { key: 'other' }, 4001],
    ['with a key that may not receive', { key: 'read' }, 4403],
    ['with a name that is not a name', { client: 'a b' }, 4400],
  ])('nobody gets in %s', async ([, hello, code]) => {
    const { append, connect } = await streamOn(await open());
    const client = await connect(hello);
    await append(1);
    await expect.poll(() => client.closed).toEqual({ code });
    expect(client.of('event')).toEqual([]);
  });

  test('a key that is revoked closes its connections', async () => {
    const db = await open();
    const { connect, keys, project } = await streamOn(db);
    const client = await connect({ client: 'a' });
    await welcomed(client);
    keys.delete('receives');
    await expect
      .poll(async () => {
        await db.notify('keys', project);
        return client.closed;
      })
      .toEqual({ code: 4001 });
  });

  test('a wrong key in a header is refused before the upgrade', async () => {
    const { url } = await streamOn(await open());
    const socket = new WebSocket(url, { headers: { authorization: 'Bearer nobody' } });
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(401);
  });

  test('invalid frames close their connection, and no other', async () => {
    const { append, connect } = await streamOn(await open());
    const bystander = await connect({ client: 'bystander' });
    await welcomed(bystander);
    const hostile: [string | Buffer, number][] = [
      ['', 4400],
      ['{', 4400],
      ['[]', 4400],
      ['null', 4400],
      ['{"type":"hello"}', 4400],
      ['{"type":"ack","position":99}', 4400],
      ['{"type":"ack","position":-1}', 4400],
      ['{"type":"ack","position":1e400}', 4400],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 4400],
      [Buffer.from([1, 2, 3]), 4400],
      ['x'.repeat(1_100_000), 1009],
    ];
    for (const [frame, code] of hostile) {
      const client = await connect({ client: 'hostile' });
      await welcomed(client);
      client.socket.send(frame);
      await expect.poll(() => client.closed, { message: String(frame).slice(0, 60) }).toEqual({ code });
    }
    await append(1);
    await expect.poll(() => bystander.positions).toEqual([1]);
  });

  test('frames of unknown types are ignored, and a malformed reply is refused and not punished', async () => {
    const { connect } = await streamOn(await open());
    const client = await connect({ client: 'newer' });
    await welcomed(client);
    const replies: [object, { readonly id: string; readonly event_id: string }][] = [
      [
        { id: '\ud800', event_id: 'e', payload: 1 },
        { id: '', event_id: 'e' },
      ],
      [
        { id: 'r'.repeat(201), event_id: 'e', payload: 1 },
        { id: '', event_id: 'e' },
      ],
      [
        { id: 'r', payload: 1 },
        { id: 'r', event_id: '' },
      ],
      [
        { id: 'r', event_id: 7, payload: 1 },
        { id: 'r', event_id: '' },
      ],
      [
        { id: 'r', event_id: 'e' },
        { id: 'r', event_id: 'e' },
      ],
      [{}, { id: '', event_id: '' }],
    ];
    for (const [reply] of replies) {
      client.send({ type: 'of a newer protocol', payload: 1 });
      client.send({ ...reply, type: 'reply' });
    }
    await expect.poll(() => client.of('refused')).toHaveLength(replies.length);
    expect(client.of('refused')).toMatchObject(replies.map(([, ids]) => ({ ...ids, code: 'invalid_reply' })));
    client.send({ type: 'ping' });
    await expect.poll(() => client.of('pong')).toHaveLength(1);
    expect(client.closed).toBe(null);
  });

  test('a client that sends without end is closed as too fast', async () => {
    const { connect } = await streamOn(await open());
    const client = await connect();
    await welcomed(client);
    // However slow the machine is, more comes in than may be read.
    const sendMore = (): void => {
      for (let i = 0; i < 8_000; i++) client.send({ type: 'ping' });
    };
    await expect
      .poll(() => {
        if (client.closed === null && client.socket.bufferedAmount < 1_000_000) sendMore();
        return client.closed;
      })
      .toEqual({ code: 4429 });
  });

  test('connections without a key keep no client of the project out', async () => {
    const { append, connect, url } = await streamOn(await open());
    const strangers = Array.from({ length: 2_100 }, () => new WebSocket(url));
    let closed = 0;
    for (const stranger of strangers) {
      stranger.on('error', () => undefined);
      stranger.on('close', () => closed++);
    }
    await expect.poll(() => closed).toBeGreaterThanOrEqual(100);
    const client = await connect({ client: 'a' });
    await welcomed(client);
    await append(1);
    await expect.poll(() => client.positions).toEqual([1]);
    for (const stranger of strangers) stranger.terminate();
  });

  test('a stop tells clients to come back', async () => {
    const { connect, stream } = await streamOn(await open());
    const client = await connect({ client: 'a' });
    await welcomed(client);
    await stream.stop();
    await expect.poll(() => client.closed).toEqual({ code: 4503 });
    expect(client.of('bye')).toMatchObject([{ code: 'going_away' }]);
  });
});
