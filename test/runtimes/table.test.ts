/**
 * The table of runtimes in docs/bundlers.md: of the shape that `npm run test:runtimes` prints. The command itself
 * compares every figure.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBlock } from '../marked-block.js';
import { AREAS } from './checks/checks.js';
import { tableOf } from './table.js';

const lines = readBlock({ document: 'docs/bundlers.md', command: 'npm run test:runtimes' }).split('\n');

test('its headings are those of an empty table', () => {
  expect(lines.slice(0, 2).join('\n')).toBe(tableOf([]));
});

test('each row has a count or a dash for each part, and no count is zero', () => {
  const rows = lines.slice(2).map((line) => line.split(' | ').slice(1));
  expect(rows.length).toBeGreaterThan(8);
  for (const cells of rows) {
    expect(cells).toHaveLength(AREAS.length);
    for (const cell of cells) expect(cell.replace(' |', '')).toMatch(/^([1-9]\d*|–)$/);
  }
});

test('it names the version of every runtime that is installed', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync('test/runtimes/package.json', 'utf8'),
  ) as Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>;
  const names = lines.slice(2).join('\n');
  for (const version of Object.values({ ...dependencies, ...optionalDependencies })) {
    expect(names).toContain(` ${version.slice(version.lastIndexOf('@') + 1)} |`);
  }
});
