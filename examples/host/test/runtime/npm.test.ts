/** `npm run host`: signals that reach npm reach the service, which stops as it should, and nothing is left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../../../../test/alive.js';
import { until } from '../../../../test/until.js';
import { newFolder } from './service.js';

const HOST = join(import.meta.dirname, '../..');
const ROOT = join(HOST, '../..');

const endings: (() => void)[] = [];
afterAll(() => endings.forEach((end) => end()));

/** Runs `npm` in a process group of its own, as a shell does. */
function npm(folder: string, ...words: readonly string[]) {
  const env = { ...process.env, HEADGATE_DATA: join(folder, 'data'), PORT: '0', DATABASE_URL: '' };
  const child = spawn('npm', words, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const group = child.pid ?? 0;
  let printed = '';
  const print = (chunk: Buffer): void => void (printed += chunk.toString());
  child.stdout.on('data', print);
  child.stderr.on('data', print);
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  endings.push(() => {
    if (isAlive(-group)) process.kill(-group, 'SIGKILL');
  });
  return { child, group, exit, printed: () => printed };
}

beforeAll(async () => {
  const { exit, printed } = npm(ROOT, 'run', 'prehost');
  expect((await exit)[0], printed()).toBe(0);
});

test.for([
  ['SIGTERM', 'npm alone', ['run', '--prefix', ROOT, 'host']],
  ['SIGINT', 'its group, as a terminal does', ['run', '--prefix', ROOT, 'host']],
  ['SIGTERM', 'npm alone', ['start', '--prefix', HOST]],
] as const)('%s to %s ends %j well, and all that it started', async ([signal, whom, words]) => {
  const { child, group, exit, printed } = npm(newFolder(), ...words);
  await until(() => printed().includes('"msg":"started"') || child.exitCode !== null);
  const pid = Number(/"pid":(\d+)/.exec(printed())?.[1]);
  process.kill(whom === 'npm alone' ? group : -group, signal);
  expect(await exit, printed()).toEqual([0, null]);
  await expect.poll(printed).toContain('"msg":"stopped"');
  expect([isAlive(pid), isAlive(-group)]).toEqual([false, false]);
});

test('npm replaces its shell with the program, since a shell passes no signal on', () => {
  const scripts = (folder: string) =>
    (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
      .scripts;
  for (const script of [scripts(ROOT).host, scripts(ROOT).start, scripts(HOST).start]) {
    expect(script).toMatch(/^exec \w+ [^;&|]+$/);
  }
});
