/** Every link of the built site leads to a page, and every anchor to an element of it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../../docs/.vitepress/markdown.js';
import { files, pages, read } from './built.js';

/** Text of an attribute, without the entities of HTML. */
const plain = (text: string): string =>
  text.replace(/&(amp|quot|lt|gt|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };

/** All values of an attribute in a page. */
const valuesOf = (html: string, attribute: string): string[] =>
  Array.from(html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g')), ([, value = '']) => plain(value));

const idsOf = new Map(pages.map((page) => [page, new Set(valuesOf(read(page), 'id'))]));

/** A fault of a link, such as an address that is not a page, or undefined. */
function faultOf(page: string, link: string): string | undefined {
  if (link.startsWith(`${REPOSITORY}/blob/main/`) || link.startsWith(`${REPOSITORY}/tree/main/`)) {
    const path = new URL(link).pathname.split('/').slice(5).join('/');
    return existsSync(join(import.meta.dirname, '../..', decodeURI(path))) ? undefined : 'no such file';
  }
  if (/^[a-z]+:/.test(link)) return undefined;
  const { pathname, hash } = new URL(link, `http://site${page}`);
  const path = decodeURI(pathname).replace(/\/$/, '/index.html');
  if (!files.includes(path)) return 'no such page';
  const id = decodeURIComponent(hash.slice(1));
  return id === '' || idsOf.get(path)?.has(id) ? undefined : 'no such anchor';
}

test.for(pages)('every link of %s leads somewhere', (page) => {
  const html = read(page);
  const links = [...new Set(['href', 'src'].flatMap((attribute) => valuesOf(html, attribute)))];
  expect(links.length).toBeGreaterThan(0);
  const faults = links.map((link) => [link, faultOf(page, link)]).filter(([, fault]) => fault !== undefined);
  expect(faults).toEqual([]);
});

test('a link can be broken', () => {
  expect(faultOf('/rules.html', '/rules.html#nothing-of-the-kind')).toBe('no such anchor');
  expect(faultOf('/rules.html', '#nothing-of-the-kind')).toBe('no such anchor');
  expect(faultOf('/rules.html', 'nothing.html')).toBe('no such page');
  expect(faultOf('/rules.html', `${REPOSITORY}/blob/main/nothing.ts`)).toBe('no such file');
  expect(faultOf('/rules.html', './#headgate')).toBeUndefined();
});
