/**
 * All benches of rules, and the pages made of them.
 *
 *     npm run bench                    every question, some fifteen minutes; writes RESULTS.md, cost.svg and the README's figures
 *     npm run bench -- --quick         a minute, writes nothing
 *     npm run bench -- flat alone      only these, writes nothing
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { questions } from './questions.js';
import { circumstances } from './reporting/machine.js';
import { resultsText } from './reporting/markdown.js';
import { plot } from './reporting/plot.js';
import { withSummary } from './reporting/readme.js';
import { costFigure, summary } from './reporting/summary.js';
import { printAnswered } from './reporting/terminal.js';
import { ask, type Answered } from './running/ask.js';
import { readBenchLine } from './running/command-line.js';

const { values, positionals, smoke } = readBenchLine({
  allowPositionals: true,
  options: { quick: { type: 'boolean' } },
});
const length = smoke ? 'smoke' : values.quick ? 'quick' : 'whole';
const chosen = questions.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const answered = await ask(chosen, { length, only: {} });
answered.forEach(printAnswered);
if (length !== 'whole' || chosen.length < questions.length)
  console.log('\nNothing written: that takes a whole run.');
else write(answered);
process.exitCode = answered.some(({ failures }) => failures.length > 0) ? 1 : 0;

function write(answered: readonly Answered[]): void {
  const here = (path: string): URL => new URL(path, import.meta.url);
  writeFileSync(here('RESULTS.md'), resultsText(answered, circumstances(new Date())));
  writeFileSync(here('cost.svg'), plot(costFigure(answered)));
  const readme = here('../README.md');
  writeFileSync(readme, withSummary(readFileSync(readme, 'utf8'), summary(answered)));
  console.log('\nWritten: bench/RESULTS.md, bench/cost.svg, and the figures of README.md.');
}
