/** docs/errors.md lists every code. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCodes } from './codes.js';

interface Row {
  readonly code: string;
  readonly cause: string;
  readonly cure: string;
}

/** The rows under each heading of docs/errors.md, by every `name` that the heading holds. */
function documented(): Map<string, Row[]> {
  const sections = readFileSync('docs/errors.md', 'utf8').split(/^## /m).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const [heading = ''] = section.split('\n', 1);
      const rows = Array.from(
        section.matchAll(/^\| `(\w+)` *\|([^|]*)\|([^|]*)\|$/gm),
        ([, code = '', cause = '', cure = '']) => ({
          code,
          cause: cause.trim(),
          cure: cure.trim(),
        }),
      );
      return Array.from(heading.matchAll(/`(\w+)`/g), ([, name = '']): [string, Row[]] => [name, rows]);
    }),
  );
}

describe('docs/errors.md', () => {
  let exist: [string, readonly string[]][] = [];
  beforeAll(() => {
    const { unions, classes } = readCodes();
    exist = [...unions, ...classes].filter(([, codes]) => codes.length > 0);
  });

  test('lists every code that exists, and no other', () => {
    const pages = Array.from(
      documented(),
      ([name, rows]) => [name, rows.map(({ code }) => code).sort()] as const,
    );
    expect(exist.length).toBeGreaterThan(5);
    expect(Object.fromEntries(pages)).toEqual(Object.fromEntries(exist));
  });

  test('gives each a cause and a cure', () => {
    const rows = [...documented().values()].flat();
    expect(rows.filter(({ cause, cure }) => cause.length < 10 || cure.length < 10)).toEqual([]);
  });
});
