/** docs/bundlers.md and the table of programs. `npm run test:bundlers` compares the sizes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBlock } from '../marked-block.js';
import { cases, casesOn, slugOf, titleOf } from './cases.js';

test('every entry point of the package is bundled', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly exports: object };
  const entries = Object.keys(exports).filter((path) => path !== './package.json');
  expect(new Set(cases.map(({ from }) => from))).toEqual(
    new Set(entries.map((path) => path.replace(/^\./, 'headgate'))),
  );
});

test('every program has a name of its own', () => {
  expect(new Set(cases.map(slugOf)).size).toBe(cases.length);
});

test.for(['browser', 'server'] as const)(
  'the page shows every program for a %s, with its limit',
  (platform) => {
    const tables = readBlock({ document: 'docs/bundlers.md', command: 'npm run test:bundlers' }).split(
      '\n\n',
    );
    const table = tables.find((text) => text.startsWith(`| for a ${platform}`)) ?? '';
    const rows = table.split('\n').slice(2);
    expect(rows.map((row) => row.split(' | ')[0])).toEqual(
      casesOn(platform).map((one) => `| ${titleOf(one)}`),
    );
    expect(rows.map((row) => Number(/([\d.]+) \|$/.exec(row)?.[1]))).toEqual(
      casesOn(platform).map(({ limitsKb }) => limitsKb[platform]),
    );
  },
);
