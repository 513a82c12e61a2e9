/** The whole host for tests: on a database and a port, with a project, its keys, and receivers that record. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { createVerifier } from 'headgate/signing';
import { onTestFinished } from 'vitest';
import type { NodeBindings } from '../src/api/body.js';
import type { Database } from '../src/db/index.js';
import { createHost, type Host } from '../src/host.js';
import { readConfig } from '../src/operating/config.js';
import { createLog } from '../src/operating/log.js';
import type { SealingKey } from '../src/secrets/sealing.js';

/** 32 bytes, for tests alone. */
const SEALING_KEYS: readonly SealingKey[] = [{ id: 'test', key: new Uint8Array(32).fill(7) }];
export const ADMIN_KEY = 'an-admin-key-that-only-tests-have-0123456789';

/** A running host. */
export interface HostWorld {
  readonly host: Host;
  readonly url: string;
  readonly project: string;
  /** May do everything in the project. */
  readonly key: string;
  /** Calls the API with the key of the project, or with the one that is given; null for none. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    options?: { readonly key?: string | null; readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<Answered>;
  /** Makes a channel, and returns it. */
  readonly channel: (settings?: object) => Promise<{ readonly id: string; readonly url: string }>;
  /** Makes an endpoint that leads to a receiver. */
  readonly endpoint: (receiver: Receiver, settings?: object) => Promise<{ readonly id: string }>;
  /** Posts a JSON body to an ingest address. */
  readonly send: (
    url: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answered>;
  readonly stop: () => Promise<void>;
}

/** An answer, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the answer; null where it is none. */
  readonly json: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** A host without a project. */
export type Started = Pick<HostWorld, 'host' | 'url' | 'stop'>;

/**
 * Starts a host on a database, with a project. It stops with the test.
 *
 * @param environment - Variables of its configuration.
 * @param pages - Folder of the built pages.
 * @param port - The port of a host that has stopped, to start it again; any free one unless given.
 * @param sealingKeys - Keys of the database; one for tests unless given.
 */
export async function hostOn(
  db: Database,
  environment: Readonly<Record<string, string>> = {},
  pages?: string,
  port = 0,
  sealingKeys = SEALING_KEYS,
): Promise<HostWorld> {
  const started = await startHost(db, environment, pages, port, sealingKeys);
  onTestFinished(started.stop);
  return worldOf(started);
}

/** As `hostOn`; whoever starts it stops it. */
export async function startHost(
  db: Database,
  environment: Readonly<Record<string, string>> = {},
  pages?: string,
  port = 0,
  sealingKeys = SEALING_KEYS,
): Promise<Started> {
  const settings = readConfig({
    HEADGATE_ADMIN_KEY: ADMIN_KEY,
    HEADGATE_ALLOW: '127.0.0.0/8',
    ...environment,
  });
  const server = createServer();
  const url = await listening(server, port);
  const host = createHost({
    db,
    log: createLog('silent'),
    settings,
    sealingKeys,
    publicUrl: url,
    ...(pages !== undefined && { pages }),
  });
  const listener = getRequestListener((request, env) => host.fetch(request, env as NodeBindings), {
    overrideGlobalObjects: false,
  });
  server.on('request', (request, response) => void listener(request, response));
  server.on('upgrade', (request, socket, head) => {
    if (!host.upgrade(request, socket, head)) socket.destroy();
  });
  host.start();
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopped ??= host.stop().then(() => {
      server.close();
      server.closeAllConnections();
    });
    return stopped;
  };
  return { host, url, stop };
}

/** A new project of a host, which knows nothing of those of other tests. */
export async function worldOf({ host, url, stop }: Started): Promise<HostWorld> {
  const call = async (
    method: string,
    path: string,
    body: unknown,
    { key, headers = {} }: { key?: string | null; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answered> => {
    const authorization = key === null ? {} : { authorization: `Bearer ${key ?? made.key}` };
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    return answered(
      await fetch(url + path, { method, body: text, headers: { ...authorization, ...content, ...headers } }),
    );
  };
  const made = { key: ADMIN_KEY, project: '' };
  const created = await call('POST', '/projects', { name: 'Test', plan: 'scale' });
  made.key = created.json.key as string;
  made.project = created.json.project.id as string;
  const { key, project } = made;
  return {
    ...{ host, url, project, key, stop },
    call: (method, path, body, options) => call(method, path, body, options),
    channel: async (of = {}) =>
      (await call('POST', `/projects/${project}/channels`, { name: 'in', ...of })).json,
    endpoint: async (receiver, of = {}) =>
      (await call('POST', `/projects/${project}/endpoints`, { url: receiver.url, ...of })).json,
    send: async (to, body, headers = {}) =>
      answered(
        await fetch(to, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        }),
      ),
  };
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  const { status, headers } = response;
  return {
    status,
    headers,
    text,
    json: headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : null,
  };
}

async function listening(server: Server, port = 0): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A receiver of deliveries. */
export interface Receiver {
  readonly url: string;
  /** The requests so far. */
  readonly got: readonly Delivered[];
  /** The status that it answers with from now on. */
  answer: number;
}

/** A delivery as it arrived. */
export interface Delivered {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly event: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  /** Throws unless the signature is right. */
  readonly verify: (secrets: string | readonly string[]) => void;
}

/** Starts a receiver on a port of its own. It ends with the test. */
export async function receiver(answer = 204): Promise<Receiver> {
  const got: Delivered[] = [];
  const one = { url: '', got, answer };
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { headers } = request;
      const body = bytes.toString();
      const verify = (secrets: string | readonly string[]): void =>
        void createVerifier({ secrets })(bytes, headers);
      got.push({ headers, body, event: JSON.parse(body) as unknown, verify });
      response.writeHead(one.answer).end();
    });
  });
  one.url = `${await listening(server)}/hooks`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return one;
}
