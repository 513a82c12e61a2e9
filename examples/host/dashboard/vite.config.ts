/**
 * The build of the pages, into `dist/dashboard`: `vite build dashboard`. Nothing in it is inline, which the CSP
 * forbids.
 */
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';

/** The page that is opened nearly always: it is fetched beside the entry, and not after it. */
const FIRST_PAGE = 'pages/events/EventsPage.tsx';

const firstPageAtOnce: Plugin = {
  name: 'first-page-at-once',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(FIRST_PAGE) === true);
      if (page === undefined) throw new Error(`the build has no chunk of ${FIRST_PAGE}`);
      const names = [page.fileName, ...page.imports].filter((name) => !html.includes(name));
      const styles = chunks
        .filter(({ fileName }) => names.includes(fileName))
        .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
      return [
        ...names.map((name) => link({ rel: 'modulepreload', href: `/dashboard/${name}` })),
        ...styles.map((name) => link({ rel: 'stylesheet', href: `/dashboard/${name}` })),
      ];
    },
  },
};

const link = (attrs: Readonly<Record<string, string>>): HtmlTagDescriptor => ({
  ...{ tag: 'link', attrs: { crossorigin: true, ...attrs }, injectTo: 'head' },
});

export default defineConfig({
  base: '/dashboard/',
  plugins: [firstPageAtOnce],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // The first versions with `light-dark()`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
