/** Asks questions: every case in a process of its own, one after the other. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { peers } from '../reporting/machine.js';
import { bundle } from './bundle.js';
import { startProgress, type Progress } from './progress.js';
import type { Answer, AnyQuestion, Case, Report } from './question.js';

/** A question, its answers and what to say about them. */
export interface Answered {
  readonly question: AnyQuestion;
  readonly answers: readonly Answer<Case, unknown>[];
  readonly failures: readonly Failure[];
  readonly report: Report;
}

/** A case whose process ended without an answer: it was wrong, ran out of time or memory. */
export interface Failure {
  readonly of: Case;
  readonly reason: string;
}

export interface Asking {
  readonly quick: boolean;
  /** Which cases: those that have these values, where they have such a member at all. */
  readonly only: Readonly<Record<string, string>>;
  /** Values that cases have: a case is chosen if it has one of them. @defaultValue none; all cases are chosen */
  readonly named?: readonly string[];
}

const TIMEOUT_MS = 300_000;

export async function ask(questions: readonly AnyQuestion[], asking: Asking): Promise<Answered[]> {
  demandPeers();
  const { quick } = asking;
  const chosen = questions.map((question) => ({ question, cases: casesOf(question, asking) }));
  const script = (await bundle({ measuring: 'running/measuring.ts' }))('measuring');
  const progress = startProgress(chosen.reduce((sum, { cases }) => sum + cases.length, 0));
  const answered: Answered[] = [];
  for (const { question, cases } of chosen) {
    const { answers, failures } = await answersOf(question, cases, { script, quick, progress });
    answered.push({ question, answers, failures, report: question.report(answers) });
  }
  progress.stop();
  return answered;
}

/** Installs nothing: says how to, and ends the process. */
function demandPeers(): void {
  const missing = Object.keys(peers()).filter(
    (name) => !existsSync(new URL(`../node_modules/${name}`, import.meta.url)),
  );
  if (missing.length === 0) return;
  console.error(`Not installed: ${missing.join(', ')}. Run npm ci --prefix bench`);
  process.exit(1);
}

/** What is asked for by name is asked, also where a quick run would leave it out. */
function casesOf(question: AnyQuestion, asking: Asking): readonly Case[] {
  const every = question.cases(false);
  for (const name of asking.named ?? []) {
    if (!every.some((of) => hasValue(of, name))) throw new Error(`${question.name} has no case ${name}`);
  }
  const chosen = question.cases(asking.quick).filter((of) => isChosen(of, asking));
  return chosen.length > 0 ? chosen : every.filter((of) => isChosen(of, asking));
}

const hasValue = (of: Case, value: string): boolean =>
  Object.values(of).some((member) => String(member) === value);

const isChosen = (of: Case, { only, named = [] }: Asking): boolean =>
  Object.entries(only).every(([name, value]) => !(name in of) || String(of[name]) === value) &&
  (named.length === 0 || named.some((value) => hasValue(of, value)));

interface Running {
  readonly script: string;
  readonly quick: boolean;
  readonly progress: Progress;
}

async function answersOf(
  question: AnyQuestion,
  cases: readonly Case[],
  running: Running,
): Promise<Pick<Answered, 'answers' | 'failures'>> {
  const answers: Answer<Case, unknown>[] = [];
  const failures: Failure[] = [];
  for (const of of cases) {
    running.progress.begin(`${question.name}: ${Object.values(of).join(', ')}`);
    try {
      answers.push({ of, result: await resultOf(question, of, running) });
    } catch (error) {
      failures.push({ of, reason: reasonOf(error) });
    }
    running.progress.end();
  }
  return { answers, failures };
}

/** Runs the process of a case. */
async function resultOf(question: AnyQuestion, of: Case, { script, quick }: Running): Promise<unknown> {
  const flags = ['--expose-gc', '--enable-source-maps', ...(question.flags?.(of) ?? [])];
  const args = [...flags, script, question.name, JSON.stringify(of), quick ? 'quick' : 'whole'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? 'null');
}

/** The line in which the process says what it threw. */
function reasonOf(error: unknown): string {
  const { stderr = '', message, killed } = error as Error & { stderr?: string; killed?: boolean };
  if (killed === true) return `no answer within ${TIMEOUT_MS / 1_000} s`;
  return /^\S*Error.*$/m.exec(stderr)?.[0] ?? /^FATAL.*$/m.exec(stderr)?.[0] ?? message;
}
