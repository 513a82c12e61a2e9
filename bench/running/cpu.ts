/** CPU time: what this process spent, on all its threads, whatever else the machine does. */

/** Microseconds since the process began, user and system. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The CPU time of a call, in microseconds. */
export function micros(act: () => void): number {
  const start = cpuMicros();
  act();
  return cpuMicros() - start;
}

/** How long a run is: all of it, a glance, or only until every answer is checked once. */
export type Length = 'whole' | 'quick' | 'smoke';

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** CPU microseconds that both sides of one round take together, about. */
  readonly roundMicros: number;
  readonly warmUpMicros: number;
}

export const effortOf: Readonly<Record<Length, Effort>> = {
  whole: { rounds: 15, roundMicros: 50_000, warmUpMicros: 400_000 },
  quick: { rounds: 5, roundMicros: 20_000, warmUpMicros: 100_000 },
  smoke: { rounds: 1, roundMicros: 5_000, warmUpMicros: 1_000 },
};

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Bytes that live: objects, and the buffers of typed arrays. Needs `--expose-gc`. */
export function liveBytes(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
