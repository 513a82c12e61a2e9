/**
 * Tries the laws of the rule index for as long as it is told, each round with another seed:
 *
 *     npm run fuzz -- --minutes 10 --law limits --seed 42
 *
 * It stops at the first counter-example, shrunk, and says how to see it again. What it finds belongs into
 * test/rules/regressions.ts.
 */
import fc from 'fast-check';
import { compileRules } from '../src/index.js';
import { compileReferenceRules } from '../src/testing/index.js';
import { laws } from './rules/rule-index/laws.js';
import { expectSameSets } from './rules/rule-index/same.js';
import { optionsOf, regressions } from './rules/regressions.js';
import { readCommandLine } from './command-line.js';

const { values } = readCommandLine({
  options: {
    minutes: { type: 'string', default: '10' },
    /** Part of the name of the laws to try. */
    law: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** The path to a counter-example in the shrinking of `seed`. */
    path: { type: 'string' },
  },
});

const chosen = laws.filter(({ name }) => name.includes(values.law));
if (chosen.length === 0) {
  throw new Error(`no law says ${values.law}; there are: ${laws.map(({ name }) => name).join('; ')}`);
}

for (const regression of regressions) {
  const [{ rules, events }, options] = [regression, optionsOf(regression)];
  const [set, plain] = [compileRules(rules, options), compileReferenceRules(rules, options)];
  expectSameSets(
    set,
    plain,
    events.map(([event]) => event),
  );
}

const UNTIL = Date.now() + Number(values.minutes) * 60_000;
let runs = 0;
let seed = Number(values.seed);
do {
  for (const { name, runs: share, check } of chosen) {
    const where = values.path === undefined ? {} : { path: values.path };
    const details = check({ seed, numRuns: Math.ceil(share / 10), ...where });
    runs += details.numRuns;
    if (!details.failed) continue;
    const again = `npm run fuzz -- --law '${name}' --seed ${seed} --path ${details.counterexamplePath ?? ''}`;
    console.error(`\n${name}: it does not.\n${fc.defaultReportMessage(details)}\n\nSee it again: ${again}`);
    process.exit(1);
  }
  process.stdout.write(
    `${process.stdout.isTTY ? '\r' : '\n'}${runs.toLocaleString('en')} runs, the last with seed ${seed}`,
  );
  seed = (seed + 1) % 2 ** 31;
} while (Date.now() < UNTIL);
console.log('; no law was broken');
