/** The resources that a process holds. */
import { readdirSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The resources that a process holds while it is at rest. */
export interface Footprint {
  /** Sockets, look-ups and timers that Node waits for, by kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** Open file descriptors; `null` where the system does not tell. */
  readonly descriptors: number | null;
  /** Bytes of the heap, and of buffers beside it, that full collections leave. */
  readonly retainedBytes: number;
  /** Bytes that the system counts. */
  readonly rssBytes: number;
}

const KINDS = /^(TCP|TLS|Connect|UDP|Pipe|Query|GetAddrInfo|Shutdown|Write|Timeout)/;

/** Handles of the network, and timers; a test runner's own are of other kinds. */
export function handles(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (KINDS.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Bytes that are left once all that can be collected is. */
export async function retainedBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 5; i++) {
    await setImmediate();
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Takes a process's footprint. */
export const footprint = async (): Promise<Footprint> => ({
  handles: handles(),
  descriptors: descriptors(),
  retainedBytes: await retainedBytes(),
  rssBytes: process.memoryUsage.rss(),
});

function descriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null; // not Linux
  }
}

/**
 * Waits until the process holds no more handles than it did, or for `mostMs`.
 *
 * @param before - The handles that it held.
 */
export async function atRest(before: Footprint, mostMs: number): Promise<void> {
  const until = Date.now() + mostMs;
  const excess = (): boolean =>
    Object.entries(handles()).some(([kind, count]) => count > (before.handles[kind] ?? 0)) ||
    (descriptors() ?? 0) > (before.descriptors ?? 0);
  while (excess() && Date.now() < until) await setTimeout(50);
}
