/** Runs a bench where its file is the one that Node was told to run. */
import { basename } from 'node:path';
import type { AnyQuestion, Case, Question } from './question.js';
import { readBenchLine } from './command-line.js';

/**
 * Asks a question where its file is what Node was told to run: `npx tsx bench/flat.ts eq in --rules 100`. What
 * spawns processes is loaded only then, since the file is also part of what they run.
 */
export async function askIfMain<C extends Case, R>(question: Question<C, R>): Promise<void> {
  if (basename(process.argv[1] ?? '', '.ts') !== question.name) return;
  const [{ ask }, { printAnswered }] = await Promise.all([
    import('./ask.js'),
    import('../reporting/terminal.js'),
  ]);
  const asked = question as unknown as AnyQuestion;
  const members = new Set(asked.cases(false).flatMap((of) => Object.keys(of)));
  const { values, positionals, smoke } = readBenchLine({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      ...Object.fromEntries([...members].map((name) => [name, { type: 'string' as const }])),
    },
  });
  const { quick = false, ...only } = values as { quick?: boolean; [name: string]: unknown };
  delete only.smoke;
  const length = smoke ? 'smoke' : quick ? 'quick' : 'whole';
  const answered = await ask([asked], { length, only: only as Record<string, string>, named: positionals });
  answered.forEach(printAnswered);
  process.exitCode = answered.some(({ failures }) => failures.length > 0) ? 1 : 0;
}
