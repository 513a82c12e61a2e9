/**
 * Measures the cost of compiling rules, the memory that they keep, and the cost of changing one of a hundred thousand.
 *
 *     npx tsx bench/compile.ts [--shape eq] [--rules 100000] [--quick]
 *
 * Heap is what lives after collecting, less what lived before: the rules themselves are there both times.
 */
import { compileRules, type Event, type Rule, type RuleSet } from '../src/index.js';
import { figure, times } from './reporting/figures.js';
import { type Effort, liveBytes, median, micros } from './running/cpu.js';
import { pass } from './running/gate.js';
import { askIfMain } from './running/main.js';
import { type Case, NO_CODE_FROM_STRINGS, type Question, type Verdict, verdict } from './running/question.js';
import { overParsing } from './running/over-parsing.js';
import { keep } from './running/rounds.js';
import { parseEvent } from './webhooks/events.js';
import { Random } from './webhooks/random.js';
import { shapeNamed, shapes } from './webhooks/shapes.js';
import { changesOf } from './webhooks/changes.js';
import { workloadOf } from './webhooks/workload.js';

interface CompileCase extends Case {
  readonly shape: string;
  readonly rules: number;
}

interface Updated {
  /** CPU milliseconds of changing one rule, with all that the next event has to wait for. */
  readonly median: number;
  readonly longest: number;
  /** Cost of an event after all changes, over its cost before them. */
  readonly after: number;
}

interface CompileResult {
  /** CPU microseconds a rule. */
  readonly micros: number;
  /** Bytes a rule. */
  readonly bytes: number;
  readonly update: Updated;
}

const MOST_MICROS = 20;
const MOST_BYTES = 2_048;
const MOST_UPDATE_MS = 2;
const EVENTS = 2_048;
const UPDATES = 100;
const QUICK = ['eq', 'trees four deep'];

export const compile: Question<CompileCase, CompileResult> = {
  name: 'compile',
  title: 'Small: what compiling costs, what rules occupy, what changing one costs',
  cases: (quick) =>
    shapes
      .filter(({ plainly, name }) => !plainly && (!quick || QUICK.includes(name)))
      .map(({ name }) => ({ shape: name, rules: quick ? 10_000 : 100_000 })),
  smokeCases: () => [{ shape: 'eq', rules: 1_000 }],
  flags: () => [NO_CODE_FROM_STRINGS],
  measure({ shape: name, rules: count }, effort) {
    const { rules, texts } = workloadOf(shapeNamed(name), { rules: count, events: EVENTS });
    compileRules(rules.slice(0, 1_000)); // what is loaded and compiled lazily is not the rules' price
    const before = liveBytes();
    let ruleSet: RuleSet | undefined;
    const spent = micros(() => (ruleSet = compileRules(rules)));
    for (const text of texts.slice(0, 256)) keep(ruleSet!.evaluate(parseEvent(text))); // what is made lazily is
    keep(undefined);
    const bytes = (liveBytes() - before) / count;
    return { micros: spent / count, bytes, update: updates(ruleSet!, rules, texts, effort) };
  },
  report: (answers) => ({
    tables: [
      {
        title: `${(answers[0]?.of.rules ?? 0).toLocaleString('en')} rules`,
        head: ['shape', 'CPU µs / rule', 'bytes / rule', 'update, ms', 'longest', 'events after'],
        rows: answers.map(({ of, result: { micros, bytes, update } }) => [
          of.shape,
          figure(micros),
          figure(bytes),
          figure(update.median),
          figure(update.longest),
          times(update.after),
        ]),
        note: 'update: the median of changing one rule a hundred times, each time in the set that the last change gave, with what the next event has to wait for; events after: what an event costs then, over before.',
      },
    ],
    verdicts: answers.flatMap(({ of, result }) => (of.rules === 100_000 ? verdictsOf(of.shape, result) : [])),
  }),
};

/** Changes one rule after the other: each takes the tree of another rule. */
function updates(first: RuleSet, rules: readonly Rule[], texts: readonly string[], effort: Effort): Updated {
  const random = new Random(3);
  const current = [...rules];
  const before = matchesOf(first, texts);
  let ruleSet = first;
  const spent = changesOf(random, rules, UPDATES).map(({ nth, rule }) => {
    current[nth] = rule;
    const took = micros(() => (ruleSet = ruleSet.update({ put: [rule] })));
    return (took + putOff(ruleSet, random.pick(texts))) / 1_000;
  });
  pass(ruleSet, current, texts);
  if (matchesOf(first, texts) !== before) throw new Error('an update changed the set before it');
  const acts = [first, ruleSet].map((set) => (event: Event) => set.evaluate(event));
  const [, old = NaN, last = NaN] = overParsing(texts, acts, effort).ratios;
  return { median: median(spent), longest: Math.max(...spent), after: last / old };
}

/** How much longer the first event takes than the same again, in CPU microseconds. */
function putOff(ruleSet: RuleSet, text: string): number {
  const [event, again] = [parseEvent(text), parseEvent(text)];
  return Math.max(
    0,
    micros(() => keep(ruleSet.evaluate(event))) - micros(() => keep(ruleSet.evaluate(again))),
  );
}

/** Which rules match the first events, as one text. */
const matchesOf = (ruleSet: RuleSet, texts: readonly string[]): string =>
  texts
    .slice(0, 128)
    .flatMap((text) => ruleSet.evaluate(parseEvent(text)).matched.slice(0, 1_000))
    .map(({ id }) => id)
    .join();

function verdictsOf(shape: string, { micros, bytes, update }: CompileResult): Verdict[] {
  const updating = verdict(`${shape}: one of 100,000 changed`, MOST_UPDATE_MS, update.median, millis);
  if (!shape.startsWith('eq')) return [updating]; // only the shapes with eq have a limit
  return [
    verdict(`${shape}: compiling a rule`, MOST_MICROS, micros, (value) => `${figure(value)} µs`),
    verdict(`${shape}: keeping a rule`, MOST_BYTES, bytes, (value) => `${figure(value / 1_024)} KB`),
    updating,
  ];
}

const millis = (value: number): string => `${figure(value)} ms`;

await askIfMain(compile);
