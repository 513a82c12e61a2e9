/** The checks inside a Worker, on workerd. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { ended, inTime, started } from './children.js';

/** The date of that release of workerd; flags that later days would turn on by themselves do not count here. */
const COMPATIBILITY_DATE = '2025-06-01';

/** A Worker in a folder. */
export interface Worker {
  readonly folder: string;
  /** The name of its file, without the extension. */
  readonly program: string;
  readonly flags: readonly string[];
}

/** Its outbound network has this machine in it, so that the client reaches the host of the run. */
const config = (
  port: number,
  { program, flags }: Worker,
): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "${program}.mjs", esModule = embed "${program}.mjs")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}],
);
`;

/** The report of a Worker. */
export async function onWorkerd(binary: string, program: Worker): Promise<string> {
  const port = await freePort();
  const file = join(program.folder, `worker-${port}.capnp`);
  writeFileSync(file, config(port, program));
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
