/** The answers of a receiver, through each of its doors. */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createMemorySeenStore,
  createReceiver,
  type HeadgateError,
  type Receiver,
  type ReceiverOptions,
  type RequestInfo,
  type SeenStore,
} from '../../src/receiver/index.js';
import { type Delivery, delivery, SECRET } from './deliveries.js';

const MAX_BYTES = 10_000;

/** Sends a delivery through a door, and gives the status and the code of the answer. */
type Door = (receiver: Receiver, sent: Delivery, method?: string) => Promise<string>;

const shown = (status: number, body: string): string =>
  body === '' ? `${status}` : `${status} ${(JSON.parse(body) as { code: string }).code}`;

const doors: Readonly<Record<string, Door>> = {
  async fetch({ fetch }, { body, headers }, method = 'POST') {
    const answer = await fetch(
      new Request('https://example.com/hooks', { method, headers, ...(method === 'POST' && { body }) }),
    );
    return shown(answer.status, await answer.text());
  },
  async node({ node }, { body, headers }, method = 'POST') {
    const server = createServer((request, response) => void node(request, response));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/hooks`, {
      method,
      headers,
      ...(method === 'POST' && { body }),
    });
    return shown(answer.status, await answer.text());
  },
  async lambda({ lambda }, { body, headers }, method = 'POST') {
    const event = { headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
    const answer = await lambda({ ...event, requestContext: { http: { method } } });
    return shown(answer.statusCode, answer.body);
  },
};

interface Made {
  readonly receiver: Receiver;
  readonly handle: ReturnType<typeof vi.fn>;
  readonly errors: HeadgateError[];
}

function make(options: Partial<ReceiverOptions> = {}): Made {
  const errors: HeadgateError[] = [];
  const handle = vi.fn(options.handle ?? (() => undefined));
  const receiver = createReceiver({
    secrets: SECRET,
    maxBytes: MAX_BYTES,
    onError: (error) => errors.push(error),
    ...options,
    handle,
  });
  return { receiver, handle, errors };
}

const STALE = Math.floor(Date.now() / 1_000) - 301;

describe.each(Object.entries(doors))('by %s', (_, send) => {
  test('a genuine delivery is handled, with its event and what was verified', async () => {
    const { receiver, handle, errors } = make();
    expect(await send(receiver, delivery())).toBe('204');
    expect(errors).toEqual([]);
    expect(handle).toHaveBeenCalledWith(
      { id: 'evt_1', type: 'order.paid', data: { body: { amount: 12, name: 'Zoë' } } },
      expect.objectContaining({ eventId: 'evt_1', origin: 'live' }),
      expect.objectContaining({ url: expect.any(String) as string }),
    );
  });

  test('the handler can read every header of the request, of which nothing is verified', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { receiver, handle } = make();
    const traced = delivery();
    expect(await send(receiver, { ...traced, headers: { ...traced.headers, traceparent } })).toBe('204');
    const [, , request] = (handle.mock.calls[0] ?? []) as [unknown, unknown, RequestInfo?];
    expect([request?.header('traceparent'), request?.header('tracestate')]).toEqual([traceparent, null]);
  });

  test.for<[string, Delivery, string]>([
    [
      'a tampered body',
      { ...delivery(), body: delivery().body.replace('12', '13') },
      '400 signature_mismatch',
    ],
    ['a stale one', delivery({ timestamp: STALE }), '400 timestamp_too_old'],
    ['one without a signature', { body: '{}', headers: {} }, '400 missing_header'],
    ['one that is no JSON', delivery({ body: 'x' }), '400 invalid_json'],
    ['one whose JSON has no end', delivery({ body: '"' }), '400 invalid_json'],
    ['one without an id', delivery({ body: '{"type":"x"}' }), '400 invalid_event'],
    ['null', delivery({ body: 'null' }), '400 invalid_event'],
    ['a huge one', delivery({ body: `"${'x'.repeat(MAX_BYTES)}"` }), '413 body_too_large'],
    [
      'a compressed one',
      { ...delivery(), headers: { ...delivery().headers, 'content-encoding': 'gzip' } },
      '400 body_compressed',
    ],
  ])('%s is refused', async ([, sent, answer]) => {
    const { receiver, handle, errors } = make();
    expect(await send(receiver, sent)).toBe(answer);
    expect(handle).not.toHaveBeenCalled();
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).not.toContain(SECRET);
  });

  test('a GET is told what to do', async () => {
    expect(await send(make().receiver, delivery(), 'GET')).toBe('405 method_not_allowed');
  });

  test('a body of exactly the limit is taken', async () => {
    const envelope = JSON.stringify({ id: 'evt_1', data: '' }).length;
    const body = JSON.stringify({ id: 'evt_1', data: 'x'.repeat(MAX_BYTES - envelope) });
    expect(body.length).toBe(MAX_BYTES);
    expect(await send(make().receiver, delivery({ body }))).toBe('204');
  });

  test('a handler that fails is asked again, and once more when it has succeeded is not', async () => {
    let isBroken = true;
    const { receiver, handle, errors } = make({
      seen: createMemorySeenStore({ maxKeys: 10 }),
      handle: () => {
        if (isBroken) throw new Error('no disk');
      },
    });
    expect(await send(receiver, delivery())).toBe('503 handler_failed');
    expect((errors[0]?.cause as Error).message).toBe('no disk');
    isBroken = false;
    expect(await send(receiver, delivery())).toBe('204');
    expect(await send(receiver, delivery())).toBe('204');
    expect(handle).toHaveBeenCalledTimes(2);
  });

  test('a replay is handled once more, and the id is that of the body', async () => {
    const { receiver, handle } = make({ seen: createMemorySeenStore({ maxKeys: 10 }) });
    await send(receiver, delivery());
    await send(receiver, delivery({ origin: 'replay' }));
    await send(receiver, { ...delivery(), headers: { ...delivery().headers, 'Svc-Event-Id': 'evt_2' } });
    expect(handle).toHaveBeenCalledTimes(2);
  });

  test('the secrets of each request are looked up', async () => {
    const secrets = vi.fn(({ header }: { header: (name: string) => string | null }) =>
      Promise.resolve(header('SVC-Event-Id') === 'evt_1' ? ['whsec_old', SECRET] : 'whsec_other'),
    );
    const { receiver } = make({ secrets });
    expect(await send(receiver, delivery())).toBe('204');
    expect(await send(receiver, delivery({ id: 'evt_2' }))).toBe('400 signature_mismatch');
  });

  test('of a hundred at the same time one is handled, and the others are told to come again', async () => {
    let answered = 0;
    let finish = (): void => undefined;
    const othersAreAnswered = new Promise<void>((resolve) => (finish = resolve));
    const { receiver, handle } = make({
      seen: createMemorySeenStore({ maxKeys: 10 }),
      handle: () => othersAreAnswered,
    });
    const one = async (): Promise<string> => {
      const answer = await send(receiver, delivery());
      if (++answered === 99) finish();
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 100 }, one));
    expect(answers.sort()).toEqual(['204', ...Array.from({ length: 99 }, () => '503 in_progress')]);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('an onError that fails, now or later, changes nothing', async () => {
    const failing = [
      () => {
        throw new Error('no log');
      },
      () => Promise.reject(new Error('no log')),
    ];
    for (const onError of failing) {
      expect(await send(make({ onError }).receiver, { body: '{}', headers: {} })).toBe('400 missing_header');
    }
  });

  test('an empty content coding is ignored', async () => {
    const { body, headers } = delivery();
    expect(await send(make().receiver, { body, headers: { ...headers, 'content-encoding': '' } })).toBe(
      '204',
    );
  });

  test.for([`${SECRET}\n`, ` ${SECRET}`, `"${SECRET}"`, `'${SECRET}'`])(
    'a secret that was copied as %j is told so, and not shown',
    async (secrets) => {
      const { receiver, errors } = make({ secrets });
      expect(await send(receiver, delivery())).toBe('400 signature_mismatch');
      expect(errors[0]?.message).toContain('a secret has a line break, blanks or quotes around it');
      expect(errors[0]?.message).not.toContain(SECRET);
    },
  );

  test('secrets that cannot be found are no refusal: the delivery comes again', async () => {
    const broken = make({ secrets: () => Promise.reject(new Error('no vault')) });
    expect(await send(broken.receiver, delivery())).toBe('503 secrets_failed');
    expect(await send(make({ secrets: () => '' }).receiver, delivery())).toBe('503 secrets_failed');
  });
});

describe('each event once', () => {
  test('what may succeed later says when to come again', async () => {
    const { receiver } = make({ handle: () => Promise.reject(new Error('no disk')) });
    const { body, headers } = delivery();
    const request = new Request('https://example.com/hooks', { method: 'POST', body, headers });
    expect((await receiver.fetch(request)).headers.get('retry-after')).toBe('5');
  });

  test('while an event is handled, a repeat is told to come again', async () => {
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const { receiver, handle } = make({ seen: createMemorySeenStore({ maxKeys: 1 }), handle: () => gate });
    const first = doors.fetch?.(receiver, delivery());
    await vi.waitFor(() => expect(handle).toHaveBeenCalled());
    expect(await doors.fetch?.(receiver, delivery())).toBe('503 in_progress');
    finish();
    expect(await first).toBe('204');
    expect(await doors.fetch?.(receiver, delivery())).toBe('204');
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test.for<[string, SeenStore]>([
    ['begin', { begin: () => Promise.reject(new Error('away')), end: () => undefined }],
    ['end', { begin: () => true, end: () => Promise.reject(new Error('away')) }],
  ])('a store whose %s fails loses nothing: the delivery comes again', async ([, seen]) => {
    expect(await doors.fetch?.(make({ seen }).receiver, delivery())).toBe('503 seen_failed');
  });

  test('the store in memory keeps the keys that were handled last, and forgets those that failed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.nat(8), fc.boolean()), { maxLength: 60 }),
        (maxKeys, steps) => {
          const store = createMemorySeenStore({ maxKeys });
          let kept: number[] = [];
          for (const [key, handled] of steps) {
            expect(store.begin(`${key}`)).toBe(!kept.includes(key));
            if (kept.includes(key)) continue;
            expect(store.begin(`${key}`)).toBe('in_progress');
            void store.end(`${key}`, handled);
            if (handled) kept = [...kept, key].slice(-maxKeys);
          }
        },
      ),
    );
  });
});

describe('node', () => {
  test('a request that ends in the middle of its body is no delivery', async () => {
    const { receiver, handle, errors } = make();
    const server = createServer((request, response) => void receiver.node(request, response));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const sent = delivery();
    const request = httpRequest({
      port: (server.address() as AddressInfo).port,
      method: 'POST',
      headers: { ...sent.headers, 'content-length': sent.body.length + 10 },
    });
    request.on('error', () => undefined);
    const arrived = once(server, 'request');
    request.write(sent.body);
    await arrived;
    request.destroy();
    await expect.poll(() => errors.map(({ code }) => code)).toEqual(['body_incomplete']);
    expect(handle).not.toHaveBeenCalled();
  });

  test('the sender of a body without a length and without an end gets its answer', async () => {
    const { receiver } = make();
    const server = createServer((request, response) => void receiver.node(request, response));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const request = httpRequest({ port: (server.address() as AddressInfo).port, method: 'POST' });
    request.on('error', () => undefined);
    const timer = setInterval(() => request.write('x'.repeat(4_000)), 5);
    const [response] = (await once(request, 'response')) as [{ statusCode: number }];
    clearInterval(timer);
    request.destroy();
    expect(response.statusCode).toBe(413);
  });
});

describe('a function that gets a request of another kind', () => {
  /** As a framework calls a handler that it takes for one of its own. */
  type Handler = (...args: readonly unknown[]) => Promise<unknown>;
  const handlers = (receiver: Receiver): readonly Handler[] =>
    [receiver.fetch, receiver.node, receiver.lambda].map((handler) => handler as unknown as Handler);

  test('receiver.fetch as a listener of node:http answers, and names receiver.node', async () => {
    const { receiver, handle, errors } = make();
    const server = createServer(receiver.fetch as never);
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { body, headers } = delivery();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect(shown(answer.status, await answer.text())).toBe('503 wrong_request');
    expect(errors).toMatchObject([{ message: expect.stringContaining('use receiver.node') }]);
    expect(handle).not.toHaveBeenCalled();
  });

  test('receiver.node with a request of fetch returns a response, and names receiver.fetch', async () => {
    const { receiver, errors } = make();
    const { body, headers } = delivery();
    const request = new Request('https://example.com/hooks', { method: 'POST', headers, body });
    const contexts: readonly unknown[][] = [
      [request, {}],
      // The context of Hono, and its next().
      [{ req: { method: 'POST', raw: request }, res: new Response() }, () => undefined],
    ];
    for (const context of contexts) {
      const response = (await (receiver.node as unknown as Handler)(...context)) as Response;
      expect(shown(response.status, await response.text())).toBe('503 wrong_request');
    }
    expect(errors).toHaveLength(2);
    for (const { message } of errors) expect(message).toContain('use receiver.fetch');
  });

  test('whatever its functions are called with, they answer and never reject', async () => {
    const { receiver, handle, errors } = make();
    const shapes = fc.constantFrom<unknown>(
      undefined,
      null,
      {},
      { req: {} },
      { raw: null },
      { headers: null },
    );
    const anything = fc.oneof(shapes, fc.anything({ withNullPrototype: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 2 }), async (args) => {
        for (const handler of handlers(receiver)) {
          const told = errors.length;
          const answer = Object(await handler(...args)) as { status?: number; statusCode?: number };
          expect(answer.status ?? answer.statusCode).toBeGreaterThanOrEqual(400);
          expect(errors.length).toBe(told + 1);
        }
      }),
    );
    expect(handle).not.toHaveBeenCalled();
  });
});

describe('fetch', () => {
  const genuine = (body: BodyInit, headers: HeadersInit): Request =>
    new Request('https://example.com/hooks', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);

  test.for<[string, (request: Request) => unknown]>([
    ['was read', (request) => request.text()],
    ['is being read', (request) => request.body?.getReader()],
  ])('a body that %s is told so, with the cure', async ([, read]) => {
    const { receiver, errors } = make();
    const { body, headers } = delivery();
    const request = genuine(body, headers);
    await Promise.resolve(read(request)).catch(() => undefined);
    expect((await receiver.fetch(request)).status).toBe(503);
    expect(errors[0]).toMatchObject({
      code: 'body_taken',
      message: expect.stringContaining('request.clone()'),
    });
  });

  test.for<[string, unknown, number, string]>([
    [
      'a limit of the framework',
      Object.assign(new Error('too large'), { status: 413 }),
      413,
      'body_too_large',
    ],
    ['a broken connection', new Error('reset'), 400, 'body_incomplete'],
    ['nothing that can be told', undefined, 400, 'body_incomplete'],
  ])('a stream that ends by %s is answered by it', async ([, fault, status, code]) => {
    const { receiver, handle, errors } = make({ seen: createMemorySeenStore({ maxKeys: 1 }) });
    const { body, headers } = delivery();
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body.slice(0, 10)));
      },
      pull: (controller) => controller.error(fault),
    });
    expect((await receiver.fetch(genuine(broken, headers))).status).toBe(status);
    expect(errors[0]?.code).toBe(code);
    expect((await receiver.fetch(genuine(body, headers))).status).toBe(204);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('what exceeds the limit is read to its end and dropped, and not cancelled', async () => {
    const { receiver } = make();
    const cancel = vi.fn();
    let pulled = 0;
    const long = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(1_000));
        if (++pulled === 50) controller.close();
      },
      cancel,
    });
    expect((await receiver.fetch(genuine(long, delivery().headers))).status).toBe(413);
    await expect.poll(() => pulled).toBe(50);
    expect(cancel).not.toHaveBeenCalled();
  });

  test('a context instead of a request is told so', async () => {
    const { receiver, errors } = make();
    expect((await receiver.fetch({ req: { raw: delivery() } } as unknown as Request)).status).toBe(503);
    expect(errors[0]).toMatchObject({ code: 'wrong_request', message: expect.stringContaining('c.req.raw') });
  });
});

describe('options', () => {
  test.for<[string, unknown, string]>([
    ['an unset variable', undefined, 'got undefined; give text. Is the environment variable set?'],
    ['an unset variable in a template', 'undefined', 'Is the environment variable set?'],
    ['bytes', Buffer.from(SECRET), 'got Uint8Array; give text'],
    ['a number', 5, 'got Number; give text'],
    ['a promise', Promise.resolve(SECRET), 'got Promise; give text'],
    ['a key object', { secret: SECRET }, 'got Object; give text'],
    ['no secret', [], 'got 0; give 1 to 16'],
  ])('secrets that are %s are refused at once, by kind', ([, secrets, message]) => {
    expect(() => make({ secrets: secrets as string })).toThrow(message);
  });

  test.for<[string, object]>([
    ['handle', { handle: undefined }],
    ['seen', { seen: { begin: () => true } }],
    ['schema', { schema: {} }],
    ['maxBytes', { maxBytes: 0 }],
    ['onError', { onError: 'log' }],
    ['tolerance', { tolerance: 5 }],
    ['secrets', { secrets: '' }],
    ['toleranceSeconds', { secrets: () => SECRET, toleranceSeconds: -1 }],
  ])('%s that cannot work is refused at once, by name', ([name, options]) => {
    expect(() => createReceiver({ secrets: SECRET, handle: () => undefined, ...options })).toThrow(name);
  });
});
