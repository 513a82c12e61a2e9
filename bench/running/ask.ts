/** Asks questions: every case in a process of its own, one after the other. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { peers } from '../reporting/machine.js';
import { bundle } from './bundle.js';
import { startProgress, type Progress } from './progress.js';
import type { Length } from './cpu.js';
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
  readonly length: Length;
  /** Which cases: those that have these values, where they have such a member at all. */
  readonly only: Readonly<Record<string, string>>;
  /** Values that cases have: a case is chosen if it has one of them. @defaultValue none; all cases are chosen */
  readonly named?: readonly string[];
}

const TIMEOUT_MS = 300_000;

export async function ask(questions: readonly AnyQuestion[], asking: Asking): Promise<Answered[]> {
  demandPeers();
  const { length } = asking;
  const chosen = questions.map((question) => ({ question, cases: casesOf(question, asking) }));
  const script = (await bundle({ measuring: 'running/measuring.ts' }))('measuring');
  const progress = startProgress(chosen.reduce((sum, { cases }) => sum + cases.length, 0));
  const answered: Answered[] = [];
  for (const { question, cases } of chosen) {
    const { answers, failures } = await answersOf(question, cases, { script, length, progress });
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

/** The cases to run. Those named on the command line run even where a shorter run leaves them out. */
function casesOf(question: AnyQuestion, asking: Asking): readonly Case[] {
  const every = question.cases(false);
  for (const name of asking.named ?? []) {
    if (!every.some((of) => hasValue(of, name))) throw new Error(`${question.name} has no case ${name}`);
  }
  const chosen = casesOfLength(question, asking.length).filter((of) => isChosen(of, asking));
  return chosen.length > 0 ? chosen : every.filter((of) => isChosen(of, asking));
}

const casesOfLength = ({ cases, smokeCases }: AnyQuestion, length: Length): readonly Case[] =>
  length === 'smoke' && smokeCases !== undefined ? smokeCases() : cases(length !== 'whole');

const hasValue = (of: Case, value: string): boolean =>
  Object.values(of).some((member) => String(member) === value);

const isChosen = (of: Case, { only, named = [] }: Asking): boolean =>
  Object.entries(only).every(([name, value]) => !(name in of) || String(of[name]) === value) &&
  (named.length === 0 || named.some((value) => hasValue(of, value)));

interface Running {
  readonly script: string;
  readonly length: Length;
  readonly progress: Progress;
}

type Answers = Pick<Answered, 'answers' | 'failures'>;

async function answersOf(question: AnyQuestion, cases: readonly Case[], running: Running): Promise<Answers> {
  const groups = running.length === 'smoke' ? groupsOf(question, cases) : cases.map((of) => [of]);
  const lanes = running.length === 'smoke' ? availableParallelism() : 1; // what is measured is alone
  const answers: Answer<Case, unknown>[] = [];
  const failures: Failure[] = [];
  const lane = async (): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      const end = running.progress.begin(`${question.name}: ${group.map(nameOf).join('; ')}`);
      const ran = await run(question, group, running);
      group.forEach((of, nth) => {
        if (nth < ran.results.length) answers.push({ of, result: ran.results[nth] });
        else failures.push({ of, reason: ran.reason ?? 'it printed nothing' });
      });
      end(group.length);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { answers, failures };
}

const nameOf = (of: Case): string => Object.values(of).join(', ');

/** Cases that share a process where nothing is measured: a few times the cores, with the same flags. */
function groupsOf(question: AnyQuestion, cases: readonly Case[]): Case[][] {
  const groups = new Map<string, Case[]>();
  cases.forEach((of, nth) => {
    const key = `${nth % availableParallelism()} ${question.flags?.(of).join(' ') ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), of]);
  });
  return [...groups.values()];
}

interface Ran {
  /** The results of the first cases. */
  readonly results: readonly unknown[];
  /** Why the process ended before all cases were answered. */
  readonly reason?: string;
}

/** Runs a process for cases that need the same flags. */
async function run(question: AnyQuestion, cases: readonly Case[], { script, length }: Running): Promise<Ran> {
  const flags = ['--expose-gc', '--enable-source-maps', ...(question.flags?.(cases[0]!) ?? [])];
  const args = [...flags, script, question.name, JSON.stringify(cases), length];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS });
    return { results: resultsIn(stdout) };
  } catch (error) {
    return { results: resultsIn((error as { stdout?: string }).stdout ?? ''), reason: reasonOf(error) };
  }
}

/** Other lines are what an engine says. */
const resultsIn = (stdout: string): unknown[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown);

/** The line in which the process says what it threw. */
function reasonOf(error: unknown): string {
  const { stderr = '', message, killed } = error as Error & { stderr?: string; killed?: boolean };
  if (killed === true) return `no answer within ${TIMEOUT_MS / 1_000} s`;
  return /^\S*Error.*$/m.exec(stderr)?.[0] ?? /^FATAL.*$/m.exec(stderr)?.[0] ?? message;
}
