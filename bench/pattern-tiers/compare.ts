/** The cost of real payloads without a tier of patterns, over the cost with all of them. */
import { isDeepStrictEqual } from 'node:util';
import { cpuMicros, median, type Effort } from '../running/cpu.js';
import { looping, type Side } from '../running/rounds.js';
import { pairWithout, type Contender } from './contenders.js';
import type { Tier } from './tiers.js';
import { workloads, type Workload } from './workloads.js';

/** By workload: CPU time without the tier over that with it; `null` where the tier has no part in the workload. */
export type Ratios = readonly (number | null)[];

/** Both contenders take turns; they answer every event alike before either is timed. */
export async function ratiosWithout(tier: Tier, effort: Effort): Promise<Ratios> {
  const { all, without } = await pairWithout(tier);
  return workloads.map((workload) => {
    if (workload.of !== tier.of && workload.of !== 'both' && tier.of !== 'both') return null;
    expectEqual(workload, all, without, tier);
    const sideOf = (contender: Contender): Side =>
      looping(workload.events, workload.compile(contender), effort.roundMicros / 2);
    return ratioOf(sideOf(all), sideOf(without), effort);
  });
}

function expectEqual(
  { name, events, compile }: Workload,
  all: Contender,
  without: Contender,
  tier: Tier,
): void {
  const [one, other] = [compile(all), compile(without)];
  for (const event of events) {
    if (isDeepStrictEqual(one(event), other(event))) continue;
    throw new Error(`${name}, without ${tier.name}: another answer for ${event.id}`);
  }
}

/** The median of the second side over the first. Each round is led by the other one. */
function ratioOf(first: Side, second: Side, { rounds, warmUpMicros }: Effort): number {
  const start = cpuMicros();
  const round = (nth: number): number => {
    if (nth % 2 === 0) {
      const micros = first() as number;
      return (second() as number) / micros;
    }
    const micros = second() as number;
    return micros / (first() as number);
  };
  for (let nth = 0; cpuMicros() - start < warmUpMicros; nth++) round(nth);
  return median(Array.from({ length: rounds }, (_, nth) => round(nth)));
}
