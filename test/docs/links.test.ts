import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder } from '../files.js';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...filesUnder('docs'),
  ...filesUnder('examples'),
]
  .filter((path) => path.endsWith('.md') && !path.startsWith('docs/api/'))
  .filter((path) => existsSync(path));

/** The name that a heading has in links, as GitHub makes it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (path: string): string[] =>
  Array.from(readFileSync(path, 'utf8').matchAll(/^#{1,6} (.*)$/gm), ([, heading = '']) => anchor(heading));

test.for(documents)('every link of %s leads somewhere', (document) => {
  const links = readFileSync(document, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g);
  const lost = Array.from(links)
    .map(([, path = '', name]) => ({ to: path === '' ? document : join(dirname(document), path), name }))
    .filter(({ to, name }) => !existsSync(to) || (name !== undefined && !anchorsOf(to).includes(name)));
  expect(lost).toEqual([]);
});
