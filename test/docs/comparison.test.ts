/** The tables of docs/comparison.md are complete, and what they say of others has a source that was read. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { definitionsOf, referencesOf, rowsWith, type Row } from './sourced.js';

const page = readFileSync('docs/comparison.md', 'utf8');
const products = ['Headgate', 'Svix', 'Convoy', 'Outpost', 'Standard Webhooks', 'json-rules-engine'];
const rows = rowsWith('Headgate', page);
const definitions = definitionsOf(page);

/** Cells that are absent, empty or too many, each as `what is asked: product`. */
const gaps = (row: Row): string[] => [
  ...products.filter((product) => !row.cells.get(product)).map((product) => `${row.asks}: ${product}`),
  ...(row.surplus > 0 ? [`${row.asks}: ${row.surplus} too many`] : []),
];

/** Cells about others that name no source and do not say that nothing was found. */
const unsourced = ({ asks, cells }: Row): string[] =>
  products
    .filter((product) => product !== 'Headgate' && !isSourced(cells.get(product) ?? ''))
    .map((product) => `${asks}: ${product}`);

const isSourced = (cell: string): boolean =>
  cell.includes('](https:') || referencesOf(cell).length > 0 || cell.includes('not documented');

describe('docs/comparison.md', () => {
  test('compares something', () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  test('has a cell for each product in every row', () => {
    expect(rows.flatMap(gaps)).toEqual([]);
  });

  test('names the source of every cell about another product, or says that it is not documented', () => {
    expect(rows.flatMap(unsourced)).toEqual([]);
  });

  test('defines every source that it names, and no other', () => {
    expect([...new Set(referencesOf(page))].sort()).toEqual([...definitions.keys()].sort());
  });

  test('takes files at a commit, and lists every commit and every site that was read', () => {
    const [, read = ''] = page.split(/^## Sources$/m);
    const list = read.replace(/^\[.*$/gm, '');
    const unlisted = [...definitions].filter(([, url]) => !list.includes(versionOf(url)));
    expect(unlisted).toEqual([]);
  });

  test.for([
    { cells: '| a | [b][s] | not documented | c | d | [e](https://e.example) |', gaps: 0, unsourced: 2 },
    { cells: '| a | [b][s] | | [c][s] | [d][s] | [e][s] |', gaps: 1, unsourced: 1 },
    { cells: '| a | [b][s] | [c][s] | [d][s] | [e][s] |', gaps: 1, unsourced: 1 },
    { cells: '| a | [b][s] | [c][s] | [d][s] | [e][s] | [f][s] | g |', gaps: 1, unsourced: 0 },
  ])('of $cells, gaps: $gaps, without a source: $unsourced', ({ cells, gaps: absent, unsourced: bare }) => {
    const table = `|  | ${products.join(' | ')} |\n| --- |\n| asked ${cells}\n`;
    const planted = rowsWith('Headgate', table);
    expect(planted.flatMap(gaps)).toHaveLength(absent);
    expect(planted.flatMap(unsourced)).toHaveLength(bare);
  });
});

/** The version of a source: the commit of a file on GitHub, the host of any other address. */
const versionOf = (url: string): string =>
  url.startsWith('https://github.com/')
    ? (/\/(?:blob|tree)\/([0-9a-f]{40})(?:\/|$)/.exec(url)?.[1] ?? `no commit in ${url}`)
    : new URL(url).host;
