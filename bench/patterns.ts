/**
 * Measures patterns, one or many, with each engine and beside RegExp.
 *
 *     npx tsx bench/patterns.ts
 *
 * Every contender has to give the right answer before it is timed. CPU time, so that a busy machine blurs it less.
 * The last table is of real payloads, with each tier of `src/patterns` switched off in turn.
 */
import { RE2Set } from 're2js';
import { automatonOf } from '../src/patterns/automaton/automaton.js';
import { fitsAutomaton } from '../src/patterns/automaton/positions.js';
import {
  compilePattern,
  compilePatternSet,
  compileRedaction,
  type PatternEngine,
} from '../src/patterns/index.js';
import { parsePattern } from '../src/patterns/check.js';
import { printPattern } from '../src/patterns/print.js';
import { createRe2WasmEngine } from '../src/patterns/re2-wasm/index.js';
import { re2js } from '../src/patterns/re2js/index.js';
import { gitHubPayloads } from '../examples/quickstart/payloads.js';
import { compileRules, ruleTemplates, type Event } from '../src/index.js';
import { ratiosWithout } from './pattern-tiers/compare.js';
import { tiers } from './pattern-tiers/tiers.js';
import { workloads } from './pattern-tiers/workloads.js';
import { readBenchLine } from './running/command-line.js';
import { effortOf } from './running/cpu.js';
import { Random } from './webhooks/random.js';
import { longText, widePatterns } from './webhooks/wide-patterns.js';

const { smoke } = readBenchLine({});
/** CPU time of one measurement. */
const MEASURED_MICROS = smoke ? 200 : 300_000;

/** Short rounds: a busy machine slows both contenders of one alike. */
const TIER_EFFORT = { rounds: 31, roundMicros: 6_000, warmUpMicros: 300_000 };

const engines: readonly PatternEngine[] = [re2js, createRe2WasmEngine()];
const filler = '{"id":"evt_1","note":"lorem ipsum dolor sit amet","at":"2024-02-29T12:00:00Z"} ';
const words = Array.from({ length: 20 }, (_, i) => `secret-${'abcdefghijklmnopqrst'[i]}${i}`);

/** A text of `length` units; `hits` times `hit`, evenly spread. */
function subjectOf(length: number, hit: string, hits: number): string {
  const part = filler
    .repeat(Math.ceil(length / filler.length))
    .slice(0, Math.floor(length / Math.max(1, hits)) - hit.length);
  return hits === 0 ? part.slice(0, length) : (part + hit).repeat(hits);
}

interface Case {
  readonly name: string;
  readonly pattern: string;
  readonly hit: string;
}

const cases: readonly Case[] = [
  { name: 'API key', pattern: 'sk_(?:live|test)_[0-9A-Za-z]{16,}', hit: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' },
  { name: 'email', pattern: '[\\w.+-]+@[\\w-]+\\.[\\w.-]+', hit: 'ada@example.com' },
  { name: 'bot at the end', pattern: '\\[bot\\]$', hit: 'dependabot[bot]' },
  { name: '20 texts', pattern: words.map((word) => word.slice(7)).join('|'), hit: 'a0' },
  { name: 'no literal', pattern: '[^\\x20-\\x7E]{2}', hit: '😀😀' },
];

/** Runs a second in CPU microseconds. */
function perSecond(run: () => unknown): number {
  for (let i = 0; i < 3; i++) run();
  let runs = 0;
  let spent = 0;
  const start = process.cpuUsage();
  for (let batch = 1; spent < MEASURED_MICROS; batch *= 2) {
    for (let i = 0; i < batch; i++) run();
    runs += batch;
    const { user, system } = process.cpuUsage(start);
    spent = user + system;
  }
  return (runs / spent) * 1_000_000;
}

function check(right: boolean, what: string): void {
  if (!right) throw new Error(`wrong answer: ${what}`);
}

const figure = (value: number | null): string =>
  value === null ? '-' : Number(value.toPrecision(2)).toLocaleString('en');

const figures = (values: readonly (number | null)[]): string =>
  values.map((value) => figure(value).padStart(11)).join(' |');

/** The engines as they are, without the texts that a pattern needs; ours and RegExp as anybody would use them. */
function testRow({ name, pattern, hit }: Case, length: number): string {
  const subjects = [subjectOf(Math.max(length, hit.length), hit, 1), subjectOf(length, hit, 0)];
  const printed = printPattern(parsePattern(pattern).tree);
  const contenders = [
    compilePattern(pattern, { engine: re2js }),
    ...engines.map((engine) => engine.compile(printed)),
    new RegExp(pattern, 'u'),
  ];
  const values = subjects.flatMap((subject, miss) =>
    contenders.map((contender) => {
      check(contender.test(subject) === (miss === 0), `${name} ${miss}`);
      return perSecond(() => contender.test(subject));
    }),
  );
  return `| ${name.padEnd(16)} |${figures(values)} |`;
}

function redactionRow({ name, pattern, hit }: Case): string {
  const subject = subjectOf(1 << 16, ` ${hit}`, 128);
  const regExp = new RegExp(pattern, 'gu');
  const expected = subject.replace(regExp, '***');
  const values = engines.map((engine) => {
    const redact = compileRedaction(pattern, '***', { engine });
    check(redact(subject).text === expected && !redact(subject).limited, name);
    return perSecond(() => redact(subject));
  });
  return `| ${name.padEnd(16)} |${figures([...values, perSecond(() => subject.replace(regExp, '***'))])} |`;
}

function compileRow({ name, pattern, hit }: Case): string {
  const { tree } = parsePattern(pattern);
  const printed = printPattern(tree);
  const ours = (): void => check(automatonOf(tree)(hit), name);
  const theirs = engines.map((engine) => (): void => {
    const program = engine.compile(printed);
    check(program.test(hit), name);
    program.dispose();
  });
  const values = [fitsAutomaton(tree) ? ours : null, ...theirs].map((compile) =>
    compile === null ? null : 1_000_000 / perSecond(compile),
  );
  return `| ${name.padEnd(16)} |${figures(values)} |`;
}

/** Microseconds for each of some texts, once. */
function each(texts: readonly string[], run: (text: string) => unknown): number {
  const start = process.cpuUsage();
  for (const text of texts) run(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / texts.length;
}

/** Texts of about 1 KB, no two the same: the first, the next 99, and those that come after. */
function setRow(size: number): string {
  const random = new Random(3);
  const sources = widePatterns(random, 1000)
    .slice(0, size)
    .map(({ source }) => source);
  const texts = random.times(smoke ? 200 : 2100, () => longText(random).join(' '));
  const patterns = sources.map((source) => compilePattern(source, { engine: re2js }));
  const set = compilePatternSet(patterns);
  const oneByOne = (text: string): number[] => [...sources.keys()].filter((i) => patterns[i]?.test(text));
  const re2Set = new RE2Set();
  for (const { source } of patterns) re2Set.add(printPattern(parsePattern(source).tree));
  const values = [
    each(texts.slice(0, 1), (text) => set.matching(text)),
    each(texts.slice(1, 100), (text) => set.matching(text)),
    each(texts.slice(100), (text) => set.matching(text)),
    each(texts.slice(0, 20), oneByOne),
    each(texts.slice(0, 20), (text) => re2Set.match(text)),
  ];
  for (const text of texts.slice(0, 20)) check(set.matching(text)?.join() === oneByOne(text).join(), text);
  return `| ${String(size).padStart(16)} |${figures(values)} |`;
}

for (const length of [16, 100, 1024]) {
  console.log(`test, ${length} B, runs a second\n`);
  console.log(
    '| pattern          | headgate: hit | re2js | re2-wasm | RegExp | headgate: miss | re2js | re2-wasm | RegExp |',
  );
  console.log('| :--------------- | ----: | ----: | -------: | -----: | ----: | ----: | -------: | -----: |');
  for (const each of cases) console.log(testRow(each, length));
  console.log('');
}
console.log('redaction, 64 KB with 128 matches, runs a second\n');
console.log('| pattern          | re2js | re2-wasm | RegExp |');
console.log('| :--------------- | ----: | -------: | -----: |');
for (const each of cases.filter(({ name }) => name !== 'bot at the end')) console.log(redactionRow(each));
console.log('\ncompiling and a first test, µs\n');
console.log('| pattern          | headgate | re2js | re2-wasm |');
console.log('| :--------------- | -------: | ----: | -------: |');
for (const each of cases) console.log(compileRow(each));
console.log('\nmany patterns on 1 KB, µs\n');
console.log('| patterns         | set: first | next 99 | after that | one by one | RE2Set of re2js |');
console.log('| ---------------: | ---------: | ------: | ---------: | ---------: | --------------: |');
for (const size of smoke ? [10, 100] : [10, 100, 1000]) console.log(setRow(size));

const oneMebibyte = (part: (i: number) => string): string => {
  let text = '';
  for (let i = 0; text.length < (smoke ? 1 << 14 : 1 << 20); i++) text += part(i);
  return text;
};
const secret = 'a1B2c3D4'.repeat(5);
const keyBodies: readonly { readonly name: string; readonly bodies: readonly unknown[] }[] = [
  { name: 'a payload of GitHub, 10 KB', bodies: gitHubPayloads.map(({ body }) => body) },
  {
    name: 'prose, 1 MiB',
    bodies: [oneMebibyte((i) => `The quick brown fox jumps over the lazy dog, ${i} times. `)],
  },
  {
    name: 'a log, 1 MiB',
    bodies: [oneMebibyte((i) => `level=info task-${i} path=/patch/pattern id=SK-${i} user=risk-${i}\n`)],
  },
  {
    name: 'a log in lines, 1 MiB',
    bodies: [oneMebibyte((i) => `level=info task-${i} path=/patch/${i}\n`).split('\n')],
  },
  {
    name: 'a key in each line, 1 MiB',
    bodies: [oneMebibyte((i) => `${i} ghp_${secret} sk_live_${secret}\n`)],
  },
];

/** Microseconds for a body, parsing of its text for comparison, and the share of the budget that it takes at most. */
function keysRow({ name, bodies }: (typeof keyBodies)[number]): string {
  const template = ruleTemplates.find(({ key }) => key === 'redact_api_keys');
  if (template === undefined) throw new Error('no template redact_api_keys');
  const events = bodies.map((body): Event => ({ id: 'evt_1', type: 'bench', data: { body } }));
  const within = (budget: number): boolean => {
    const rules = compileRules([{ id: '1', ...template.rule }], { patterns: { budget } });
    return events.every((event) => rules.evaluate(event).limits.length === 0);
  };
  check(within(100_000_000), name);
  const shares = [1, 2, 5, 10, 20, 50, 100];
  const rules = compileRules([{ id: '1', ...template.rule }]);
  const texts = bodies.map((body) => JSON.stringify(body));
  const perBody = (run: () => void): number => 1_000_000 / perSecond(run) / bodies.length;
  const values = [
    perBody(() => events.forEach((event) => rules.evaluate(event))),
    perBody(() => texts.forEach((text) => void JSON.parse(text))),
    shares.find((share) => within(share * 1_000_000)) ?? null,
  ];
  return `| ${name.padEnd(27)} |${figures(values)} |`;
}

console.log('\nthe template redact_api_keys, µs a body\n');
console.log('| body                        | template | JSON.parse | % of the budget |');
console.log('| :-------------------------- | -------: | ---------: | --------------: |');
for (const each of keyBodies) console.log(keysRow(each));

console.log('\nreal payloads without a tier, over the same with all of them\n');
console.log(`| without | ${workloads.map(({ name }) => name).join(' | ')} |`);
console.log(`| :-- |${' --: |'.repeat(workloads.length)}`);
for (const tier of tiers) {
  const ratios = await ratiosWithout(tier, smoke ? effortOf.smoke : TIER_EFFORT);
  const cells = ratios.map((ratio) => (ratio === null ? '-' : `${Number(ratio.toPrecision(2))} ×`));
  console.log(`| ${tier.name} | ${cells.join(' | ')} |`);
}
