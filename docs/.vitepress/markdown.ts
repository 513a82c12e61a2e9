/** How the site renders Markdown that is written for GitHub: its links, its pictures, and the first screen of the README. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';
import { addressOf, ROOT } from './pages.js';
import type { Picture } from './pictures.js';

const { repository } = JSON.parse(readFileSync(posix.join(ROOT, 'package.json'), 'utf8')) as {
  readonly repository: { readonly url: string };
};

/** Address of the repository in a browser. */
export const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, '');

type Token = Parameters<MarkdownRenderer['renderer']['renderToken']>[0][number];

/** Path of the file that is rendered, from the root of the repository. */
function fileOf(env: unknown): string {
  const { realPath, path } = env as { readonly realPath?: string | null; readonly path: string };
  return posix.relative(ROOT, realPath ?? path);
}

/**
 * Teaches a renderer what GitHub does in another way than VitePress.
 *
 * @param pictures - Smaller copies of pictures, by their paths from the root of the repository.
 */
export function renderLikeGitHub(md: MarkdownRenderer, pictures: ReadonlyMap<string, Picture>): void {
  md.core.ruler.before('inline', 'first screen', ({ tokens, env }) => {
    if (fileOf(env) !== 'README.md') return;
    tokens.splice(tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h2'));
  });
  md.core.ruler.after('inline', 'links and pictures', ({ tokens, env }) => {
    const file = fileOf(env);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') {
        setAttributes(token, { href: linkFrom(file, token.attrGet('href') ?? '') });
      }
      if (token.type === 'image') showNarrower(token, file, pictures);
      // Vue would evaluate what is in double braces.
      if (token.type === 'code_inline') setAttributes(token, { 'v-pre': '' });
    }
  });
  md.core.ruler.push('empty headers', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const isEmpty =
        token.type === 'inline' && token.content === '' && tokens[index - 1]?.type === 'th_open';
      if (isEmpty) {
        for (const cell of [tokens[index - 1], tokens[index + 1]]) if (cell !== undefined) cell.tag = 'td';
      }
    }
  });
  const { text, fence } = md.renderer.rules;
  md.renderer.rules.text = (...args) => (text?.(...args) ?? '').replaceAll('{{', '&#123;&#123;');
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    return token?.info === 'mermaid' ? diagram(token.content) : (fence?.(tokens, index, ...rest) ?? '');
  };
}

function setAttributes(token: Token, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) token.attrSet(name, String(value));
}

/** The target of a link of a file: a page of the site, else the file in the repository. */
function linkFrom(file: string, href: string): string {
  if (/^\w+:/.test(href)) return href;
  const [, path = '', hash = ''] = /^([^#]*)(.*)$/.exec(decodeURI(href)) ?? [];
  // The sections of the README below its first screen are not on the home page.
  if (path === '') return file === 'README.md' ? `${REPOSITORY}${hash}` : href;
  const to = posix.join(posix.dirname(file), path).replace(/\/$/, '');
  const address = addressOf(to);
  if (address !== undefined) return `/${address}${hash}`;
  const target = posix.join(ROOT, to);
  if (!existsSync(target)) throw new Error(`${file} links to ${href}, which does not exist`);
  return `${REPOSITORY}/${statSync(target).isDirectory() ? 'tree' : 'blob'}/main/${to}${hash}`;
}

function showNarrower(token: Token, file: string, pictures: ReadonlyMap<string, Picture>): void {
  const folder = posix.dirname(file);
  const picture = pictures.get(posix.join(folder, token.attrGet('src') ?? ''));
  if (picture === undefined) return;
  const { path, width, height } = picture;
  setAttributes(token, { src: posix.relative(folder, path), width, height });
}

/** Closer than by default, since a column of text is narrow. With much less, ELK throws. */
const SPACING = { padding: 4, nodeSpacing: 12, layerSpacing: 20 };

/** A Mermaid diagram as SVG, in the colors of the theme. Its own style sheet asks for a font from elsewhere. */
function diagram(source: string): string {
  const svg = renderMermaidSVG(source, SPACING)
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/ style="[^"]*"/, '');
  return `<figure class="diagram" tabindex="0" v-pre>${svg}</figure>\n`;
}
