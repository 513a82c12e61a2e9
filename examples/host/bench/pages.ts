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

type Painting = Window & { painted?: number };

/**
 * Runs in the page before its own scripts: notes when the content is there and none of it is still loading. Looks
 * after each frame, since a page may show its skeleton first. It has no named functions, whose names would need a
 * helper.
 */
function watch(): void {
  const page = window as Painting;
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const isPage = location.pathname.startsWith('/dashboard');
    const isPainted = isPage
      ? document.querySelector('h1') !== null && document.querySelector('.hg-skeleton') === null
      : document.readyState !== 'loading';
    if (isPainted) page.painted = performance.now();
    else requestAnimationFrame(() => channel.port2.postMessage(null));
  };
  requestAnimationFrame(() => channel.port2.postMessage(null));
}

const paintedAt = async (page: Page): Promise<number> => {
  await page.waitForFunction(() => (window as Painting).painted !== undefined, null, { timeout: 120_000 });
  return page.evaluate(() => (window as Painting).painted ?? NaN);
};

/** One load, in ms since the navigation began. */
async function load(
  browser: Browser,
  url: string,
  key: string,
  path: string,
  isSlow = false,
): Promise<number> {
  const context = await signedIn(browser, url, key);
  await context.addInitScript(watch);
  const page = await context.newPage();
  if (isSlow) {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_3G);
  }
  await page.goto(url + path, { waitUntil: 'commit' });
  const at = await paintedAt(page);
  await context.close();
  return at;
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
const times = new Map([EMPTY, ...paths].map((path) => [path, [] as number[]]));
for (let i = 0; i < LOADS; i++) {
  for (const [path, of] of times) of.push(await load(browser, host.url, key, path));
}
const slow: number[] = [];
for (let i = 0; i < (isSmoke ? 1 : 5); i++) {
  slow.push(await load(browser, host.url, key, '/dashboard/events', true));
}
await browser.close();
await host.stop();
rmSync(folder, { recursive: true, force: true });
receiver.stop();
await stopShared();

const empty = median(times.get(EMPTY) ?? []);
printTable('Pages until their content is painted', [
  ...[...times].map(([path, of]) => ({
    page: path.replace(/[\w-]{30,}$/, '…'),
    'median, ms': median(of).toFixed(0),
    'over an empty page': `${(median(of) / empty).toFixed(1)} ×`,
    target: path === EMPTY ? '' : path === '/dashboard/events' ? '≤ 3 ×' : '≤ 5 ×',
  })),
  {
    page: 'events on Slow 3G',
    'median, ms': median(slow).toFixed(0),
    'over an empty page': '',
    target: '≤ 4,000 ms',
  },
]);
