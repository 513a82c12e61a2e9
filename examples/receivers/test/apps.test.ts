/** Every app, fed the requests that come in production. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apps } from './apps.js';
import { start, type Running } from './running.js';
import { chunked, deliver, delivery, head, post, write, type Delivery } from './sending.js';

/** Nitro's own, where the connection is over before the answer is. */
const OF_NITRO = "[uncaughtException] TypeError: Cannot set properties of null (setting '_isIdle')";
const MIB = 1_048_576;
const STALE = Math.floor(Date.now() / 1_000) - 301;
const without = (name: string, { body, headers }: Delivery): Delivery => ({
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)),
});
const length = (body: string): Record<string, string> => ({ 'Content-Length': `${Buffer.byteLength(body)}` });

describe.for(apps)('$name', (app) => {
  let running: Running;
  beforeAll(async () => {
    running = await start(app);
  });
  afterAll(() => running?.stop());

  /** The events that were handled, each `<origin> <id>`, after all that was sent before. */
  let ends = 0;
  async function booked(): Promise<string[]> {
    const last = `evt_end_${++ends}`;
    expect(await deliver(running, delivery(last))).toBe('204');
    await expect.poll(() => running.printed()).toContain(`booked live ${last}: 12 by Zoë`);
    return Array.from(running.printed().matchAll(/booked (\w+ \w+)/g), ([, one]) => one ?? '');
  }
  const timesBooked = async (id: string): Promise<number> =>
    (await booked()).filter((one) => one === `live ${id}`).length;

  test('a genuine delivery is handled, its repeat is not, its replay is', async () => {
    const live = delivery('evt_1');
    expect(await deliver(running, live)).toBe('204');
    expect(await deliver(running, live)).toBe('204');
    expect(await deliver(running, delivery('evt_1', { origin: 'replay' }))).toBe('204');
    expect((await booked()).slice(0, 2)).toEqual(['live evt_1', 'replay evt_1']);
    expect(running.printed()).toContain('booked live evt_1: 12 by Zoë');
  });

  test.for<[string, () => Delivery, string]>([
    [
      'tampered',
      () => ({ ...delivery('evt_2'), body: delivery('evt_2').body.replace('12', '99') }),
      '400 signature_mismatch',
    ],
    [
      'with a line break added',
      () => ({ ...delivery('evt_2'), body: `${delivery('evt_2').body}\n` }),
      '400 signature_mismatch',
    ],
    ['stale', () => delivery('evt_2', { timestamp: STALE }), '400 timestamp_too_old'],
    ['without a signature', () => without('Svc-Signature', delivery('evt_2')), '400 missing_header'],
    ['that is not JSON', () => delivery('evt_2', { end: '}' }), app.parsesFirst ? '400' : '400 invalid_json'],
    ['that the handler fails on', () => delivery('evt_2', { amount: -1 }), '503 handler_failed'],
  ])('one %s is refused, and not handled', async ([, make, answer]) => {
    expect(await post(running, make())).toBe(answer);
    expect(await timesBooked('evt_2')).toBe(0);
  });

  test('one whose body ends with a line break is handled', async () => {
    expect(await post(running, delivery('evt_3', { end: '\n' }))).toBe('204');
  });

  test('one that a proxy has compressed is refused by name', async () => {
    const { body, headers } = delivery('evt_4');
    const compressed = { body: gzipSync(body), headers: { ...headers, 'Content-Encoding': 'gzip' } };
    expect(await post(running, compressed)).toBe('400 body_compressed');
    expect(await timesBooked('evt_4')).toBe(0);
  });

  test('one of nearly the limit is handled', async () => {
    expect(await post(running, delivery('evt_5', { padding: MIB - 1_000 }))).toBe('204');
  });

  test('a huge one is told so', async () => {
    expect(await deliver(running, delivery('evt_6', { padding: 2 * MIB }))).toBe('413');
    expect(await timesBooked('evt_6')).toBe(0);
  });

  test('the sender of a huge one may leave in the middle', async () => {
    const { body, headers } = delivery('evt_6', { padding: 2 * MIB });
    const pieces = [head(app.path, { ...headers, ...length(body) }) + body.slice(0, MIB / 2)];
    await write(running, { pieces, pauseMs: 20, breaks: true });
    expect(await timesBooked('evt_6')).toBe(0);
  });

  test('one in chunks is handled', async () => {
    const { body, headers } = delivery('evt_7');
    const pieces = [head(app.path, { ...headers, 'Transfer-Encoding': 'chunked' }), ...chunked(body, 7)];
    expect(await write(running, { pieces })).toBe('204');
    expect(await timesBooked('evt_7')).toBe(1);
  });

  test('huge chunks without an end are told so, or cut off', async () => {
    const { body, headers } = delivery('evt_8', { padding: 8 * MIB });
    const pieces = [head(app.path, { ...headers, 'Transfer-Encoding': 'chunked' }), ...chunked(body, 65_536)];
    // A parser reads to the end before it refuses.
    const sent = app.parsesFirst ? pieces : pieces.slice(0, -1);
    expect(await write(running, { pieces: sent, pauseMs: 1 })).toMatch(/^413|^closed$/);
    expect(await timesBooked('evt_8')).toBe(0);
  });

  test('a slow one is handled', async () => {
    const { body, headers } = delivery('evt_9');
    const bytes = Buffer.from(body);
    const pieces = [
      head(app.path, { ...headers, ...length(body) }),
      ...Array.from(bytes, (_, n) => bytes.subarray(n, n + 1)),
    ];
    expect(await write(running, { pieces, pauseMs: 2 })).toBe('204');
    expect(await timesBooked('evt_9')).toBe(1);
  });

  test('one that waits for 100 Continue is handled', async () => {
    const { body, headers } = delivery('evt_10');
    const asked = head(app.path, { ...headers, ...length(body), Expect: '100-continue' });
    expect(await write(running, { pieces: [asked, body], pauseMs: 100 })).toBe('204');
  });

  test('one that breaks off in the middle is not handled, and handled when it comes again', async () => {
    const { body, headers } = delivery('evt_11');
    for (const part of [0, 1, Math.floor(body.length / 2)]) {
      const pieces = [head(app.path, { ...headers, ...length(body) }) + body.slice(0, part)];
      await write(running, { pieces, pauseMs: 20, breaks: true });
    }
    const half = [head(app.path, { ...headers, 'Transfer-Encoding': 'chunked' }), chunked(body, 30)[0]!];
    await write(running, { pieces: half, pauseMs: 20, breaks: true });
    expect(await timesBooked('evt_11')).toBe(0);
    expect(await deliver(running, delivery('evt_11'))).toBe('204');
    expect(await timesBooked('evt_11')).toBe(1);
  });

  test('one whose sender leaves while it is handled is handled once', async () => {
    const { body, headers } = delivery('evt_12');
    const pieces = [head(app.path, { ...headers, ...length(body) }) + body];
    await write(running, { pieces, pauseMs: 5, breaks: true });
    await expect.poll(() => deliver(running, delivery('evt_12'))).toBe('204');
    expect(await timesBooked('evt_12')).toBe(1);
  });

  test('a length that is too short, or no length, is not a delivery', async () => {
    const { body, headers } = delivery('evt_13');
    for (const lie of [`${body.length - 5}`, '-1', '0', 'x', `${body.length}, 7`]) {
      const pieces = [head(app.path, { ...headers, 'Content-Length': lie, Connection: 'close' }) + body];
      expect(await write(running, { pieces })).toMatch(/^400|^closed$/);
    }
    expect(await timesBooked('evt_13')).toBe(0);
  });

  test('huge headers are refused', async () => {
    const { body, headers } = delivery('evt_14');
    const huge = { ...headers, ...length(body), 'X-Padding': 'x'.repeat(2 * MIB) };
    expect(await write(running, { pieces: [head(app.path, huge) + body] })).toMatch(/^4\d\d|^closed$/);
    expect(await timesBooked('evt_14')).toBe(0);
  });

  test('a hundred at the same time are handled once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(running, delivery('evt_15'))));
    expect([...new Set(answers)].sort()).toSatisfy((kinds: string[]) =>
      kinds.every((kind) => kind === '204' || kind === '503 in_progress'),
    );
    expect(answers).toContain('204');
    expect(await timesBooked('evt_15')).toBe(1);
  });

  test('a GET is refused', async () => {
    const { status } = await fetch(`http://127.0.0.1:${running.port}${app.path}`);
    expect(status).toSatisfy((one: number) => [400, 404, 405].includes(one));
  });

  test('nothing was left to the runtime: no rejection without a handler, no secret in what is printed', () => {
    expect(running.printed().replaceAll(OF_NITRO, '')).not.toMatch(/unhandled|uncaught/i);
    expect(running.printed()).not.toContain('whsec');
  });
});
