/** docs/outbox.md shows the files of examples/outbox, which `npm run test:outbox` runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const EXAMPLES = 'examples/outbox';
const page = readFileSync('docs/outbox.md', 'utf8');
const files = readdirSync(EXAMPLES).filter((name) => /\.(?:ts|prisma)$/.test(name));

test('there are files to show', () => expect(files).toContain('kysely.ts'));

test.for(files)('the page shows %s', (name) => {
  const code = readFileSync(`${EXAMPLES}/${name}`, 'utf8').replace(/^\/\*\*.*\n/, '');
  const shown = Array.from(page.matchAll(/^```(?:ts|prisma).*\n([\s\S]*?)^```$/gm), ([, block]) => block);
  expect(shown).toContain(code);
});
