/** A host that listens, for tests and for the processes that they start. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { NodeBindings } from '../src/api/body.js';
import type { Database } from '../src/db/index.js';
import { createHost, type Host } from '../src/host.js';
import { readConfig } from '../src/runtime/config.js';
import { readTelemetry } from '../src/runtime/telemetry.js';
import { createLog } from '../src/runtime/log.js';
import type { SealingKey } from '../src/secrets/sealing.js';

/** 32 bytes, for tests alone. */
export const SEALING_KEYS: readonly SealingKey[] = [{ id: 'test', key: new Uint8Array(32).fill(7) }];
export const ADMIN_KEY = 'an-admin-key-that-only-tests-have-0123456789';

/** Options that few tests need. */
export interface HostOptions {
  /** Keys of the database; one for tests unless given. */
  readonly sealingKeys?: readonly SealingKey[];
  /** The clock of the host; the system's unless given. */
  readonly now?: () => number;
}

/** A host without a project. */
export interface Started {
  readonly host: Host;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a host on a database, which its caller stops.
 *
 * @param environment - Variables of its configuration.
 * @param pages - Folder of the built pages.
 * @param port - Any free one unless given.
 */
export async function startHost(
  db: Database,
  environment: Readonly<Record<string, string>> = {},
  pages?: string,
  port = 0,
  { sealingKeys = SEALING_KEYS, now }: HostOptions = {},
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
    publicUrl: settings.PUBLIC_URL ?? url,
    telemetry: await readTelemetry(environment),
    ...(pages !== undefined && { pages }),
    ...(now !== undefined && { now }),
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

/** Listens on a port; 0 for any free one. Gives the address. */
export async function listening(server: Server, port = 0): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
