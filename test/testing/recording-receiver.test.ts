/** A recording receiver records, verifies and answers over real connections. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttpTransport } from '../../src/adapters/http/index.js';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createScheduler, defaultRetryPolicy, newDelivery, eventBody } from '../../src/delivery/index.js';
import { createSigner } from '../../src/signing/index.js';
import {
  createManualClock,
  createRecordingReceiver,
  createSignedRequest,
  type RecordingReceiver,
  type RecordingReceiverOptions,
} from '../../src/testing/index.js';

const secrets = 'whsec_recorded';

/** A receiver that the end of the test closes, unless the test has. */
async function start(options: RecordingReceiverOptions = {}): Promise<RecordingReceiver> {
  const receiver = await createRecordingReceiver({ secrets, ...options });
  onTestFinished(() => receiver.close().catch(() => undefined));
  return receiver;
}

const send = async (
  { url }: RecordingReceiver,
  request = createSignedRequest({ secrets }),
  path = '/hooks',
): Promise<number> => (await fetch(url + path, request)).status;

describe('createRecordingReceiver', () => {
  test('records a genuine request as it came', async () => {
    const receiver = await start();
    const request = createSignedRequest({ secrets, event: { id: 'evt_é', type: 'a.b', data: { n: 1 } } });
    expect(await send(receiver, request, '/hooks?of=me')).toBe(204);
    const [received] = await receiver.received(1);
    expect(received).toMatchObject({ method: 'POST', url: '/hooks?of=me', attempt: 1, error: null });
    expect(received?.verified).toMatchObject({ eventId: 'evt_é', eventType: 'a.b', origin: 'live' });
    expect(received?.event).toEqual({ id: 'evt_é', type: 'a.b', data: { n: 1 } });
    expect(Buffer.from(received?.body ?? []).toString()).toBe(request.body);
    expect(received?.headers['svc-event-type']).toBe('a.b');
  });

  test('says why a request is not genuine, and refuses it', async () => {
    const receiver = await start();
    expect(await send(receiver, createSignedRequest({ secrets, fault: 'tampered' }))).toBe(400);
    const [received] = await receiver.received(1);
    expect([received?.verified, received?.error?.code]).toEqual([null, 'signature_mismatch']);
  });

  test('without secrets verifies nothing, and takes anything', async () => {
    const receiver = await createRecordingReceiver();
    onTestFinished(() => receiver.close());
    for (const body of ['no JSON', '[]', 'null']) await fetch(receiver.url, { method: 'PUT', body });
    const received = await receiver.received(3);
    expect(received.map(({ method, event, verified, error }) => [method, event, verified, error])).toEqual(
      Array(3).fill(['PUT', null, null, null]),
    );
  });

  test('counts the attempts of each event at each URL', async () => {
    const receiver = await start({ answer: ({ attempt }) => 200 + attempt });
    const two = createSignedRequest({ secrets, event: { id: 'evt_2', type: 'a', data: {} } });
    expect(await send(receiver)).toBe(201);
    expect(await send(receiver, two)).toBe(201);
    expect(await send(receiver)).toBe(202);
    expect(await send(receiver, two, '/other')).toBe(201);
  });

  test('answers with headers, late, or not at all', async () => {
    let answerNow = (): void => undefined;
    const isTime = new Promise<void>((resolve) => (answerNow = resolve));
    const receiver = await start({
      answer: async ({ url }) => {
        if (url === '/late') await isTime;
        return url === '/reset' ? 'reset' : { status: 429, headers: { 'retry-after': '7' } };
      },
    });
    const late = send(receiver, undefined, '/late');
    const prompt = await fetch(`${receiver.url}/prompt`, createSignedRequest({ secrets }));
    expect([prompt.status, prompt.headers.get('retry-after')]).toEqual([429, '7']);
    await expect(send(receiver, undefined, '/reset')).rejects.toThrow();
    answerNow();
    expect(await late).toBe(429);
  });

  test('closes though a connection hangs', async () => {
    const receiver = await start({ answer: () => 'hang' });
    const hanging = send(receiver).catch((error: unknown) => error);
    await receiver.received(1);
    await receiver.close();
    expect(await hanging).toBeInstanceOf(Error);
  });

  test('does not record a request whose body breaks off', async () => {
    const receiver = await start();
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"id":');
    socket.end();
    socket.resume();
    await once(socket, 'close');
    await send(receiver);
    expect(receiver.requests).toHaveLength(1);
  });

  test('received rejects when the receiver is closed before', async () => {
    const receiver = await start();
    const awaited = expect(receiver.received(2)).rejects.toThrow(/closed after 1 requests/);
    await send(receiver);
    await receiver.close();
    await awaited;
    expect(await receiver.received(1)).toHaveLength(1);
    await receiver.close();
  });

  test('an answer that throws is 500, and fails the test that waits or closes', async () => {
    const receiver = await start({
      answer: () => {
        throw new Error('a mistake of the test');
      },
    });
    const awaited = expect(receiver.received(2)).rejects.toThrow('a mistake of the test');
    expect(await send(receiver)).toBe(500);
    await awaited;
    await expect(receiver.close()).rejects.toThrow('a mistake of the test');
  });

  test.for([undefined, {}, 'none', 99])('an answer of %s is a mistake of the test', async (answer) => {
    const receiver = await start({ answer: () => answer as never });
    expect(await send(receiver)).toBe(500);
    await expect(receiver.close()).rejects.toThrow();
  });

  test('received takes a whole number', async () => {
    const receiver = await start();
    await expect(receiver.received(NaN)).rejects.toThrow(/count is NaN: give an integer/);
    expect(await receiver.received(0)).toEqual([]);
  });

  test('takes the attempts of a scheduler with a manual clock, by its time', async () => {
    const clock = createManualClock();
    const receiver = await start({
      now: () => clock.now() / 1_000,
      answer: ({ attempt }) => (attempt < 3 ? 503 : 204),
    });
    const store = createMemoryStore();
    const transport = createHttpTransport({ allow: ['127.0.0.0/8'] });
    onTestFinished(() => transport.close());
    const scheduler = createScheduler({
      clock,
      store,
      transport,
      endpoints: () => ({ url: receiver.url, ...defaultRetryPolicy }),
      signer: createSigner({ secrets }),
      on: { retrying: ({ due_at }) => void clock.advanceTo(due_at ?? 0) },
    });
    onTestFinished(() => scheduler.stop());
    const event = { id: 'evt_1', type: 'webhook.received', data: {} };
    await store.enqueue([
      { body: eventBody(event), deliveries: [newDelivery(event, 'a', { at: clock.now() })] },
    ]);
    scheduler.start();
    void clock.advance(0);
    const received = await receiver.received(3);
    const first = received[0]?.verified?.timestamp ?? 0;
    expect(received.map(({ verified }) => (verified?.timestamp ?? 0) - first)).toEqual([0, 60, 180]);
    expect(received.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  test.for([
    [{ answer: 204 }, /answer is 204: give a function/],
    [{ port: 1 }, /no option port/],
    [{ secrets: '' }, /secret/],
  ])('%j is refused: %s', async ([options, message]) => {
    await expect(createRecordingReceiver(options as never)).rejects.toThrow(message);
  });
});
