/** The snippets of docs/portal.md, bundled as they are and run in a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';
import { expect, test } from 'vitest';
import { blockCookies, files, frameOf, portalUrl, refusalsOf, stage, strictBrowser } from './portal-frame.js';

const HOME = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(HOME, '../../docs/portal.md'), 'utf8');

/** The only snippet of the page in a language. */
function snippet(language: string): string {
  const all = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  expect([language, all.length]).toEqual([language, 1]);
  return all[0]?.[1] ?? '';
}

const vueScript = (): string =>
  compileScript(parse(snippet('vue')).descriptor, { id: 'portal', inlineTemplate: true }).content;

/** The modules of an application: the snippet, and the line that shows it. */
const APPLICATIONS = {
  React: () => ({
    'WebhookPortal.jsx': snippet('jsx'),
    'entry.jsx': `import { createRoot } from 'react-dom/client';
      import { WebhookPortal } from './WebhookPortal.jsx';
      createRoot(document.getElementById('app')).render(<WebhookPortal />);`,
  }),
  Vue: () => ({
    'WebhookPortal.js': vueScript(),
    'entry.js': `import { createApp } from 'vue';
      import WebhookPortal from './WebhookPortal.js';
      createApp(WebhookPortal).mount('#app');`,
  }),
} as const satisfies Record<string, () => Readonly<Record<string, string>>>;

/** Bundles modules that exist only in memory, beside the packages of the host. */
async function bundled(modules: Readonly<Record<string, string>>): Promise<string> {
  const root = join(HOME, 'test/dashboard/application');
  const inMemory = new Map(Object.entries(modules).map(([name, code]) => [join(root, name), code]));
  const memory: Plugin = {
    name: 'memory',
    enforce: 'pre',
    resolveId(id, importer) {
      const path = importer === undefined ? id : join(root, id);
      return inMemory.has(path) ? path : null;
    },
    load: (id) => inMemory.get(id) ?? null,
  };
  const [entry] = [...inMemory.keys()].filter((path) => /entry\.jsx?$/.test(path));
  const built = await build({
    ...{ configFile: false, root: HOME, logLevel: 'silent', plugins: [memory] },
    define: {
      'process.env.NODE_ENV': '"production"',
      ...{ __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    // The nearest tsconfig.json is that of the host's own pages.
    oxc: { jsx: { runtime: 'automatic', importSource: 'react', development: false } },
    build: { write: false, rolldownOptions: { input: entry ?? '' } },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('nothing was built');
  return output.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

/** Serves a page of the application, opens it, and finds the portal in its frame. */
async function opensPortal(page: string, script: string): Promise<void> {
  const { app, world } = await stage();
  const customer = await world();
  files.set('/webhook-portal', {
    type: 'application/json',
    text: JSON.stringify({ url: await portalUrl(customer, 'owner') }),
  });
  files.set('/application.js', { type: 'text/javascript', text: script });
  files.set('/application', { type: 'text/html; charset=utf-8', text: page });
  const tab = await (await strictBrowser()).newPage();
  await blockCookies(tab);
  const refused = refusalsOf(tab);
  await tab.goto(`${app}/application`);
  const frame = await frameOf(tab);
  await frame.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
  await frame.getByRole('button', { name: 'New endpoint' }).first().waitFor();
  const box = await tab.getByTitle('Webhooks').boundingBox();
  expect(box?.height).toBe(640);
  expect(refused).toEqual([]);
}

const PAGE_OF_SCRIPT =
  '<!doctype html><title>App</title><link rel="icon" href="data:," /><div id="app"></div><script type="module" src="/application.js"></script>';

test.for(['React', 'Vue'] as const)('the snippet for %s shows the portal', async (name) => {
  await opensPortal(PAGE_OF_SCRIPT, await bundled(APPLICATIONS[name]()));
});

test('the snippet of plain HTML shows the portal', async () => {
  await opensPortal(
    `<!doctype html><title>App</title><link rel="icon" href="data:," />${snippet('html')}`,
    '',
  );
});
