/** The fastest of several passes over a whole list, as a person measures who runs a loop a few times. */
import { cpuMicros } from './cpu.js';
import { keep } from './rounds.js';

const PASSES = 7;

/** A pass over all of a list. */
export type Pass = () => void;

export const passOver =
  <T>(list: readonly T[], act: (item: T) => unknown): Pass =>
  () => {
    for (const item of list) keep(act(item));
  };

/**
 * CPU microseconds of the fastest pass of each, taken in turns, so that whatever slows the machine slows all. The
 * first turns, for about `warmUpMicros`, do not count.
 */
export function bestOf(passes: readonly Pass[], warmUpMicros: number): number[] {
  const turn = (): number[] => passes.map(taking);
  for (const start = cpuMicros(); cpuMicros() - start < warmUpMicros;) turn();
  const turns = Array.from({ length: PASSES }, turn);
  return passes.map((_, nth) => Math.min(...turns.map((times) => times[nth]!)));
}

function taking(pass: Pass): number {
  const start = cpuMicros();
  pass();
  return cpuMicros() - start;
}
