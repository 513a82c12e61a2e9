/**
 * Every bench in its shortest form, so that none rots. The benches are the files of a folder, so that none is
 * forgotten.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';

/** Each bench prints this line where it is run with `--smoke`. */
export const SMOKE_NOTE = 'Shortest form: the answers are checked; the figures are not to be quoted.';

const TIMEOUT_MS = 300_000;

/** How a run ended. */
export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** The benches of a folder, by name; `others` are files beside them. */
export const benchesIn = (folder: URL, others: readonly string[]): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((name) => !others.includes(name))
    .sort();

/** Reason why a run does not count, or null. */
export function faultOf({ code, output }: Ran): string | null {
  if (code !== 0) return `exit code ${code}`;
  if (!output.includes(SMOKE_NOTE)) return 'it has no shortest form: it must read --smoke';
  const figures = output.replace(SMOKE_NOTE, '').match(/(?<![\w.-])\d[\d,.]*(?!\w)/g) ?? [];
  if (figures.length === 0) return 'it prints no figure';
  return /\bNaN\b|\bInfinity\b/.test(output) ? 'a figure is no number' : null;
}

/** Runs a bench in its shortest form. */
export const smoke = (script: string): Promise<Ran> =>
  new Promise((resolve) => {
    const args = ['--expose-gc', '--import', 'tsx', script, '--smoke'];
    execFile(process.execPath, args, { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, output: `${stdout}\n${stderr}` });
    });
  });
