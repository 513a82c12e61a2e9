/** The checks inside a Worker, on workerd. */
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, inTime, started } from './children.js';

/** Of the day of that release of workerd; flags that later days would turn on by themselves do not count here. */
const COMPATIBILITY_DATE = '2025-06-01';

const config = (
  port: number,
  flags: readonly string[],
): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}],
);
`;

/** A port that is free just now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The report of a Worker with these compatibility flags. */
export async function onWorkerd(binary: string, folder: string, flags: readonly string[]): Promise<string> {
  const port = await freePort();
  const file = join(folder, `worker-${port}.capnp`);
  writeFileSync(file, config(port, flags));
  const worker = started(binary, ['serve', file]);
  try {
    return await inTime(answer(`http://127.0.0.1:${port}/`), 'workerd');
  } finally {
    await ended(worker);
  }
}

/** Asks until somebody listens. */
async function answer(url: string): Promise<string> {
  for (;;) {
    const response = await fetch(url).catch(() => null);
    if (response !== null) return response.text();
    await sleep(100);
  }
}
