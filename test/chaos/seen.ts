/** What journals tell of a stretch of time, in the words of the table. */
import type { Child } from './child.js';
import type { Line } from './journal.js';
import { unless } from './scenario.js';
import { POLL_MS } from './world.js';

/** From one instant to another; Unix ms. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** `3 sending, 1 starting`. */
export function tally(words: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Array.from(counts, ([word, count]) => `${count} ${word}`).join(', ');
}

/** Details of what an operator was told, such as codes of errors. */
export const told = (lines: readonly Line[], what: string): readonly string[] =>
  lines.flatMap((line) => (line.is === 'told' && line.what === what ? [line.detail] : []));

/** What one worker used in a stretch. */
export interface Use {
  readonly calls: number;
  /** Calls that failed or found nothing. */
  readonly vain: number;
  /** Of one core, 0 to 1. */
  readonly cpu: number;
  /** The longest that its event loop was held up. */
  readonly delayMs: number;
}

/** What a worker used; measured from its first pulse in the stretch to the last, of which there is one every fifth of a second. */
export function useOf(worker: Child, { from, to }: Stretch): Use {
  const pulses = worker.journal.flatMap((line) =>
    line.is === 'pulse' && line.at >= from && line.at <= to ? [line] : [],
  );
  const [first] = pulses;
  const last = pulses.at(-1);
  if (first === undefined || last === undefined || last === first) {
    return { calls: 0, vain: 0, cpu: 0, delayMs: to - from };
  }
  const during = worker.journal.filter(({ at }) => at > first.at && at <= last.at);
  return {
    calls: last.calls - first.calls,
    vain: during.filter(isVain).length,
    cpu: (last.cpuMs - first.cpuMs) / (last.at - first.at),
    delayMs: Math.max(...pulses.slice(1).map(({ delayMs }) => delayMs)),
  };
}

const isVain = (line: Line): boolean => line.is === 'failed' || (line.is === 'claimed' && line.count === 0);

/** A call of either kind that fails is made again after a quarter of a second, then twice that, and so on. */
const retriesIn = (ms: number): number => 2 * Math.ceil(Math.log2(ms / 250 + 1) + 1);
/** Looks in order, twice in a `pollMs`. */
const looksIn = (ms: number): number => (2 * ms) / POLL_MS;
/** Of a core. */
const MOST_CPU = 0.4;

/**
 * A worker that cannot do anything is to do next to nothing.
 *
 * @param looks - How many times as often as by the poll it may look in vain.
 */
export function busyFaults({ vain, cpu }: Use, { from, to }: Stretch, looks = 1): readonly string[] {
  const most = Math.ceil(retriesIn(to - from) + looks * looksIn(to - from));
  return [
    ...unless(vain <= most, `${vain} calls of the store in vain in a time when ${most} would do`),
    ...unless(cpu <= MOST_CPU, `${percent(cpu)} of a core used in a time when there was nothing to do`),
  ];
}

/** `12 calls of the store, 3 in vain, 2 % of a core`. */
export const showUse = ({ calls, vain, cpu }: Use): string =>
  `${calls} calls of the store, ${vain} in vain, ${percent(cpu)} of a core`;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
