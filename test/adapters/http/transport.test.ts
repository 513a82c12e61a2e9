/** The HTTP transport on real sockets. */
import type { LookupFunction } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createHttpTransport } from '../../../src/adapters/http/index.js';
import type { HttpTransportOptions } from '../../../src/adapters/http/index.js';
import { OptionError } from '../../../src/errors.js';
import { response } from '../../hostile/receivers.js';
import { bodies } from '../../hostile/table.js';
import { built, loopbackTransport, post, rawReceiver, receiver, turnsOfTheLoop } from './receivers.js';
import { until } from '../../until.js';
import { expectOwnWords } from './vocabulary.js';

describe('the request', () => {
  test('is a POST with the headers as handed in, and only what HTTP needs besides', async () => {
    const { url, port, requests } = await receiver(response(204));
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'svc-dispatcher/1',
      'Svc-Event-Id': 'evt_1',
    };
    const body = new TextEncoder().encode('{"a":"ü"}');
    await loopbackTransport().send(
      { url: `${url}/%7Ex?b=1&b=2#c`, headers, body },
      new AbortController().signal,
    );
    expect(requests).toEqual([
      [
        'POST /in/%7Ex?b=1&b=2 HTTP/1.1',
        `host: 127.0.0.1:${port}`,
        'connection: keep-alive',
        'Content-Type: application/json',
        'User-Agent: svc-dispatcher/1',
        'Svc-Event-Id: evt_1',
        'content-length: 10',
        '',
        Buffer.from(body).toString('latin1'),
      ].join('\r\n'),
    ]);
  });

  test('with an empty body says so', async () => {
    const { url, requests } = await receiver(response(204));
    await loopbackTransport().send(
      { url, headers: {}, body: new Uint8Array() },
      new AbortController().signal,
    );
    expect(requests[0]).toContain('content-length: 0');
  });

  test('ignores the proxies of the environment', async () => {
    const proxy = await receiver(response(500));
    const { url, requests } = await receiver(response(200));
    process.env.http_proxy = process.env.HTTP_PROXY = proxy.url;
    const outcome = await post(loopbackTransport(), url);
    delete process.env.http_proxy;
    delete process.env.HTTP_PROXY;
    expect(outcome).toEqual({ ok: true, status: 200 });
    expect(requests).toHaveLength(1);
    expect(proxy.requests).toEqual([]);
  });
});

describe('the status', () => {
  test.for([200, 201, 202, 204, 206, 299])('%i is a success', async (status) => {
    const { url } = await receiver(response(status));
    expect(await post(loopbackTransport(), url)).toEqual({ ok: true, status });
  });

  test.for([300, 304, 400, 401, 404, 410, 413, 429, 500, 503, 599, 600, 999])(
    '%i is a failure',
    async (status) => {
      const { url } = await receiver(response(status));
      const outcome = await post(loopbackTransport(), url);
      expect(outcome).toMatchObject({ ok: false, failure: 'http_status', status, transient: true });
    },
  );

  test.for([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const target = await receiver(response(200));
    const { url } = await receiver(response(status, '', `Location: ${target.url}\r\n`));
    const outcome = await post(loopbackTransport(), url);
    expect(outcome).toMatchObject({ failure: 'http_status', status });
    expect(outcome).toHaveProperty('detail', `the receiver answered ${status}; redirects are not followed`);
    expect(target.connections()).toBe(0);
  });

  test.for<[string, string]>([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['two times 100', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\nA: b\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'],
    ['103, then 100', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ])('%s comes before the response and is not it', async ([, informational]) => {
    const { url } = await receiver(informational + response(201));
    expect(await post(loopbackTransport(), url)).toEqual({ ok: true, status: 201 });
  });

  test('100 alone, and the response in a packet of its own', async () => {
    const { url } = await receiver((socket) => {
      socket.write(
        'HTTP/1.1 100 Continue\r\n\r\n',
        () => void setImmediate().then(() => socket.write(response(200))),
      );
    });
    expect(await post(loopbackTransport(), url)).toEqual({ ok: true, status: 200 });
  });
});

test('a receiver that speaks first, and not HTTP: protocol_error', async () => {
  const { url } = await rawReceiver((socket) => socket.write('220 mail ESMTP\r\n'));
  expect(await post(loopbackTransport(), url)).toMatchObject({ failure: 'protocol_error' });
});

describe('the body of the response', () => {
  test.for(bodies)('$how: it holds nothing up, and the connection is closed', async ({ build }) => {
    const { url, opened } = await built(build);
    expect(await post(loopbackTransport(), url)).toEqual({ ok: true, status: 200 });
    await until(() => opened.every((one) => one.open() === 0));
    const written = opened.reduce((bytes, one) => bytes + one.written(), 0);
    expect(written).toBeLessThan(16 * 1024 * 1024); // buffers of the system included
  });

  test.for<[string, string]>([
    ['none', response(204)],
    ['a short one', response(200, 'thank you')],
    ['a failure page', response(500, 'x'.repeat(10_000))],
    ['a chunked one', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['one of many, 100 KB in all', response(200, 'x'.repeat(20_000))],
  ])('is %s: the connection carries the next attempt too', async ([, answer]) => {
    const { url, connections, requests } = await receiver(answer);
    const transport = loopbackTransport();
    for (let i = 0; i < 5; i++) {
      await post(transport, url);
      await turnsOfTheLoop();
    }
    expect(requests).toHaveLength(5);
    expect(connections()).toBe(1);
  });
});

describe('many receivers', () => {
  test('a hanging one holds up nobody, not even another path of its own origin', async () => {
    const { url } = await receiver((socket, request) => {
      if (!request.includes('/hang')) socket.write(response(200));
    });
    const transport = loopbackTransport();
    const abandon = new AbortController();
    const hanging = Array.from({ length: 50 }, () => post(transport, `${url}/hang`, abandon.signal));
    expect(await post(transport, url)).toMatchObject({ ok: true });
    abandon.abort();
    await Promise.all(hanging);
  });
});

describe('stopping', () => {
  test('a signal that has fired already sends nothing', async () => {
    const { url, connections } = await receiver(response(200));
    const outcome = await post(loopbackTransport(), url, AbortSignal.abort());
    expect(outcome).toMatchObject({ ok: false, failure: 'internal_error', transient: true });
    expect(connections()).toBe(0);
  });

  test('a signal that fires ends the attempt and its connection', async () => {
    const abandon = new AbortController();
    const gone = signalled();
    const { url } = await receiver((socket) => {
      socket.on('close', () => gone.now());
      abandon.abort();
    });
    expect(await post(loopbackTransport(), url, abandon.signal)).toMatchObject({ failure: 'internal_error' });
    await gone.happened;
  });

  test('an attempt that was given up before it was connected is never sent', async () => {
    const abandon = new AbortController();
    const asked = signalled();
    let answerLookup = (): void => undefined;
    const lookup: LookupFunction = (_hostname, _options, callback) => {
      answerLookup = () => callback(null, '127.0.0.1', 4);
      asked.now();
    };
    const { port, requests, connections } = await receiver(response(200));
    const transport = loopbackTransport({ lookup });
    const first = post(transport, `http://a.test:${port}/first`, abandon.signal);
    await asked.happened;
    abandon.abort();
    expect(await first).toMatchObject({ failure: 'internal_error', transient: true });
    answerLookup();
    expect(await post(transport, `http://127.0.0.1:${port}/second`)).toMatchObject({ ok: true });
    await until(() => connections() === 2);
    expect(requests.map((request) => request.split(' ')[1])).toEqual(['/second']);
  });

  test('closing ends connections that are still being made', async () => {
    const [connected, gone] = [signalled(), signalled()];
    const { port } = await rawReceiver((socket) => {
      socket.resume().on('close', () => gone.now());
      connected.now();
    });
    const transport = loopbackTransport();
    const attempt = post(transport, `https://127.0.0.1:${port}/`);
    await connected.happened;
    await transport.close();
    expect(await attempt).toMatchObject({ failure: 'internal_error' });
    await gone.happened;
  });

  test('closing ends what is under way, and nothing is sent afterwards', async () => {
    const transport = loopbackTransport();
    const { url, requests } = await receiver(() => void transport.close());
    expect(await post(transport, url)).toMatchObject({ failure: 'internal_error', transient: true });
    expect(await post(transport, url)).toMatchObject({ failure: 'internal_error', transient: true });
    expect(requests).toHaveLength(1);
    await transport.close();
  });
});

test.for(['evt\n1', 'evt\r\nX-Evil: 1', 'evt\u0000', 'évènement 🙂'])(
  'a header value that HTTP has no room for (%j) is a lasting failure that does not quote it',
  async (value) => {
    const { url, connections } = await receiver(response(200));
    const request = { url, headers: { 'Svc-Event-Id': value }, body: new Uint8Array() };
    const outcome = await loopbackTransport().send(request, new AbortController().signal);
    expect(outcome).toMatchObject({ ok: false, failure: 'internal_error', transient: false });
    expect(outcome).toHaveProperty('detail', expect.not.stringContaining('ev'));
    expect(connections()).toBe(0);
  },
);

test.for([undefined, null, 5, {}, Symbol('url'), '', `https://${'a'.repeat(1_000_000)}.com/`])(
  'a URL that is none (%#) is a failed attempt, and short',
  async (url) => {
    const outcome = await post(loopbackTransport(), url as string);
    expect(outcome).toMatchObject({ ok: false, failure: 'url_refused', transient: false });
    expectOwnWords(outcome);
  },
);

test('a request that cannot be made at all is a failed attempt', async () => {
  const { url } = await receiver(response(200));
  const transport = loopbackTransport();
  const broken = [{ url, headers: null, body: 'text' }, { url, headers: { a: {} }, body: {} }, {}] as never[];
  for (const request of broken) expectOwnWords(await transport.send(request, new AbortController().signal));
  expectOwnWords(await transport.send({ url, headers: {}, body: new Uint8Array() }, {} as never));
});

test('an answer that comes before the whole request was read is the answer', async () => {
  const { url } = await rawReceiver((socket) =>
    socket.once('data', () => socket.pause().write(response(413))),
  );
  const request = { url, headers: {}, body: Buffer.alloc(8 * 1024 * 1024) };
  const outcome = await loopbackTransport().send(request, new AbortController().signal);
  expect(outcome).toMatchObject({ failure: 'http_status', status: 413 });
});

test.for<[HttpTransportOptions, string]>([
  [{ timeoutMs: 0 }, 'timeoutMs 0'],
  [{ timeoutMs: 1.5 }, 'timeoutMs 1.5'],
  [{ timeoutMs: NaN }, 'timeoutMs NaN'],
  [{ timeoutMs: 10_001 }, 'timeoutMs 10001'],
  [{ allow: ['10/8'] }, 'allow[0] "10/8"'],
  [{ allow: '10.0.0.0/8' } as never, 'allow (string): an array of CIDR blocks'],
  [{ lookup: 'dns' } as never, 'lookup (string): a function'],
  [{ ca: 'not a certificate' }, 'ca (string): a certificate in PEM'],
  [{ ca: [''] }, 'ca (object): a certificate in PEM'],
  [{ timeout: 5_000 } as never, 'unknown option timeout: use allow, deny, timeoutMs, lookup, exchange, ca'],
  [{ timeout: 1, timeoutMs: 0 } as never, 'timeoutMs 0: whole milliseconds from 1 to 10000'],
])('the option %o is refused', ([options, message]) => {
  expect(() => createHttpTransport(options)).toThrow(OptionError);
  expect(() => createHttpTransport(options)).toThrow(message);
});

/** A promise that is kept from outside. */
function signalled(): { readonly happened: Promise<void>; readonly now: () => void } {
  let now = (): void => undefined;
  const happened = new Promise<void>((resolve) => (now = resolve));
  return { happened, now };
}
