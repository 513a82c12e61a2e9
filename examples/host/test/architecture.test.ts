/** The path of an event, as docs/architecture.md describes it: each function is exported by the file that is named. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const document = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
const [, section = ''] = document.split('### The path of an event through the host');
const rows = [...section.matchAll(/^\| [^|]+ \| `(\w+)` \| `([\w/-]+\.ts)` \|$/gm)];

test('the document names every step', () => {
  expect(rows.length).toBeGreaterThan(10);
});

test.each(rows.map(([, name, file]) => ({ name: name!, file: file! })))(
  '$name is in $file',
  ({ name, file }) => {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
    expect(source).toMatch(new RegExp(`^export (?:async )?(?:function|const|class) ${name}\\b`, 'm'));
  },
);
