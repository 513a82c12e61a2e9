/** Every link in the documents leads somewhere. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { documents } from './documents.js';
import { lostLinks } from './links.js';

test.for(documents)('every link of %s leads somewhere', (document) => {
  expect(lostLinks('.', document)).toEqual([]);
});

test('the README leads to every page', () => {
  const readme = readFileSync('README.md', 'utf8');
  const pages = documents.filter((path) => /^docs\/[^/]*$/.test(path));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !readme.includes(`](${page})`))).toEqual([]);
});

test.for([
  { text: '![plot](plot.svg)', lost: ['plot.svg'] },
  { text: '<img src="plot.svg">', lost: ['plot.svg'] },
  { text: '```vue\n<img :src="url">\n```\n\n[a](gone.md)', lost: ['gone.md'] },
  { text: '[part](#part)\n\n## Other part', lost: ['#part'] },
  { text: '[name]: ../elsewhere.md', lost: ['../elsewhere.md'] },
  { text: '[part](#a-part)\n\n## A part\n\n[site](https://example.com) [itself](a.md)', lost: [] },
])('of $text what is lost is $lost', ({ text, lost }) => {
  const root = mkdtempSync(join(tmpdir(), 'headgate-links-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'a.md'), text);
  expect(lostLinks(root, 'a.md')).toEqual(lost);
});
