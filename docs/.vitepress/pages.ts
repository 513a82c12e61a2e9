/** The pages of the site: which Markdown files they are made from, their addresses, and the sidebar. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** Folder of the repository. */
export const ROOT = join(import.meta.dirname, '../..');

/** Written by typedoc, a file for each entry point of the package. */
const REFERENCE = 'docs/reference/';

/** Markdown files that are not pages, as globs. */
export const NOT_PAGES = [
  '{coverage,examples,reports,src,test}/**',
  'bench/*/**',
  'headgate-data/**',
  'docs/.vitepress/**',
];

/** Pages that are not in `docs/`. The first screen of the README is the home page. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'bench/RESULTS.md': 'results.md',
};

/**
 * The address of a Markdown file in the site, with the ending `.md`, or undefined if it is not a page.
 *
 * @param file - A path from the root of the repository.
 */
export function addressOf(file: string): string | undefined {
  if (file in ELSEWHERE) return ELSEWHERE[file];
  const isPage = /^docs\/(?:reference\/.+|[^/]+)\.md$/.test(file) && existsSync(join(ROOT, file));
  return isPage ? file.slice('docs/'.length) : undefined;
}

/** Files of each group of the sidebar, in order. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['README.md', ...guides('quickstarts', 'tutorial', 'guides', 'shapes', 'testing', 'cli')],
  Rules: guides('rules', 'patterns', 'cookbook', 'rules-from-elsewhere'),
  Sending: guides('delivery', 'stores', 'outbox', 'signing', 'publishing', 'tracing'),
  Receiving: guides('receivers', 'verifiers', 'clients'),
  'The service': guides('host', 'dashboard', 'api', 'api-answers', 'portal', 'alerts'),
  Reference: [`${REFERENCE}index.md`, ...guides('errors', 'bundlers')],
  About: [
    ...guides('comparison', 'moving', 'security', 'performance'),
    'bench/RESULTS.md',
    ...guides('architecture', 'glossary'),
    'CONTRIBUTING.md',
    'CHANGELOG.md',
  ],
};

function guides(...names: readonly string[]): string[] {
  return names.map((name) => `docs/${name}.md`);
}

/** The sidebar, with the titles that the files have. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const listed = Object.values(GROUPS).flat();
  const forgotten = readdirSync(join(ROOT, 'docs'))
    .map((name) => `docs/${name}`)
    .filter((file) => file.endsWith('.md') && !listed.includes(file));
  if (forgotten.length > 0) throw new Error(`no group of the sidebar has ${forgotten.join(', ')}`);
  return Object.entries(GROUPS).map(([text, files]) => ({ text, items: files.map(item) }));
}

function item(file: string): DefaultTheme.SidebarItem {
  const text = /^# (.*)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1];
  if (text === undefined) throw new Error(`${file} has no title`);
  const link = `/${addressOf(file) ?? file}`.replace(/(?:index)?\.md$/, '');
  return { text, link, ...(file.startsWith(REFERENCE) && { items: entryPoints(), collapsed: true }) };
}

function entryPoints(): DefaultTheme.SidebarItem[] {
  return readdirSync(join(ROOT, REFERENCE), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && path !== 'index.md')
    .map((path) => path.replaceAll('\\', '/').slice(0, -'.md'.length))
    .sort()
    .map((name) => ({ text: name, link: `/reference/${name}` }));
}
