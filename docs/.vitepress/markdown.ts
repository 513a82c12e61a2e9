/** How the site renders Markdown that is written for GitHub: its links, its diagrams, and the first screen of the README. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';
import { addressOf, ROOT } from './pages.js';

const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly repository: { readonly url: string };
};

/** Address of the repository in a browser. */
export const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, '');

interface Environment {
  /** Path of the file that is rendered. */
  readonly realPath?: string | null;
  readonly path: string;
}

const fileOf = ({ realPath, path }: Environment): string =>
  relative(ROOT, realPath ?? path).replaceAll('\\', '/');

/** Teaches a renderer what GitHub does otherwise than VitePress. */
export function likeOnGitHub(md: MarkdownRenderer): void {
  md.core.ruler.before('inline', 'first screen', ({ tokens, env }) => {
    if (fileOf(env as Environment) !== 'README.md') return;
    const end = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h2');
    tokens.splice(end);
  });
  md.core.ruler.after('inline', 'links', ({ tokens, env }) => {
    const file = fileOf(env as Environment);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href !== null) token.attrSet('href', linkFrom(file, href));
      // Vue would evaluate what is in double braces.
      if (token.type === 'code_inline') token.attrSet('v-pre', '');
    }
  });
  const { text } = md.renderer.rules;
  md.renderer.rules.text = (...args) => (text?.(...args) ?? '').replaceAll('{{', '&#123;&#123;');
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    return token?.info === 'mermaid' ? diagram(token.content) : (fence?.(tokens, index, ...rest) ?? '');
  };
}

/** Where a link of a file leads: to a page of the site, else to the file in the repository. */
function linkFrom(file: string, href: string): string {
  if (/^\w+:/.test(href)) return href;
  const [, path = '', hash = ''] = /^([^#]*)(.*)$/.exec(decodeURI(href)) ?? [];
  // The sections of the README below its first screen are not on the home page.
  if (path === '') return file === 'README.md' ? `${REPOSITORY}${hash}` : href;
  const to = normalize(join(dirname(file), path)).replaceAll('\\', '/').replace(/\/$/, '');
  const address = addressOf(to);
  if (address !== undefined) return `/${address}${hash}`;
  if (!existsSync(join(ROOT, to))) throw new Error(`${file} links to ${href}, which does not exist`);
  return `${REPOSITORY}/${statSync(join(ROOT, to)).isDirectory() ? 'tree' : 'blob'}/main/${to}${hash}`;
}

/** A Mermaid diagram as SVG, in colors of the theme, without its style sheet, which asks for a font from elsewhere. */
function diagram(source: string): string {
  const svg = renderMermaidSVG(source).replace(/<style>[\s\S]*?<\/style>/, '');
  return `<figure class="diagram" tabindex="0" v-pre>${svg}</figure>\n`;
}
