/** The tables of docs/shapes.md have the members of the types, and the values that it prints have those members. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBlocks } from './blocks.js';
import { type Member, membersOf } from './types.js';

const PATH = 'docs/shapes.md';

/** Types with a table on the page, by their entries. */
const types = [
  ...['index.Event', 'index.Decision', 'index.Rule'],
  ...['Delivery', 'Attempt', 'AttemptSuccess', 'AttemptFailure'].map((name) => `delivery/index.${name}`),
];

interface Row {
  readonly name: string;
  readonly type: string;
}

/** The rows below the heading that is the name of a type. */
function tableOf(page: string, type: string): readonly Row[] {
  const [, below = ''] = page.split(`| \`${type}\` | type | |\n| --- | --- | --- |\n`);
  const [table = ''] = below.split('\n\n');
  return Array.from(table.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm), ([, name = '', cell = '']) => ({
    name,
    type: cell.replaceAll('\\|', '|'),
  }));
}

/** Rows that the type does not have, and members that have no row, each as `name: type`. */
function differences(rows: readonly Row[], members: readonly Member[]): readonly string[] {
  const wrong = rows.filter(
    (row) => !members.some(({ name, types: known }) => name === row.name && known.includes(row.type)),
  );
  const absent = members.filter(({ name }) => !rows.some((row) => row.name === name));
  return [
    ...wrong.map(({ name, type }) => `no member ${name}: ${type}`),
    ...absent.map(({ name, types: known }) => `no row ${name}: ${known.join(' or ')}`),
  ];
}

/** Members that a printed value lacks, or has too many. */
function misfits(value: object, rows: readonly Row[]): readonly string[] {
  const names = rows.map(({ name }) => name.replace('?', ''));
  return [
    ...Object.keys(value).filter((key) => !names.includes(key)),
    ...rows.map(({ name }) => name).filter((name) => !name.endsWith('?') && !(name in value)),
  ];
}

describe('docs/shapes.md', () => {
  const page = readFileSync(PATH, 'utf8');
  let members: ReadonlyMap<string, readonly Member[]> = new Map();
  beforeAll(() => {
    members = membersOf(types);
  });

  test.for(types)('the table of %s is that of the type', (type) => {
    const rows = tableOf(page, type.slice(type.lastIndexOf('.') + 1));
    expect(rows.length).toBeGreaterThan(1);
    expect(differences(rows, members.get(type) ?? [])).toEqual([]);
  });

  test('a row that is wrong, and one that is missing, are found', () => {
    const known = [{ name: 'id', types: ['string'] }];
    expect(differences([{ name: 'id', type: 'number' }], known)).toEqual(['no member id: number']);
    expect(differences([], known)).toEqual(['no row id: string']);
  });

  test.for([
    ['Event', 0],
    ['Decision', 1],
    ['Delivery', 2],
  ] as const)('the %s that it prints has the members of its table', ([type, nth]) => {
    const block = readBlocks().filter(({ document }) => document === PATH)[nth];
    const value = JSON.parse(block?.printed.join('\n') ?? '') as object;
    expect(misfits(value, tableOf(page, type))).toEqual([]);
  });

  test('the attempt that it prints has the members of its tables', () => {
    const [, , block] = readBlocks().filter(({ document }) => document === PATH);
    const { last_attempt: attempt } = JSON.parse(block?.printed.join('\n') ?? '') as {
      last_attempt: { outcome: object };
    };
    expect(misfits(attempt, tableOf(page, 'Attempt'))).toEqual([]);
    expect(misfits(attempt.outcome, tableOf(page, 'AttemptFailure'))).toEqual([]);
    expect(misfits({}, tableOf(page, 'AttemptSuccess'))).toEqual(['ok', 'status']);
  });
});
