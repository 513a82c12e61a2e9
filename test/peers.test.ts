/** Optional packages, found from three directories. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { requireFor } from '../src/peers.js';

/** A folder in which a package is installed that is nowhere else. */
function folderWith(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headgate-peers-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const home = join(folder, 'node_modules', name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'index.js'), 'module.exports = "found";');
  return folder;
}

test('a package that is installed beside this one is found', () => {
  expect(requireFor('undici/index.js').resolve('undici/index.js')).toContain('node_modules/undici');
});

test('one beside the program is found', () => {
  const [node = '', program] = process.argv;
  onTestFinished(() => void (process.argv = [node, program ?? '']));
  process.argv = [node, join(folderWith('beside-the-program'), 'main.js')];
  expect(requireFor('beside-the-program')('beside-the-program')).toBe('found');
});

test('one in the working directory is found', () => {
  const folder = folderWith('in-the-working-directory');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(requireFor('in-the-working-directory')('in-the-working-directory')).toBe('found');
});

test('one that is nowhere is told as Node tells it', () => {
  expect(() => requireFor('a-package-that-is-nowhere')).toThrow(
    expect.objectContaining({ code: 'MODULE_NOT_FOUND' }),
  );
});
