/** Rounds in which the two sides of a ratio take turns, so that whatever slows the machine slows both. */
import { cpuMicros, median, type Effort } from './cpu.js';

/** Does its part of one round, and says how many CPU microseconds it took for each thing done. */
export type Side = () => number | Promise<number>;

/** Medians over many rounds. */
export interface Compared {
  /** CPU microseconds of each side, once. */
  readonly micros: readonly number[];
  /** Each side over the first, round by round. */
  readonly ratios: readonly number[];
}

/** Runs all sides in turn until they are warm, then for as many rounds as asked. */
export async function compare(sides: readonly Side[], { rounds, warmUpMicros }: Effort): Promise<Compared> {
  const start = cpuMicros();
  do for (const side of sides) await side();
  while (cpuMicros() - start < warmUpMicros);
  const rows: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const row: number[] = [];
    for (const side of sides) row.push(await side());
    rows.push(row);
  }
  return medians(rows);
}

/** @param rows - For each round, what each side took. */
export function medians(rows: readonly (readonly number[])[]): Compared {
  const sides = rows[0]!.map((_, nth) => nth);
  return {
    micros: sides.map((nth) => median(rows.map((row) => row[nth]!))),
    ratios: sides.map((nth) => median(rows.map((row) => row[nth]! / row[0]!))),
  };
}

/** Holds what came last, since the compiler may leave out what nobody could read. */
const sink: { last: unknown } = { last: undefined };

export function keep(value: unknown): void {
  sink.last = value;
}

/** Calls `act` with each of the list over and over, for about `sliceMicros` a round. */
export function looping<T>(list: readonly T[], act: (item: T) => unknown, sliceMicros: number): Side {
  let times = 1;
  return () => {
    const start = cpuMicros();
    for (let time = 0; time < times; time++) for (const item of list) sink.last = act(item);
    const spent = cpuMicros() - start;
    const each = spent / (times * list.length);
    if (spent < sliceMicros / 2) times *= 2;
    return each;
  };
}

/** The same where `act` answers with promises, one after the other. */
export function awaiting<T>(list: readonly T[], act: (item: T) => unknown, sliceMicros: number): Side {
  let times = 1;
  return async () => {
    const start = cpuMicros();
    for (let time = 0; time < times; time++) for (const item of list) sink.last = await act(item);
    const spent = cpuMicros() - start;
    const each = spent / (times * list.length);
    if (spent < sliceMicros / 2) times *= 2;
    return each;
  };
}
