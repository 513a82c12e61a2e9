/** Starts the service on a port, from its settings. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { Telemetry } from './runtime/telemetry.js';
import type { NodeBindings } from './api/body.js';
import { createHost } from './host.js';
import { localUrl, signInUrl } from './runtime/address.js';
import type { FirstProject } from './runtime/first-project.js';
import { createLog, type Logger } from './runtime/log.js';
import type { Settings } from './runtime/variables.js';
import { openStore } from './store.js';

/** A service that runs. */
export interface Running {
  /** The address at which it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The project that an embedded first start has made; else null. */
  readonly first: FirstProject | null;
  /** A link that signs in to it once. Its token is in the fragment, which no browser sends and no log has. */
  readonly signIn: string | null;
  stop(reason: string): Promise<void>;
}

/**
 * The time that a caller has for its headers, and for a whole request; a connection that sends nothing is closed, too.
 */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often connections are checked for these. */
const CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 65_000;
/** Built into the folder of `main.js`. */
const PAGES = fileURLToPath(new URL('./dashboard', import.meta.url));

/** @throws Error with a sentence that names what to change. */
export async function serve(
  settings: Settings,
  log: Logger = createLog(settings.LOG_LEVEL),
  telemetry: Telemetry | null = null,
): Promise<Running> {
  const { db, keys } = await openStore(settings, log);
  // The port is known before the host is made, since addresses are shown with it.
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
  });
  server.maxConnections = settings.HEADGATE_SOCKETS;
  const local = await listening(server, settings).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const url = settings.PUBLIC_URL ?? local;
  const host = createHost({
    ...{ db, log, settings, sealingKeys: keys, telemetry },
    ...{ publicUrl: url, pages: PAGES },
  });
  // It replaces Request and Response by its own, which cost a fraction of Node's. The process is ours.
  const listener = getRequestListener((request, env) => host.fetch(request, env as NodeBindings));
  server.on('request', (request, response) => void listener(request, response));
  server.on('upgrade', (request, socket, head) => {
    if (!host.upgrade(request, socket, head)) socket.destroy();
  });
  try {
    await host.assertClock();
  } catch (error) {
    server.close();
    await host.stop();
    await db.close();
    throw error;
  }
  host.start();
  const first = db.dialect === 'sqlite' ? await host.firstProject() : null;
  const signIn = first === null ? null : signInUrl(url, await host.signInLink(first.project));
  log.info(
    { url, database: db.dialect, ...startLine(settings), telemetry: telemetry === null ? 'off' : 'on' },
    'started',
  );
  return {
    ...{ url, signIn, first },
    async stop(reason) {
      log.info({ reason }, 'stopping');
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await host.stop();
      server.closeAllConnections();
      await closed;
      await db.close();
      log.info('stopped');
      log.flush();
    },
  };
}

/** @throws Error when the port cannot be had. */
async function listening(server: Server, { HOST, PORT }: Settings): Promise<string> {
  server.listen(PORT, HOST);
  await once(server, 'listening').catch((error: unknown) => {
    if ((error as { readonly code?: string }).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${PORT} of ${HOST} is in use: name another in PORT, or with --port`, {
      cause: error,
    });
  });
  const { address, port } = server.address() as AddressInfo;
  return localUrl(address, port);
}

/** The settings in the log line of the start. No member is a secret. */
const startLine = (settings: Settings): Readonly<Record<string, unknown>> => ({
  concurrency: settings.HEADGATE_CONCURRENCY,
  brand: settings.HEADGATE_BRAND,
  admin: settings.HEADGATE_ADMIN_KEY === null ? 'off' : 'on',
  allowed_addresses: settings.HEADGATE_ALLOW,
});
