/** Summaries of the journals of a stretch of time, in the words of the table. */
import type { Child } from './child.js';
import type { Line } from './journal.js';
import { unless } from './scenario.js';

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

/** The resources that one worker used in a stretch. */
export interface Use {
  readonly calls: number;
  /** Calls that failed. */
  readonly failed: number;
  /** Claims that found nothing. */
  readonly empty: number;
  /** The share of one core, 0 to 1. */
  readonly cpu: number;
  /** The longest that its event loop was held up. */
  readonly delayMs: number;
}

/** The use of a worker from its first pulse in the stretch to the last; a pulse comes every fifth of a second. */
export function useOf(worker: Child, { from, to }: Stretch): Use {
  const pulses = worker.journal.flatMap((line) =>
    line.is === 'pulse' && line.at >= from && line.at <= to ? [line] : [],
  );
  const [first] = pulses;
  const last = pulses.at(-1);
  if (first === undefined || last === undefined || last === first) {
    return { calls: 0, failed: 0, empty: 0, cpu: 0, delayMs: to - from };
  }
  const during = worker.journal.filter(({ at }) => at > first.at && at <= last.at);
  return {
    calls: last.calls - first.calls,
    failed: during.filter(({ is }) => is === 'failed').length,
    empty: during.filter((line) => line.is === 'claimed' && line.count === 0).length,
    cpu: (last.cpuMs - first.cpuMs) / (last.at - first.at),
    delayMs: Math.max(...pulses.slice(1).map(({ delayMs }) => delayMs)),
  };
}

/** A call of either kind that fails is made again after a quarter of a second, then twice that, and so on. */
const retriesIn = (ms: number): number => 2 * Math.ceil(Math.log2(ms / 250 + 1) + 1);
/** Every attempt that ends frees a slot, and the worker looks whether there is something for it. */
const MOST_LOOKS_PER_SECOND = 50;
/** The highest share of a core. */
const MOST_CPU = 0.4;

/** A worker that can do nothing, or next to nothing, is to use next to nothing. */
export function busyFaults({ failed, empty, cpu }: Use, { from, to }: Stretch): readonly string[] {
  const retries = retriesIn(to - from);
  const looks = ((to - from) / 1_000) * MOST_LOOKS_PER_SECOND;
  return [
    ...unless(
      failed <= retries,
      `${failed} calls of the store failed in a time in which ${retries} are made`,
    ),
    ...unless(empty <= looks, `${empty} claims found nothing`),
    ...unless(cpu <= MOST_CPU, `${percent(cpu)} of a core used in a time in which there was nothing to do`),
  ];
}

/** `12 calls of the store begun, 3 failed, 2 % of a core`. */
export const showUse = ({ calls, failed, cpu }: Use): string =>
  `${calls} calls of the store begun, ${failed} failed, ${percent(cpu)} of a core`;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Attempts that a process has under way, up to the answer. */
export function inFlight({ journal }: Child): number {
  const of = (kind: 'sending' | 'sent'): number => journal.filter(({ is }) => is === kind).length;
  return of('sending') - of('sent');
}
