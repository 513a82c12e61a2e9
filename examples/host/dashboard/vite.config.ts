/**
 * The build of the pages, into `dist/dashboard`: `vite build dashboard`. Nothing in it is inline, which the CSP
 * forbids.
 */
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';

/** The page that is opened nearly always: it is fetched beside the entry, and not after it. */
const FIRST_PAGE = 'pages/overview/OverviewPage.tsx';

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

/** Lines of the first page that the portal does without: its session is another, and so is its first page. */
const OF_DASHBOARD = /^.*(?:<link crossorigin rel=|rel="preload"|first question of the pages).*\n/gm;

/** The portal is the same application with a page of its own. */
const portalPage: Plugin = {
  name: 'portal-page',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const first = bundle['index.html'];
      if (first?.type !== 'asset') throw new Error('the build has no index.html');
      const source = String(first.source)
        .replace(OF_DASHBOARD, '')
        .replace('<title>Headgate</title>', '<title>Webhooks</title>')
        .replace(/<noscript>.*<\/noscript>/, '<noscript>These pages need JavaScript.</noscript>');
      this.emitFile({ type: 'asset', fileName: 'portal.html', source });
    },
  },
};

export default defineConfig({
  base: '/dashboard/',
  plugins: [firstPageAtOnce, portalPage],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    // The notices that the licences of the bundled packages ask for.
    license: { fileName: 'licenses.txt' },
    // The first versions with `light-dark()`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
