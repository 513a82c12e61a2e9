/** The links of a document, and where they lead. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The name that a heading has in links, as GitHub makes it. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (path: string): string[] =>
  Array.from(readFileSync(path, 'utf8').matchAll(/^#{1,6} (.*)$/gm), ([, heading = '']) => anchor(heading));

/** Images and links in Markdown, by `[…](to)` and `[name]: to`, and in HTML, by `src` and `href`. */
const LINK = /(?:\]\(|^\[[^\]]+\]:\s*|\b(?:src|href)=")(?!\w+:)([^)#\s"]*)(?:#([^)\s"]*))?/gm;

/** Fenced code, whose brackets and attributes are not links of the document. */
const CODE = /^```[\s\S]*?^```$/gm;

/**
 * Links of a document that lead to no file under `root`, or to no heading of one.
 *
 * @param document - A path from `root`.
 */
export function lostLinks(root: string, document: string): string[] {
  const path = join(root, document);
  const text = readFileSync(path, 'utf8').replaceAll(CODE, '');
  return Array.from(text.matchAll(LINK), ([, to = '', name]) => ({ to, name }))
    .filter(({ to, name }) => !leadsSomewhere(to === '' ? path : join(dirname(path), to), name))
    .map(({ to, name }) => (name === undefined ? to : `${to}#${name}`));
}

const leadsSomewhere = (path: string, name: string | undefined): boolean =>
  existsSync(path) && (name === undefined || anchorsOf(path).includes(name));
