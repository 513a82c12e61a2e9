/**
 * Real pages in a real browser, for tests: `signedIn(world)` opens a page of a whole host. A page fails its test on an
 * error of a script, a violation of the CSP, a request to elsewhere, and an answer that should not have come.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { HostWorld } from '../world.js';

/** Folder of the built pages, for `hostOn`. */
export const PAGES = join(import.meta.dirname, '../../dist/dashboard');
/**
 * The first that is there. The shell is the same engine without the windows of a browser, which take most of the time.
 */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? CHROMIUMS.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Longest wait for an element or a page, while other work keeps the machine busy. */
const PATIENCE_MS = 120_000;

/** One for all tests of a process, with which it ends. */
let browser: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `there is no Chromium at ${CHROMIUM}: install it (apt-get install chromium), or name one in CHROMIUM`,
    );
  }
  if (!existsSync(join(PAGES, 'index.html'))) {
    throw new Error('the pages are not built: npm run build:dashboard builds them');
  }
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** How a page is opened. */
export interface Opening {
  /** Such as `/dashboard/rules`. */
  readonly path?: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Opens another tab of the same browser instead of a browser of its own. */
  readonly beside?: Page;
  /** Statuses of 500 and more that the test brings about; `0` for requests that get no answer. */
  readonly expects?: readonly number[];
  readonly reducedMotion?: 'reduce' | 'no-preference';
}

/** Opens a page as somebody who is signed in by the key of the world's project. */
export const signedIn = (world: HostWorld, opening: Opening = {}): Promise<Page> =>
  opened(world, opening, true);

/** Opens a page as somebody whom the service does not know. */
export const signedOut = (world: HostWorld, opening: Opening = {}): Promise<Page> =>
  opened(world, { path: '/sign-in', ...opening }, false);

async function opened(world: HostWorld, opening: Opening, isSignedIn: boolean): Promise<Page> {
  const { path = '/dashboard/events', beside, expects = [] } = opening;
  const context = beside?.context() ?? (await newContext(opening));
  if (isSignedIn && beside === undefined) await beginSession(context, world);
  const page = await context.newPage();
  const faults = faultsOf(page, world.url, expects);
  // After the page is closed, so that the end of the host is not an error.
  onTestFinished(() => expect(faults, 'faults of the page').toEqual([]));
  onTestFinished(() => page.close());
  await page.goto(world.url + path);
  return page;
}

/**
 * A browser of its own, which ends with the test.
 *
 * @param ignoreHTTPSErrors - True for servers with certificates of the tests.
 */
export async function newContext(
  { theme = 'light', width = 1_280, height = 800, reducedMotion }: Opening,
  ignoreHTTPSErrors = false,
): Promise<BrowserContext> {
  const running = await (browser ??= launch());
  const context = await running.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: reducedMotion ?? 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ignoreHTTPSErrors,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  return context;
}

async function beginSession(context: BrowserContext, { url, key }: HostWorld): Promise<void> {
  const answer = await context.request.post(`${url}/session`, { data: { key } });
  expect(answer.status()).toBe(201);
}

/**
 * Everything that no page may do, as it does it.
 *
 * @param origin - The origin of the pages; others are elsewhere.
 */
export function faultsOf(page: Page, origin: string, expects: readonly number[]): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // The answers themselves are looked at below.
    const isKnown = text.startsWith('Failed to load resource');
    if (message.type() === 'error' && !isKnown) faults.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('blob:')) faults.push(`request to elsewhere: ${url}`);
  });
  page.on('response', (response) => {
    const [status, url] = [response.status(), response.url()];
    const isFile = url.startsWith(`${origin}/dashboard/`);
    const isFault = status >= 500 || (status >= 400 && isFile);
    if (isFault && !expects.includes(status)) faults.push(`${status}: ${url}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Pages abort what they no longer need.
    if (reason !== 'net::ERR_ABORTED' && !expects.includes(0)) faults.push(`${reason}: ${request.url()}`);
  });
  return faults;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The page itself, or the one that a frame is in. */
export const pageOf = (of: Page | Frame): Page => ('page' in of ? of.page() : of);

/**
 * Straight through the protocol: `page.evaluate` compiles what it is given, which takes most of a second here. A frame
 * has no session of its own.
 */
async function load(of: Page | Frame, expression: string): Promise<void> {
  if ('page' in of) return of.evaluate(expression);
  const session = await of.context().newCDPSession(of);
  await session.send('Runtime.evaluate', { expression });
  await session.detach();
}

/** Rules of axe whose findings depend on the palette. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Fails with every violation of accessibility that is on the page now, or in a frame of another site.
 *
 * @param rules - `colours` where all the rest was looked at a moment ago, in other colours.
 */
export async function axe(of: Page | Frame, rules: 'all' | 'colours' = 'all'): Promise<void> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    // A style sheet that is still loading would be loaded again into an inline one, which the policy of the pages
    // forbids.
    preload: false,
    ...(rules === 'colours' && { runOnly: { type: 'rule', values: [...COLOUR_RULES] } }),
  };
  // Once a document: reading the script takes longer than what it does.
  if (!(await of.evaluate(() => 'axe' in window))) await load(of, AXE);
  const { violations } = await of.evaluate(
    (given) =>
      (window as unknown as { readonly axe: { run: (of: RunOptions) => Promise<AxeResults> } }).axe.run(
        given,
      ),
    options,
  );
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
  }));
  expect(found, `axe on ${of.url()}`).toEqual([]);
}
