/**
 * All benches of rules, and the pages made of them.
 *
 *     npm run bench every question, some twenty minutes; writes RESULTS.md, cost.svg and the README's figures npm run
 *     bench -- --quick a minute; writes nothing npm run bench -- --quick --into DIR a minute; writes the same pages
 *     into a folder npm run bench -- flat alone only these; writes nothing
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { questions } from './questions.js';
import { circumstances } from './reporting/machine.js';
import { resultsText } from './reporting/markdown.js';
import { plot } from './reporting/plot.js';
import { withSummary } from './reporting/readme.js';
import { costFigure, summary } from './reporting/summary.js';
import { printAnswered } from './reporting/terminal.js';
import { ask, type Answered } from './running/ask.js';
import { readBenchLine } from './running/command-line.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const README = join(HERE, '../README.md');

const { values, positionals, smoke } = readBenchLine({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, into: { type: 'string' } },
});
const length = smoke ? 'smoke' : values.quick ? 'quick' : 'whole';
const chosen = questions.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const answered = await ask(chosen, { length, only: {} });
answered.forEach(printAnswered);
const failed = answered.some(({ failures }) => failures.length > 0);
process.exitCode = failed ? 1 : 0;
if (chosen.length < questions.length) console.log('\nNothing written: that takes every question.');
else if (values.into !== undefined) writeInto(values.into);
else if (length === 'whole') write(answered, HERE, README);
else if (smoke && !failed) tryWriting();

/** Writes the pages. @param readme - The file that gets its figures anew. */
function write(answered: readonly Answered[], folder: string, readme: string): void {
  writeFileSync(join(folder, 'RESULTS.md'), resultsText(answered, circumstances(new Date())));
  writeFileSync(join(folder, 'cost.svg'), plot(costFigure(answered)));
  writeFileSync(readme, withSummary(readFileSync(README, 'utf8'), summary(answered)));
  console.log(`\nWritten: RESULTS.md and cost.svg in ${folder}, and the figures of ${readme}.`);
}

function writeInto(folder: string): void {
  mkdirSync(folder, { recursive: true });
  write(answered, folder, join(folder, 'README.md'));
}

function tryWriting(): void {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  writeInto(folder);
  rmSync(folder, { recursive: true });
}
