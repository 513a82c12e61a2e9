/** docs/host.md and docs/api.md say what the tables of the code say. `WRITE=1` rewrites the tables. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { groups } from '../src/api-table.js';
import type { RouteDefinition } from '../src/api/route.js';
import { PROBLEMS } from '../src/errors/problem.js';
import { readCommand } from '../src/runtime/command-line.js';
import { VARIABLES } from '../src/runtime/variables.js';

const DOCS = join(import.meta.dirname, '../../../docs');
/** The table before which the sentence stands, up to `<!-- end -->`. */
const tableAfter = (about: string): RegExp =>
  new RegExp(`(<!-- the table of ${about} -->\\n)([\\s\\S]*?)(?=<!-- end -->)`);

const tables = [
  {
    page: 'host.md',
    about: 'runtime/variables.ts',
    head: '| variable | what it is | unset |\n|---|---|---|\n',
    rows: Object.entries(VARIABLES).map(
      ([name, { about, unset }]) => `| \`${name}\` | ${about} | ${unset} |\n`,
    ),
  },
  {
    page: 'api.md',
    about: 'errors/problem.ts',
    head: '| code | status | what it means |\n|---|--:|---|\n',
    rows: Object.entries(PROBLEMS).map(
      ([code, [status, title]]) => `| \`${code}\` | ${status} | ${title} |\n`,
    ),
  },
  {
    page: 'api.md',
    about: 'api-table.ts',
    head: '| method and path | who | what it does |\n|---|---|---|\n',
    rows: Object.entries(groups).flatMap(([title, routes]) => [
      `| **${title}** | | |\n`,
      ...Object.values<RouteDefinition>(routes).map(
        ({ method, path, access, portal, summary }) =>
          `| \`${method} ${path}\` | ${access}${portal === undefined ? '' : `, portal ${portal}`} | ${summary} |\n`,
      ),
    ]),
  },
];

test.for(tables)('$page has the table of $about', ({ page, about, head, rows }) => {
  const path = join(DOCS, page);
  const text = readFileSync(path, 'utf8');
  const table = head + rows.join('');
  if (env.WRITE === '1') {
    writeFileSync(
      path,
      text.replace(tableAfter(about), (_, begin: string) => begin + table),
    );
    return;
  }
  expect(tableAfter(about).exec(text)?.[2]).toBe(table);
  expect(rows.length).toBeGreaterThan(10);
});

test('every command line of headgate-host in host.md is one that it takes', () => {
  const text = readFileSync(join(DOCS, 'host.md'), 'utf8');
  const lines = Array.from(text.matchAll(/^npx headgate-host\b([^#\n]*)/gm), ([, words = '']) =>
    words.trim(),
  );
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(() => readCommand(line.split(' ').filter(Boolean))).not.toThrow();
});
