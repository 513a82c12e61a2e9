/**
 * Counts the work on an event with a thousand rules, and with a hundred thousand.
 *
 *     npx tsx bench/counts.ts [flat parsed payload]
 *
 * Counts, not times: they are the same on every machine. The laws that bound them are in
 * test/rules/rule-index/cost-laws.ts. Tests try most of them with fewer rules. Here all are tried with the most, and
 * the exit code is 1 if one is broken.
 */
import { violationsOf } from '../test/rules/rule-index/cost-bounds.js';
import { flatLaws, parsedLaws, payloadLaws, type ShapeLaw } from '../test/rules/rule-index/cost-laws.js';
import { COUNTERS, CountedRules, type EventCost } from '../test/rules/rule-index/event-cost.js';
import { readBenchLine } from './running/command-line.js';
import { pass } from './running/gate.js';

const groups: Readonly<Record<string, readonly ShapeLaw[]>> = {
  flat: flatLaws,
  parsed: parsedLaws,
  payload: payloadLaws,
};

const { positionals, smoke } = readBenchLine({ allowPositionals: true });
const unknown = positionals.filter((name) => !(name in groups));
if (unknown.length > 0) {
  throw new Error(`no ${unknown.join(', ')}; there are ${Object.keys(groups).join(', ')}`);
}

function costAt({ workload }: ShapeLaw, count: number, isChecked: boolean): EventCost {
  const { rules, texts } = workload(count);
  const counted = CountedRules.compile(rules);
  if (isChecked) pass(counted.set, rules, texts);
  return counted.cost(texts);
}

const figure = (count: number): string => Number(count.toPrecision(3)).toLocaleString('en');

/** Each count with few rules, and with many. */
function rowOf(few: EventCost, many: EventCost): Readonly<Record<string, string>> {
  const cells = (['rules', ...COUNTERS, 'matches'] as const).map((counter) => [
    counter,
    `${figure(few[counter])} → ${figure(many[counter])}`,
  ]);
  return Object.fromEntries(cells);
}

for (const [group, laws] of Object.entries(groups)) {
  if (positionals.length > 0 && !positionals.includes(group)) continue;
  const rows: Record<string, Readonly<Record<string, string>>> = {};
  const broken: string[] = [];
  for (const law of laws) {
    const few = costAt(law, smoke ? law.few / 10 : law.few, true);
    const many = costAt(law, smoke ? law.few : law.most, smoke);
    rows[law.shape] = rowOf(few, many);
    if (!smoke) broken.push(...violationsOf(few, many, law.bounds).map((what) => `${law.shape}: ${what}`));
  }
  console.log(`${group}: an event`);
  console.table(rows);
  for (const violation of broken) console.log(`a law is broken: ${violation}`);
  if (broken.length > 0) process.exitCode = 1;
}
