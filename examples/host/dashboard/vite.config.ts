/**
 * The build of the pages, into `dist/dashboard`: `vite build dashboard`. Nothing in it is inline, which the CSP
 * forbids.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin, type Rollup } from 'vite';

type Bundle = Rollup.OutputBundle;

/** The pages of the first address, whose HTML is also that of addresses without one of their own. */
const [HOME, OVERVIEW] = ['./pages/first-run/HomePage', './pages/overview/OverviewPage'] as const;
/** An address of app.tsx, with its page. */
const ADDRESS = /path: '([^']+)',(\s+isShared: true,)?\s+page: latePage\(\(\) => import\('([^']+)\.js'\)\)/g;
/** Lines that the portal does without: its session is another. */
const OF_DASHBOARD = /^.*(?:rel="preload"|first question of the pages).*\n/gm;

/**
 * The HTML of each address: it names the scripts of the page that is there, so that the browser fetches them beside the
 * entry, and not after it. `first/dashboard/events/_.html` is that of one event. The portal is the same application.
 */
const firstPages: Plugin = {
  name: 'first-pages',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('the build has no index.html');
      const dashboard = String(index.source);
      const portal = dashboard
        .replace(OF_DASHBOARD, '')
        .replace('<title>Headgate</title>', '<title>Webhooks</title>')
        .replace(/<noscript>.*<\/noscript>/, '<noscript>These pages need JavaScript.</noscript>');
      const emit = (fileName: string, source: string): void =>
        void this.emitFile({ type: 'asset', fileName, source });
      index.source = withPage(withPage(dashboard, HOME, bundle), OVERVIEW, bundle);
      emit('portal.html', portal);
      const addresses = [...readFileSync(join(import.meta.dirname, 'app.tsx'), 'utf8').matchAll(ADDRESS)];
      for (const [, path = '', isShared, page = ''] of addresses) {
        if (path === '/dashboard') continue; // That of the first address is index.html.
        const name = `${path.replace(/:\w+$/, '_')}.html`;
        emit(`first${name}`, withPage(dashboard, page, bundle));
        if (isShared !== undefined) {
          emit(`first${name.replace('/dashboard', '/portal')}`, withPage(portal, page, bundle));
        }
      }
    },
  },
};

/** Adds links to the files of a page that are not in an HTML yet. */
function withPage(html: string, page: string, bundle: Bundle): string {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const chunk = chunks.find(
    ({ facadeModuleId }) => facadeModuleId?.endsWith(`${page.slice(1)}.tsx`) === true,
  );
  if (chunk === undefined) throw new Error(`the build has no chunk of ${page}`);
  const files = importedBy(chunk, bundle);
  const links = [
    ...files.map(({ fileName }) => ['modulepreload', fileName]),
    ...files.flatMap(({ viteMetadata }) =>
      [...(viteMetadata?.importedCss ?? [])].map((name) => ['stylesheet', name]),
    ),
  ]
    .filter(([, name = '']) => !html.includes(name))
    .map(([rel, name]) => `    <link rel="${rel}" crossorigin href="/dashboard/${name}">\n`);
  return html.replace('  </head>', `${links.join('')}  </head>`);
}

/** A chunk and all that it imports at once. */
function importedBy(chunk: Rollup.OutputChunk, bundle: Bundle): readonly Rollup.OutputChunk[] {
  const found = new Set([chunk]);
  // A set goes on with what is added while it is walked.
  for (const { imports } of found) {
    for (const name of imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') found.add(imported);
    }
  }
  return [...found];
}

export default defineConfig({
  base: '/dashboard/',
  plugins: [firstPages],
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
    // Modules of most pages are one file: a request costs more than the few kilobytes that a page would do without.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'common', test: /dashboard\/(?:data|parts|shell|ui|words)\//, minShareCount: 10 }],
        },
      },
    },
  },
});
