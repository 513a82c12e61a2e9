/** Frames of clients: cut before they are read, and read no faster than their project may send. */
import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { createRate } from '../../src/limits/rate.js';
import { createMemory, readersOf } from '../../src/limits/memory.js';
import { Connection } from '../../src/sdk-clients/connection.js';
import { ConnectionMemory } from '../../src/sdk-clients/connection-memory.js';
import type { Entry } from '../../src/sdk-clients/entry.js';
import type { Feed } from '../../src/sdk-clients/feed.js';
import { Outgoing } from '../../src/sdk-clients/outgoing.js';
import { readFrame, SILENCE_MS } from '../../src/sdk-clients/protocol.js';

const printed = () =>
  fc
    .tuple(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 2))
    .map(([value, indent]) => ({
      value,
      text: JSON.stringify(value, null, indent),
    }));

describe('readFrame', () => {
  const id = fc.constantFrom('r1', 'ü', '"', '\\', 'payload', '{"payload":');

  test('gives the payload of a reply as the text that is in the frame', () => {
    fc.assert(
      fc.property(id, printed(), printed(), fc.nat(3), (name, payload, other, at) => {
        const members = [`"type": "reply"`, `"id":${JSON.stringify(name)}`, `"event_id":"e"`];
        members.splice(at, 0, `"payload" : ${payload.text}\n`);
        const text = `{${[...members, `"other":${other.text}`].join(' ,')}}`;
        expect(readFrame(text)).toEqual({ type: 'reply', id: name, event_id: 'e', payload: payload.text });
        expect(readFrame(` ${text} `)).toEqual(readFrame(text));
        expect(readFrame(text.slice(0, -1))).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('takes the last payload, and none from inside another member', () => {
    const reply = { type: 'reply', id: 'a', event_id: 'e' };
    const frame = (more: string) => readFrame(`${JSON.stringify(reply).slice(0, -1)},${more}}`);
    expect(frame('"payload":1,"payload":[2]')).toEqual({ ...reply, payload: '[2]' });
    expect(frame('"other":{"payload":1}')).toEqual({ type: 'malformed_reply', id: 'a', event_id: 'e' });
    expect(frame('"other":["payload",{"payload":1}],"payload":"}"')).toEqual({ ...reply, payload: '"}"' });
  });

  test('ignores unknown members, however long or deep they are', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(readFrame(`{"type":"ping","x":${deep}}`)).toEqual({ type: 'ping' });
    expect(readFrame(`{"x":"${'\\"'.repeat(100_000)}","type":"ack","position":7}`)).toEqual({
      type: 'ack',
      position: 7,
    });
    expect(readFrame('{"type":"ack","position":7')).toBeNull();
    expect(readFrame('{"type')).toBeNull();
    expect(readFrame('[]')).toBeNull();
  });
});

describe('a connection', () => {
  afterEach(() => void vi.useRealTimers());

  /** A client that has been let in, over a socket that delivers whatever it is told to, even while it is paused. */
  async function client(bytesPerSecond: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const budget = createRate(bytesPerSecond);
    const sent: { type: string; code?: string }[] = [];
    /** Frames wait while nobody reads them. */
    const waiting: (() => void)[] = [];
    const state = { isPaused: false, isRead: true, closed: 0 };
    const socket = Object.assign(new EventEmitter(), {
      pause: () => void (state.isPaused = true),
      resume: () => void (state.isPaused = false),
      send: (text: string, taken: () => void) => {
        sent.push(JSON.parse(text) as { type: string });
        if (state.isRead) taken();
        else waiting.push(taken);
      },
      close: (code: number) => void (state.closed = code),
      terminate: () => undefined,
    });
    const entries: Entry[] = [];
    const after = (position: number) =>
      Promise.resolve({ gap: null, entries: entries.filter((entry) => entry.position > position) });
    const feed = { after } as unknown as Feed;
    const none = (): void => undefined;
    const memory = createMemory();
    const held = new ConnectionMemory(memory);
    const caller = { id: 'c', project: 'project', headers: new Headers(), held };
    const connection = new Connection(
      { ...caller, socket: socket as unknown as WebSocket },
      {
        now: Date.now,
        welcome: () => Promise.resolve({ name: null, position: 0, resumed: false, feed }),
        waitFor: (_, bytes) => budget.take('project', bytes, Date.now()),
        replied: () => Promise.reject(new Error('no replies here')),
        ...{ acknowledged: none, sent: none, closed: none, failed: none },
      },
    );
    const hear = (frame: object): void =>
      void socket.emit('message', Buffer.from(JSON.stringify(frame)), false);
    hear({ type: 'hello' });
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toMatchObject([{ type: 'welcome' }]);
    const read = (count = Infinity): void => waiting.splice(0, count).forEach((taken) => taken());
    const of = (type: string) => sent.filter((frame) => frame.type === type);
    return { connection, entries, memory, hear, read, state, of };
  }

  test('reads no more bytes than its project may send, and goes on when it may again', async () => {
    const { hear, state, of } = await client(100_000);
    for (let i = 0; i < 30; i++) hear({ type: 'ping', text: 'x'.repeat(10_000) });
    expect(of('pong')).toHaveLength(19);
    expect(state.isPaused).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(of('pong')).toHaveLength(24);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(of('pong')).toHaveLength(30);
    expect(state.isPaused).toBe(false);
  });

  test('counts the smallest frames, too', async () => {
    const { hear, of } = await client(100_000);
    for (let i = 0; i < 2_000; i++) hear({ type: 'ping' });
    expect(of('pong').length).toBeLessThan(800);
  });

  test('closes if a client goes on to send, and reads the rest so that the reason arrives', async () => {
    const { hear, state, of } = await client(100_000);
    for (let i = 0; i < 100; i++) hear({ type: 'ping', text: 'x'.repeat(1_000_000) });
    expect(of('bye')).toMatchObject([{ code: 'too_fast' }]);
    expect(of('pong').length).toBeLessThan(2);
    expect(state.isPaused).toBe(false);
  });

  test('charges frames until they are read', async () => {
    const { hear, memory, of } = await client(100_000);
    for (let i = 0; i < 21; i++) hear({ type: 'ping', text: 'x'.repeat(10_000) });
    expect(of('pong')).toHaveLength(19);
    expect(Math.floor(memory.taken / 10_000)).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([of('pong').length, memory.taken]).toEqual([21, 0]);
  });

  test('reads nothing more from a client that does not read its answers, and goes on when it does', async () => {
    const { hear, read, memory, state, of } = await client(100_000);
    state.isRead = false;
    for (let i = 0; i < 63; i++) hear({ type: 'ping' });
    expect(state.isPaused).toBe(false);
    hear({ type: 'ping' });
    expect([state.isPaused, of('pong').length]).toEqual([true, 64]);
    expect(memory.taken).toBeGreaterThanOrEqual(64 * '{"type":"pong"}'.length);
    read(1);
    expect(state.isPaused).toBe(false);
    read();
    expect(memory.taken).toBe(0);
  });

  test('closes a client that speaks and takes nothing, and none that takes a little', async () => {
    const { connection, hear, read, state, of } = await client(100_000);
    state.isRead = false;
    const pass = async (times: number, taken: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        hear({ type: 'ping' });
        read(taken);
        await vi.advanceTimersByTimeAsync(SILENCE_MS / 3);
        connection.tick();
      }
    };
    // A frame waits all the time.
    hear({ type: 'ping' });
    await pass(9, 1);
    await pass(1, 0);
    expect([of('bye'), state.closed]).toEqual([[], 0]);
    await pass(1, 0);
    expect([of('bye')[0]?.code, state.closed]).toEqual(['timeout', 4408]);
  });

  test('has as long to take the first frame after a pause as any other', async () => {
    const { connection, hear, state, of } = await client(100_000);
    await vi.advanceTimersByTimeAsync(2 * SILENCE_MS);
    state.isRead = false;
    hear({ type: 'ping' });
    connection.tick();
    expect([of('bye'), state.closed]).toEqual([[], 0]);
  });

  test('reads the log on when its project has room again', async () => {
    const { connection, entries, memory, of } = await client(100_000);
    const others = memory.take(readersOf('project'), memory.limit / 4)!;
    const text = JSON.stringify({ type: 'event', position: 1, text: 'x'.repeat(100_000) });
    entries.push({ position: 1, text, receivedAt: null });
    connection.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(of('event')).toHaveLength(0);
    others.close();
    connection.tick();
    await vi.advanceTimersByTimeAsync(0);
    expect(of('event')).toHaveLength(1);
  });
});

describe('the memory of a connection', () => {
  test('has 16 KiB in each direction when its project has no room, and gives all of it back', () => {
    const memory = createMemory(1_000_000);
    memory.take(readersOf('project'), 250_000);
    memory.take('project', 375_000);
    const held = new ConnectionMemory(memory);
    held.letIn('project');
    for (const side of [held.incoming, held.outgoing]) {
      expect([side.take(16_384), side.take(1)]).toEqual([true, false]);
    }
    expect(memory.taken).toBe(625_000 + 2 * 16_384);
    held.close();
    expect(memory.taken).toBe(625_000);
  });

  test('counts an event as an eighth of all memory at most, so that the largest still fits', () => {
    const memory = createMemory(800_000);
    const held = new ConnectionMemory(memory);
    held.letIn('project');
    const none = (): void => undefined;
    const socket = { send: none } as unknown as WebSocket;
    const outgoing = new Outgoing(socket, { now: () => 0, held, moved: none, hasRoomAgain: none });
    expect(outgoing.sendEntry('x'.repeat(600_000))).toBe(true);
    expect(memory.taken).toBe(100_000);
  });
});
