/** Rounds of every contender in turn, so that a busy machine slows all alike. Runs as one built file. */
import { contenders, type Means } from './contenders.js';
import type { Contender } from './delivering.js';

/** The argument of this process, as JSON. */
export interface Measuring extends Means {
  readonly rounds: number;
  /** Deliveries of a round. */
  readonly count: number;
}

interface Round {
  readonly perSecond: number;
  /** CPU time of this process, in microseconds per delivery. */
  readonly cpu: number;
}

async function measure(contender: Contender, size: number): Promise<Round> {
  await contender.prepare(size);
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await contender.deliver();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (size / ms) * 1_000, cpu: (user + system) / size };
}

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? NaN;

const { rounds, count, ...means } = JSON.parse(process.argv[2] ?? '{}') as Measuring;
const all = await contenders(means);
for (const contender of all) await measure(contender, count / 4); // warms up
const results = all.map((contender) => ({ contender, rounds: [] as Round[] }));
for (let round = 0; round < rounds; round++) {
  for (const result of results) result.rounds.push(await measure(result.contender, count));
}
const bare = results[0]?.rounds ?? [];
const rows = results.map(({ contender, rounds: figures }) => {
  const shares = figures.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? NaN));
  const row = {
    'deliveries/s': Math.round(median(figures.map(({ perSecond }) => perSecond))),
    share: median(shares).toFixed(2),
    from: Math.min(...shares).toFixed(2),
    to: Math.max(...shares).toFixed(2),
    'CPU µs': Math.round(median(figures.map(({ cpu }) => cpu))),
  };
  return [contender.name, row] as const;
});
console.table(Object.fromEntries(rows));
for (const contender of all) await contender.close();
process.exit();
