/** The site of the documents and the API reference: `npm run docs` builds it. */
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchor } from '../../test/docs/links.js';
import { accessibleTheme } from './accessible-theme.js';
import { renderLikeGitHub, REPOSITORY } from './markdown.js';
import { addressOf, NOT_PAGES, sidebar } from './pages.js';
import { narrowPictures } from './pictures.js';

/** A gate, so that browsers ask for no other icon. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="none" stroke="#3b6fd4" stroke-width="2" d="M3 14V3h10v11M3 7h10M8 3v11"/></svg>';

const theme = (file: string): string => join(import.meta.dirname, 'theme', file);

/** Components of the theme that no page shows. */
const UNUSED =
  /^.*\/VP(?:AlgoliaSearchBox|DocAsideCarbonAds|DocAsideSponsors|Feature.*|Home.*|NavBarTranslations|NavScreenTranslations|Page|Sponsors.*|Team.*)\.vue$/;

const pictures = await narrowPictures();

export default defineConfig({
  lang: 'en',
  title: 'Headgate',
  description: 'Rules, signing and delivery for services that send webhooks',
  srcDir: '..',
  srcExclude: NOT_PAGES,
  // Examples in the text, which GitHub makes links, too.
  ignoreDeadLinks: 'localhostLinks',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: (file) => addressOf(file) ?? file,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  transformPageData: ({ relativePath }) =>
    relativePath === 'index.md'
      ? { frontmatter: { aside: false, prev: false, titleTemplate: ':title' } }
      : undefined,
  // Pages that are linked to would be loaded with each page.
  router: { prefetchLinks: false },
  markdown: {
    anchor: { slugify: anchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    image: { lazyLoading: true },
    config: (md) => renderLikeGitHub(md, pictures),
  },
  vite: {
    define: { __VUE_OPTIONS_API__: 'false' },
    plugins: [accessibleTheme],
    resolve: {
      alias: [
        { find: UNUSED, replacement: theme('nothing.ts') },
        {
          find: /^\.\/styles\/components\/vp-(?:code-group|sponsor)\.css$/,
          replacement: theme('nothing.css'),
        },
        { find: '@docsearch/css', replacement: theme('search-button.css') },
      ],
    },
  },
  themeConfig: {
    outline: [2, 3],
    sidebar: sidebar(),
    search: { provider: 'local' },
    notFound: {
      title: 'There is no such page',
      quote: 'The address may be wrong, or the page may have moved. The search finds it.',
      linkText: 'To the first page',
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    externalLinkIcon: false,
  },
});
