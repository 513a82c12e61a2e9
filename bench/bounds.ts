/**
 * The cost of saving rules: CPU time of each step for the costliest known rules, at two sizes.
 *
 *     npx tsx bench/bounds.ts [--mib 10] [--only patterns] [--step lintRules]
 *
 * The rules come from test/rules/monsters.ts. Seconds of CPU time, garbage collection included. Each step runs at half
 * the size and at the full size, each pair in its own process.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  compileRules,
  explainMatch,
  exportRules,
  importRules,
  lintRules,
  validateRule,
  type Rule,
} from '../src/index.js';
import { stringifyJson } from '../src/json-text.js';
import { monsters } from '../test/rules/monsters.js';
import { micros } from './running/cpu.js';
import { prove } from './running/gate.js';
import { readBenchLine } from './running/command-line.js';

const MIB = 1_048_576;
/** Bytes of rules, and of an event, small enough to try every rule on. */
const SMALL = 4_096;

/** A body with text and members where the rules look. */
const eventOf = (units: number) => ({
  id: 'evt_1',
  type: 'push',
  data: {
    a: 'ab'.repeat(units / 4),
    n: 25,
    ...Object.fromEntries(Array.from({ length: units / 50 }, (_, i) => [`p${i}`, i % 7])),
  },
});

const steps: Readonly<Record<string, (rules: readonly Rule[], text: string) => unknown>> = {
  validateRule: (rules) => rules.map((rule) => validateRule(rule).ok),
  importRules: (_, text) => importRules(text).summary.imported,
  exportRules: (rules) => exportRules(rules),
  lintRules: (rules) => lintRules(rules).length,
  compileRules: (rules) => compileRules(rules).rules.length,
  explainMatch: (rules) => rules.map(({ match }) => explainMatch(match, event).matched),
};

const { values, smoke } = readBenchLine({
  options: {
    mib: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    step: { type: 'string', default: '' },
    seconds: { type: 'string', default: '120' },
    child: { type: 'string' },
    after: { type: 'string', default: '0' },
  },
});
const event = eventOf(smoke ? SMALL : MIB);
const names = Object.keys(steps).filter((name) => name.includes(values.step));

if (smoke) smokeTable();
else if (values.child === undefined) table();
else measure(Number(values.child), names.slice(Number(values.after)));

/** All kinds in this process, a few KB of each, after a check that the rules are valid and decide what they should. */
function smokeTable(): void {
  for (const { name, rules: make } of monsters) {
    const rules = make(SMALL);
    const text = stringifyJson(rules);
    if (importRules(text).summary.imported !== rules.length) {
      throw new Error(`${name}: not all were imported`);
    }
    if (!rules.every((rule) => validateRule(rule).ok)) throw new Error(`${name}: not all are valid`);
    prove(rules, event);
    const cells = names.map((step) => (micros(() => steps[step]!(rules, text)) / 1e6).toFixed(4));
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

/** Prints, for each step, its CPU seconds at the full size and their ratio to those at half the size. */
function measure(nth: number, some: readonly string[]): void {
  const bytes = Number(values.mib) * MIB * 0.95;
  const sizes = [bytes / 2, bytes].map((size) => monsters[nth]!.rules(size));
  const texts = sizes.map((rules) => stringifyJson(rules));
  for (const step of some) {
    const [half, whole] = sizes.map((rules, i) => {
      globalThis.gc?.();
      return micros(() => steps[step]!(rules, texts[i]!)) / 1e6;
    });
    console.log(`${whole!.toFixed(2)} (×${(whole! / half!).toFixed(1)})`);
  }
}

function table(): void {
  console.log(`| ${values.mib} MiB of | ${names.join(' | ')} |`);
  console.log(`| :-- ${'| --: '.repeat(names.length)}|`);
  monsters.forEach(({ name }, nth) => {
    if (!name.includes(values.only)) return;
    const cells: string[] = [];
    while (cells.length < names.length) cells.push(...run(nth, cells.length));
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  });
}

/** Table cells of the steps from `after` on. A step that runs too long or crashes ends the list. */
function run(nth: number, after: number): readonly string[] {
  const args = ['--expose-gc', '--import', 'tsx', fileURLToPath(import.meta.url), '--child', String(nth)];
  const given = ['mib', 'step'].flatMap((name) => [`--${name}`, values[name as 'mib']]);
  const { stdout, error, status } = spawnSync(
    process.execPath,
    [...args, ...given, '--after', String(after)],
    { timeout: (30 + Number(values.seconds)) * 1_000, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const cells = stdout.split('\n').slice(0, -1);
  if (error !== undefined) return [...cells, `over ${values.seconds}`];
  return status === 0 ? cells : [...cells, 'broke'];
}
