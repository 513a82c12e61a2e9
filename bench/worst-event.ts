/**
 * How long can one event take, whatever the rules and whatever the event?
 *
 *     npx tsx bench/worst-event.ts [--budget 100000000] [--rules 10485760] [--event 1048576] [--only NAME]
 *
 * Every kind of encounter in `test/rules/worst-events.ts`: the event by a rule set, and by a match tree on its own. CPU time, so that a busy machine blurs it less.
 */
import { parseArgs } from 'node:util';
import { compileRules } from '../src/index.js';
import { compileRulesPlainly } from '../src/testing/index.js';
import { shapes } from '../test/rules/worst-events.js';

const { values } = parseArgs({
  options: {
    budget: { type: 'string', default: '100000000' },
    rules: { type: 'string', default: '10485760' },
    event: { type: 'string', default: '1048576' },
    only: { type: 'string', default: '' },
    plain: { type: 'boolean', default: false },
  },
});
const options = { patterns: { budget: Number(values.budget) } };

function seconds(run: () => unknown): string {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) / 1e6).toFixed(2);
}

console.log(
  `rules of ${values.rules} units, an event of ${values.event}, a budget of ${values.budget}: seconds\n`,
);
console.log('| encounter | rules | compile | first event | next event | plainly |');
console.log('| --- | --: | --: | --: | --: | --: |');
for (const shape of shapes.filter(({ name }) => name.includes(values.only))) {
  const { rules, event } = shape.of(Number(values.rules), Number(values.event));
  let set = compileRules([]);
  const compile = seconds(() => (set = compileRules(rules, options)));
  const first = seconds(() => set.evaluate(event));
  const next = seconds(() => set.evaluate(event));
  const plainly = values.plain ? seconds(() => compileRulesPlainly(rules, options).evaluate(event)) : '';
  console.log(`| ${shape.name} | ${rules.length} | ${compile} | ${first} | ${next} | ${plainly} |`);
}
