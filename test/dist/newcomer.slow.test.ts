/**
 * The first quarter of an hour: a new folder, what `npm init` and `tsc --init` put there, and the README's first
 * example.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/** The first example of a page, below a heading. */
function exampleOf(page: string, heading = ''): string {
  const text = readFileSync(page, 'utf8');
  return /^```ts.*\n([\s\S]*?)^```$/m.exec(text.slice(text.indexOf(heading)))?.[1] ?? '';
}
const firstExample = exampleOf('README.md');
/** The compiler's own script, by the running Node: no registry, no shell. */
const tsc = resolve('node_modules/typescript/bin/tsc');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-newcomer-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(inject('consumer'), 'node_modules', 'headgate'), join(folder, 'node_modules', 'headgate'));
  execFileSync('npm', ['init', '-y'], { cwd: folder, stdio: 'pipe' });
  execFileSync(process.execPath, [tsc, '--init'], { cwd: folder, stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The output of `tsc` for one file under the settings of `tsc --init`. */
function compile(name: string, code: string, types: readonly string[] = []): string {
  writeFileSync(join(folder, name), code);
  const config = { extends: './tsconfig.json', compilerOptions: { noEmit: true, types }, files: [name] };
  writeFileSync(join(folder, 'tsconfig.one.json'), JSON.stringify(config));
  const argv = [tsc, '-p', 'tsconfig.one.json'];
  return spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' }).stdout;
}

test('the README’s first example compiles as `first.mts`', () => {
  expect(firstExample).toContain('compileRules');
  expect(compile('first.mts', firstExample)).toBe('');
  expect(compile('first.mts', firstExample.replace("op: 'gte'", "op: 'equals'"))).toContain('equals');
});

test.for([
  ['docs/signing.md', '### node:http'],
  ['docs/delivery.md', '## A whole run'],
] as const)('the example of %s below %s compiles once the types of Node are there', ([page, heading]) => {
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  const types = join(folder, 'node_modules', '@types', 'node');
  symlinkSync(resolve('node_modules/@types/node'), types);
  expect(exampleOf(page, heading)).toContain('createServer');
  expect(compile('example.mts', exampleOf(page, heading), ['node'])).toBe('');
  expect(compile('example.mts', exampleOf(page, heading))).toContain('npm i --save-dev @types/node');
  rmSync(types);
});

test('it runs as `first.mjs`, since no type is in it', () => {
  writeFileSync(join(folder, 'first.mjs'), firstExample);
  const printed = execFileSync(process.execPath, ['first.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(printed).toBe("deliver [ 'urgent' ]\n");
});
