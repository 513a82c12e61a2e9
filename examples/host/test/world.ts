/** The whole host for tests: on a database and a port, with a project, its keys, and receivers that record. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createVerifier } from 'headgate/signing';
import { onTestFinished } from 'vitest';
import type { Database } from '../src/db/index.js';
import type { Host } from '../src/host.js';
import { ADMIN_KEY, type HostOptions, listening, type Started, startHost } from './started.js';

export { ADMIN_KEY, type Started, startHost } from './started.js';

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
  readonly endpoint: (receiver: Pick<Receiver, 'url'>, settings?: object) => Promise<{ readonly id: string }>;
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
  /** The JSON of the answer; null if it is not JSON. */
  readonly json: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/**
 * Starts a host on a database, with a project. It stops with the test.
 *
 * @param environment - Variables of its configuration.
 * @param pages - Folder of the built pages.
 * @param port - The port of a host that has stopped, to start it again; any free one unless given.
 */
export async function hostOn(
  db: Database,
  environment: Readonly<Record<string, string>> = {},
  pages?: string,
  port = 0,
  options: HostOptions = {},
): Promise<HostWorld> {
  const started = await startHost(db, environment, pages, port, options);
  onTestFinished(started.stop);
  return worldOf(started);
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
