/** The receiver of a run: it verifies, or does what receivers do that are not well. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createVerifier } from '../../src/signing/index.js';

const verify = createVerifier({ secrets: 'whsec_of_runtimes' });

const behaviors: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
  '/verify': async (request, response) => {
    try {
      verify(await buffer(request), request.headers);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  },
  '/busy': (_, response) => response.writeHead(503).end(),
  '/moved': (_, response) => response.writeHead(307, { Location: '/verify' }).end(),
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/garbage': (request) => request.socket.end('SSH-2.0-x\r\n'),
  '/hang': () => undefined,
};

/** A running receiver. */
export interface Hooks {
  readonly url: string;
  readonly stop: () => void;
}

/** Starts it on a port of its own. */
export async function startHooks(): Promise<Hooks> {
  const server = createServer((request, response) => void behaviors[request.url ?? '']?.(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}
