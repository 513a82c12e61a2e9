/** The tutorial, step by step as its reader does it: in a shell, in an empty folder, with the packed package. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../free-port.js';

interface Block {
  readonly language: string;
  readonly text: string;
}

const readBlocks = (): readonly Block[] =>
  Array.from(
    readFileSync('docs/tutorial.md', 'utf8').matchAll(/^```(js|sh|text)\n([\s\S]*?)^```$/gm),
    ([, language = '', text = '']) => ({ language, text }),
  );

/** Ids differ each time. */
const withoutIds = (text: string): string =>
  text.replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<id>');

/** The shell of a reader, with all that it has printed. */
function shellIn(folder: string): { readonly shell: ChildProcess; printed: string } {
  const shell = spawn('bash', [], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const made = { shell, printed: '' };
  shell.stdout.on('data', (data: Buffer) => (made.printed += data.toString()));
  onTestFinished(() => {
    if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
  });
  return made;
}

/** The longest wait for a step on a busy machine. */
const PATIENCE_MS = 120_000;

test('every step of the tutorial prints what the page shows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-tutorial-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [api, hooks] = [String(await freePort()), String(await freePort())];
  const onPorts = (text: string): string => text.replaceAll('8090', api).replaceAll('8091', hooks);
  const [first, ...steps] = readBlocks();
  expect(first?.text).toContain('npm install headgate @photostructure/sqlite');
  // Takes the place of the installation.
  symlinkSync(join(inject('consumer'), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');

  const reader = shellIn(folder);
  let [files, shown, from] = [0, 0, 0];
  for (const { language, text } of steps) {
    if (language === 'js') {
      const [, name = ''] = /^\/\/ ([\w-]+\.js)\n/.exec(text) ?? [];
      writeFileSync(join(folder, name), onPorts(text));
      files++;
    } else if (language === 'sh') {
      from = reader.printed.length;
      reader.shell.stdin?.write(onPorts(text));
    } else {
      const lines = withoutIds(onPorts(text)).trimEnd().split('\n').sort();
      const printed = (): string[] => withoutIds(reader.printed.slice(from)).split('\n').slice(0, -1).sort();
      // Processes print in any order.
      await expect.poll(printed, { timeout: PATIENCE_MS }).toEqual(lines);
      shown++;
    }
  }
  expect([files, shown]).toEqual([7, 10]);
});
