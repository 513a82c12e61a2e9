/**
 * What does a pattern cost on each engine, natively, and beside RegExp?
 *
 *     npx tsx bench/patterns.ts
 *
 * Every contender has to give the right answer before it is timed. CPU time, so that a busy machine blurs it less.
 */
import { compilePattern, compileRedaction, type PatternEngine } from '../src/patterns/index.js';
import { parsePattern } from '../src/patterns/pattern.js';
import { printPattern } from '../src/patterns/print.js';
import { createRe2WasmEngine } from '../src/patterns/re2-wasm/index.js';
import { re2js } from '../src/patterns/re2js/index.js';

const MEASURED_MICROS = 300_000;

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

const figures = (values: readonly number[]): string =>
  values.map((value) => Number(value.toPrecision(2)).toLocaleString('en').padStart(11)).join(' |');

function testRow({ name, pattern, hit }: Case): string {
  const subjects = [subjectOf(1024, hit, 1), subjectOf(1024, hit, 0)];
  const regExp = new RegExp(pattern, 'u');
  const contenders = [...engines.map((engine) => compilePattern(pattern, { engine })), regExp];
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
  const printed = printPattern(parsePattern(pattern).tree);
  const values = engines.map((engine) => {
    const compile = (): void => {
      const program = engine.compile(printed);
      check(program.test(hit), name);
      program.dispose();
    };
    return 1_000_000 / perSecond(compile);
  });
  return `| ${name.padEnd(16)} |${figures(values)} |`;
}

console.log('test, 1 KB, runs a second\n');
console.log('| pattern          | re2js: hit | re2-wasm | RegExp | re2js: miss | re2-wasm | RegExp |');
console.log('| :--------------- | ---------: | -------: | -----: | ----------: | -------: | -----: |');
for (const each of cases) console.log(testRow(each));
console.log('\nredaction, 64 KB with 128 matches, runs a second\n');
console.log('| pattern          | re2js | re2-wasm | RegExp |');
console.log('| :--------------- | ----: | -------: | -----: |');
for (const each of cases.filter(({ name }) => name !== 'bot at the end')) console.log(redactionRow(each));
console.log('\ncompiling by the engine and a first test, µs\n');
console.log('| pattern          | re2js | re2-wasm |');
console.log('| :--------------- | ----: | -------: |');
for (const each of cases) console.log(compileRow(each));
