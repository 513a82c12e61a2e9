/**
 * How soon the list of events is painted, whether it keeps up with 200 events a second, and how smoothly a hundred
 * thousand are scrolled, in Chromium.
 *
 *     npm run build:dashboard && npx tsx examples/host/bench/dashboard.ts [--smoke]
 *
 * The browser, the host and the sender share the machine. Times count from the start of the navigation, with an empty
 * cache.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openDatabase } from '../src/db/index.js';
import { copyEvent } from '../test/dashboard/copies.js';
import { openBrowser, signedIn } from './browsing.js';
import { sendPaced } from './load.js';
import { receiving } from './receiving.js';
import { benchOptions, median, printTable } from './table.js';
import { addProject, build, type Project, startWhole, stopShared } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke } = benchOptions();
const LOADS = isSmoke ? 2 : 10;
const SECONDS = isSmoke ? 3 : 20;
const RATE = 200;
const MANY = isSmoke ? 2_000 : 100_000;

/** The members that the script below adds to the window. */
interface Seen {
  /** When the first event was painted, ms since the navigation began; 0 before. */
  painted: number;
  /** Durations of tasks of 50 ms and more. */
  tasks: number[];
}

/** Runs in the page before its own scripts. */
function watch(): void {
  const seen: Seen = { painted: 0, tasks: [] };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const rows = new MutationObserver(() => {
    if (document.querySelector('[aria-setsize]') === null) return;
    rows.disconnect();
    // After the frame in which the rows are painted.
    requestAnimationFrame(() => setTimeout(() => (seen.painted = performance.now())));
  });
  rows.observe(document, { childList: true, subtree: true });
}

const seenBy = (page: Page): Promise<Seen> =>
  page.evaluate(() => (window as unknown as { readonly seen: Seen }).seen);

/** Opens the list in a browser that has nothing in its cache. */
async function opened(browser: Browser, url: string, { key }: Project): Promise<Page> {
  const context = await signedIn(browser, url, key);
  await context.addInitScript(watch);
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/events`);
  await page.waitForFunction(() => (window as unknown as { readonly seen: Seen }).seen.painted > 0);
  return page;
}

/** Scrolls from the first event to the last one as a wheel does, and gives the most rows that were in the page. */
async function scrolled(page: Page): Promise<{ readonly rows: number; readonly most: number }> {
  const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await page.mouse.move(600, 500);
  let most = 0;
  for (let [read, still] = [0, 0]; still < 20;) {
    await page.mouse.wheel(0, 8_000);
    await page.waitForTimeout(16);
    most = Math.max(most, await rows.count());
    const now = Number(await rows.first().getAttribute('aria-setsize'));
    still = now === read ? still + 1 : 0;
    read = now;
    if (read > MANY) return { rows: read, most };
  }
  throw new Error('the list does not go on');
}

build();
const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
const host = await startWhole('sqlite', { HEADGATE_DATA: folder });
const receiver = await receiving(() => undefined);
const project = await addProject(host, { rules: RULES, endpoints: [receiver.url] });
await sendPaced(project.address, [BODY], { rate: RATE, seconds: 2 });
const browser = await openBrowser();

const painted: number[] = [];
for (let i = 0; i < LOADS; i++) {
  const page = await opened(browser, host.url, project);
  painted.push((await seenBy(page)).painted);
  await page.context().close();
}

const page = await opened(browser, host.url, project);
const before = (await seenBy(page)).tasks.length;
const { times } = await sendPaced(project.address, [BODY], { rate: RATE, seconds: SECONDS });
const tasks = (await seenBy(page)).tasks.slice(before);
const db = await openDatabase({ sqlite: join(folder, 'headgate.db') });
const [newest] = (await project.api.listEvents({ project: project.id, query: { limit: 1 } })).items;
await copyEvent(db, newest?.id ?? '', MANY);
await db.close();
const long = await opened(browser, host.url, project);
const earlier = (await seenBy(long)).tasks.length;
const { rows, most } = await scrolled(long);
const scrolling = (await seenBy(long)).tasks.slice(earlier);
await browser.close();
await host.stop();
rmSync(folder, { recursive: true, force: true });
receiver.stop();
await stopShared();

printTable('The list of events, sqlite', [
  {
    measured: 'first events painted, median of loads, ms',
    value: median(painted).toFixed(0),
    target: '≤ 300',
  },
  { measured: 'the slowest load, ms', value: Math.max(...painted).toFixed(0), target: '' },
  {
    measured: `tasks of 50 ms and more while ${times.length} events came, ${RATE} a second`,
    value: tasks.length,
    target: '0',
  },
  { measured: 'the longest of them, ms', value: Math.max(0, ...tasks).toFixed(0), target: '' },
  { measured: `rows in the page while ${rows} were scrolled, at most`, value: most, target: '≤ 40' },
  { measured: 'tasks of 50 ms and more meanwhile', value: scrolling.length, target: '0' },
  { measured: 'the longest of them, ms', value: Math.max(0, ...scrolling).toFixed(0), target: '' },
]);
