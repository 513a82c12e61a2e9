/**
 * How soon each page shows its content, over an empty page of the same origin; and the list of events on Slow 3G.
 *
 *     npm run build:dashboard && npx tsx examples/host/bench/pages.ts [--smoke]
 *
 * A load begins with an empty cache and ends with the frame in which the content is painted. Loads of all pages
 * alternate, and the browser and the host share the machine. Slow 3G is that of WebPageTest: 400 kbit/s, and a round
 * trip of 400 ms.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, signedIn } from './browsing.js';
import { sendPaced } from './load.js';
import { receiving } from './receiving.js';
import { benchOptions, median, printTable } from './table.js';
import { addProject, build, startWhole, stopShared } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke } = benchOptions();
const LOADS = isSmoke ? 2 : 10;
const EMPTY = '/healthz';
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** Begins the line by which a page says when it was painted. */
const PAINTED = 'painted at ';

/**
 * Runs in the page before its own scripts: says when the content is there and none of it is still loading. Looks
 * after each frame, since a page may show its skeleton first. It has no named functions, whose names would need a
 * helper.
 */
function watch(said: string): void {
  if (location.protocol === 'about:') return; // The empty page of a new tab.
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const isPage = location.pathname.startsWith('/dashboard');
    const isPainted = isPage
      ? document.querySelector('h1') !== null && document.querySelector('.hg-skeleton') === null
      : document.readyState !== 'loading';
    if (isPainted) console.info(said + String(performance.now()));
    else requestAnimationFrame(() => channel.port2.postMessage(null));
  };
  requestAnimationFrame(() => channel.port2.postMessage(null));
}

/** Hears of it from the console: to ask the page, Playwright puts a script into it that takes 50 ms of its thread. */
async function paintedAt(page: Page): Promise<number> {
  const line = await page.waitForEvent('console', {
    predicate: (message) => message.text().startsWith(PAINTED),
    timeout: 120_000,
  });
  return Number(line.text().slice(PAINTED.length));
}

interface Load {
  /** When the content was painted, in ms since the navigation began. */
  readonly at: number;
  /** The work of the page's thread until then, in ms. */
  readonly busy: number;
}

async function load(browser: Browser, url: string, key: string, path: string, isSlow = false): Promise<Load> {
  const context = await signedIn(browser, url, key);
  await context.addInitScript(watch, PAINTED);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  if (isSlow) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_3G);
  }
  const [at] = await Promise.all([paintedAt(page), page.goto(url + path, { waitUntil: 'commit' })]);
  const { metrics } = await devtools.send('Performance.getMetrics');
  await context.close();
  return { at, busy: 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) };
}

build();
const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
const host = await startWhole('sqlite', { HEADGATE_DATA: folder });
const receiver = await receiving(() => undefined);
const {
  id: project,
  key,
  api,
  address,
} = await addProject(host, { rules: RULES, endpoints: [receiver.url] });
await sendPaced(address, [BODY], { rate: 200, seconds: 5 });
const first = async (
  items: Promise<{ readonly items: readonly { readonly id: string }[] }>,
): Promise<string> => (await items).items[0]?.id ?? '';
const [event, rule, endpoint, channel] = await Promise.all([
  first(api.listEvents({ project, query: { limit: 1 } })),
  first(api.listRules({ project })),
  first(api.listEndpoints({ project, query: { limit: 1 } })),
  first(api.listChannels({ project })),
]);
const paths = [
  ...[
    'events',
    'overview',
    'rules',
    'endpoints',
    'dead-letters',
    'alerts',
    'channels',
    'event-types',
    'clients',
  ],
  ...[
    'replays',
    'project',
    `events/${event}`,
    `rules/${rule}`,
    `endpoints/${endpoint}`,
    `channels/${channel}`,
  ],
].map((path) => `/dashboard/${path}`);
const browser = await openBrowser();
const times = new Map([EMPTY, ...paths].map((path) => [path, [] as Load[]]));
for (let i = 0; i < LOADS; i++) {
  for (const [path, of] of times) of.push(await load(browser, host.url, key, path));
}
const slow: Load[] = [];
for (let i = 0; i < (isSmoke ? 1 : 5); i++) {
  slow.push(await load(browser, host.url, key, '/dashboard/events', true));
}
await browser.close();
await host.stop();
rmSync(folder, { recursive: true, force: true });
receiver.stop();
await stopShared();

const paintedIn = (loads: readonly Load[]): number => median(loads.map(({ at }) => at));
const empty = paintedIn(times.get(EMPTY) ?? []);
printTable('Pages until their content is painted', [
  ...[...times].map(([path, of]) => ({
    page: path.replace(/[\w-]{30,}$/, '…'),
    'painted, ms': paintedIn(of).toFixed(0),
    'busy, ms': median(of.map(({ busy }) => busy)).toFixed(0),
    'over an empty page': `${(paintedIn(of) / empty).toFixed(1)} ×`,
    target: path === EMPTY ? '' : path === '/dashboard/events' ? '≤ 3 ×' : '≤ 5 ×',
  })),
  {
    page: 'events on Slow 3G',
    'painted, ms': paintedIn(slow).toFixed(0),
    'busy, ms': '',
    'over an empty page': '',
    target: '≤ 4,000 ms',
  },
]);
