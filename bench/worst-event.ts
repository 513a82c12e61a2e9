/**
 * Measures the longest that one event can take, whatever the rules and whatever the event.
 *
 *     npx tsx bench/worst-event.ts [--budget 100000000] [--event-budget 100000000] [--rules 10000000] [--event 1048576]
 *     [--only NAME] [--plain]
 *
 * First rules that spend their budgets, then every kind of encounter in `test/rules/worst-events.ts`; `--plain` tries
 * those without an index too. CPU time, so that a busy machine blurs it less.
 */
import { compileRules, type Leaf, type Rule } from '../src/index.js';
import { compileReferenceRules } from '../src/testing/index.js';
import { letters, shapes } from '../test/rules/worst-events.js';
import { readBenchLine } from './running/command-line.js';
import { prove } from './running/gate.js';

const { values, smoke } = readBenchLine({
  options: {
    budget: { type: 'string', default: '100000000' },
    'event-budget': { type: 'string', default: 'Infinity' },
    rules: { type: 'string', default: '10000000' },
    event: { type: 'string', default: '1048576' },
    only: { type: 'string', default: '' },
    plain: { type: 'boolean', default: false },
  },
});
const [ruleUnits, eventUnits] = smoke ? [10_000, 2_048] : [Number(values.rules), Number(values.event)];
const options = { patterns: { budget: Number(values.budget), eventBudget: Number(values['event-budget']) } };

function seconds(run: () => unknown): string {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) / 1e6).toFixed(2);
}

/** Rules each of which spends all that it has on an event: on matching, and again on transforming. */
function spenders(rules: number): Rule[] {
  const patterns = Array.from({ length: 50 }, (_, i) => `[ab]*a[ab]{${150 + 15 * i}}[^ab].`);
  return Array.from({ length: rules }, (_, i) => ({
    id: `r${i}`,
    name: `r${i}`,
    stage: 'deliver',
    match: {
      any: [
        ...patterns.map((value): Leaf => ({ path: 'data.a', op: 'matches', value })),
        { path: 'data.a', op: 'exists' },
      ],
    },
    action: {
      type: 'transform',
      ops: patterns.map((regex) => ({ op: 'redact', path: 'data.b', regex, replace: '' })),
    },
    priority: 0,
  }));
}

function printBudgets(): void {
  console.log('Rules that spend their budgets, seconds for one event:\n');
  console.log('| budget | event | 1 rule | 5 rules | 25 rules |');
  console.log('| --: | --: | --: | --: | --: |');
  for (const budget of [1_000_000, 10_000_000, 100_000_000]) {
    for (const units of [1 << 16, 1 << 20]) {
      const text = letters(units / 2);
      const event = { id: 'evt_1', type: 't', data: { a: text, b: text } };
      const row = [1, 5, 25].map((rules) => {
        const set = compileRules(spenders(rules), { patterns: { budget } });
        set.evaluate({ ...event, data: { a: 'ab', b: 'ab' } });
        return seconds(() => set.evaluate(event));
      });
      console.log(`| ${budget.toLocaleString('en')} | ${units >> 10} KB | ${row.join(' | ')} |`);
    }
  }
}

function printEncounters(): void {
  console.log(
    `\nRules of ${ruleUnits} units, an event of ${eventUnits}, a budget of ${values.budget}, seconds:\n`,
  );
  console.log('| rules and event | rules | compile | first event | next event | plainly |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  for (const shape of shapes.filter(({ name }) => name.includes(values.only))) {
    const { rules, event } = shape.of(ruleUnits, eventUnits);
    if (smoke) prove(rules, event, options);
    let set = compileRules([]);
    const compile = seconds(() => (set = compileRules(rules, options)));
    const first = seconds(() => set.evaluate(event));
    const next = seconds(() => set.evaluate(event));
    const plainly = values.plain ? seconds(() => compileReferenceRules(rules, options).evaluate(event)) : '';
    console.log(`| ${shape.name} | ${rules.length} | ${compile} | ${first} | ${next} | ${plainly} |`);
  }
}

if (values.only === '' && !smoke) printBudgets();
printEncounters();
