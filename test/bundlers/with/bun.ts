/** `bun build`, by its command. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { installRuntimes } from '../../runtimes/runtimes.js';
import { type Bundle, source } from '../bundler.js';

/** All that a command says on its standard error; rejects where it fails. */
async function complaints(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, code] = await Promise.all([
    text(child.stderr),
    new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)),
  ]);
  if (code !== 0) throw new Error(said);
  return said;
}

export const bun: Bundle = async (job) => {
  const { bun: command } = installRuntimes();
  const target = job.platform === 'browser' ? 'browser' : 'node';
  const files = new Map<string, string>();
  const warnings: string[] = [];
  for (const name of job.names) {
    const file = join(job.out, `${name}.mjs`);
    const flags = ['--minify', '--format=esm', `--target=${target}`, `--outfile=${file}`];
    const said = await complaints(command, ['build', source(job, name), ...flags]);
    if (said !== '') warnings.push(said);
    files.set(name, file);
  }
  return { files, warnings };
};
