/** Asks questions: every case in a process of its own, one after the other. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { bundle } from './bundle.js';
import { startProgress, type Progress } from './progress.js';
import type { Answer, AnyQuestion, Case, Report } from './question.js';

/** A question, its answers and what to say about them. */
export interface Answered {
  readonly question: AnyQuestion;
  readonly answers: readonly Answer<Case, unknown>[];
  readonly report: Report;
}

export interface Asking {
  readonly quick: boolean;
  /** Which cases: those that have these values, where they have such a member at all. */
  readonly only: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 300_000;
const PEERS = new URL('../node_modules/sift', import.meta.url);

export async function ask(questions: readonly AnyQuestion[], { quick, only }: Asking): Promise<Answered[]> {
  if (!existsSync(PEERS)) throw new Error('what is compared with is not installed: npm ci --prefix bench');
  const chosen = questions.map((question) => ({
    question,
    cases: question.cases(quick).filter((of) => isChosen(of, only)),
  }));
  const script = await bundle();
  const progress = startProgress(chosen.reduce((sum, { cases }) => sum + cases.length, 0));
  const answered: Answered[] = [];
  for (const { question, cases } of chosen) {
    const answers = await answersOf(question, cases, { script, quick, progress });
    answered.push({ question, answers, report: question.report(answers) });
  }
  progress.stop();
  return answered;
}

const isChosen = (of: Case, only: Asking['only']): boolean =>
  Object.entries(only).every(([name, value]) => !(name in of) || String(of[name]) === value);

interface Running {
  readonly script: string;
  readonly quick: boolean;
  readonly progress: Progress;
}

async function answersOf(
  question: AnyQuestion,
  cases: readonly Case[],
  { script, quick, progress }: Running,
): Promise<Answer<Case, unknown>[]> {
  const answers: Answer<Case, unknown>[] = [];
  for (const of of cases) {
    progress.begin(`${question.name}: ${Object.values(of).join(', ')}`);
    const flags = ['--expose-gc', '--enable-source-maps', ...(question.flags?.(of) ?? [])];
    const args = [...flags, script, question.name, JSON.stringify(of), quick ? 'quick' : 'whole'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS });
    answers.push({ of, result: JSON.parse(stdout.trim().split('\n').at(-1) ?? 'null') as unknown });
    progress.end();
  }
  return answers;
}
