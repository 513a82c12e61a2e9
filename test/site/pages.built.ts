/** Every page of the built site in a real browser: light and dark, narrow and wide. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pages, serveSite, weightOf, type SiteServer } from './built.js';

const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? CHROMIUMS.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Most bytes that a page may load before anybody does anything. The index of the search is loaded on use. */
const MOST_BYTES = 100_000;
const WIDE = { width: 1_280, height: 800 };
const NARROW = { width: 360, height: 800 };

let site: SiteServer;
let browser: Browser;

beforeAll(async () => {
  site = await serveSite();
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
});
afterAll(async () => {
  await browser.close();
  site.close();
});

/** A page in the browser, with all that it has requested and all that went wrong. */
interface Opened {
  readonly page: Page;
  readonly requested: Set<string>;
  readonly faults: string[];
}

async function open(path: string): Promise<Opened> {
  const page = await browser.newPage({ viewport: WIDE, reducedMotion: 'reduce' });
  const [requested, faults] = [new Set<string>(), [] as string[]];
  page.on('request', (request) => {
    const url = request.url();
    if (url.startsWith(`${site.origin}/`)) requested.add(new URL(url).pathname);
    else if (!url.startsWith('data:')) faults.push(`request to elsewhere: ${url}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  await page.goto(site.origin + path, { waitUntil: 'networkidle' });
  return { page, requested, faults };
}

/**
 * Violations of accessibility, each with the first elements that have it.
 *
 * @param exclude - A selector of elements whose descendants are not looked at.
 */
async function axe(page: Page, options: RunOptions, exclude?: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const given = JSON.stringify({ resultTypes: ['violations'], preload: false, ...options });
  const context = JSON.stringify({ include: ['html'], ...(exclude !== undefined && { exclude: [exclude] }) });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${context}, ${given})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)}\n${failureSummary ?? ''}`),
  );
}

const ONLY_COLORS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };
const ALL_BUT_COLORS: RunOptions = { rules: { 'color-contrast': { enabled: false } } };

/**
 * Removes text of a document that looks like text before it, by the elements, classes and styles around it: contrast
 * takes a millisecond for each word, and documents have thousands of words.
 */
const KEEP_ONE_OF_EACH_LOOK = `{
  const seen = new Set();
  // The page for addresses that do not exist has no document, and few words.
  const texts = document.createTreeWalker(document.querySelector('.vp-doc') ?? new Text(), NodeFilter.SHOW_TEXT);
  const all = [];
  while (texts.nextNode()) all.push(texts.currentNode);
  for (const text of all) {
    let look = '';
    for (let at = text.parentElement; !at.matches('.vp-doc'); at = at.parentElement) {
      look += at.tagName + '.' + at.getAttribute('class') + '.' + at.getAttribute('style') + ' ';
    }
    if (seen.has(look)) text.remove();
    else if (text.data.trim() !== '') seen.add(look);
  }
}`;

/** The rest of a page of the reference is made from the same templates, and takes most of a minute. */
const KEEP_START = `for (const part of document.querySelectorAll('.vp-doc > div > :nth-child(n + 201)')) part.remove()`;

/** Addresses of pictures below the window. Browsers load them when they come near. */
const PICTURES_BELOW = `[...document.querySelectorAll('img[loading=lazy]')]
  .filter((picture) => picture.getBoundingClientRect().top > innerHeight)
  .map((picture) => new URL(picture.src).pathname)`;

/** Elements that are wider than the window and cannot be scrolled on their own. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((element) => element.outerHTML.slice(0, 200))`;

/** Changes the window, and the theme that the reader's system asks for. */
async function look(page: Page, window: typeof WIDE, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize(window);
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(
    `document.documentElement.classList.contains('dark') === ${colorScheme === 'dark'}`,
  );
}

/** Faults of the width and of the accessibility of a page, in every look. */
async function faultsOfLooks(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const window of [NARROW, WIDE]) {
    await look(page, window, 'light');
    const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    if (isTooWide) faults.push(`scrolls sideways: ${(await page.evaluate<string[]>(TOO_WIDE)).join('\n')}`);
  }
  if (new URL(page.url()).pathname.startsWith('/reference/')) await page.evaluate(KEEP_START);
  for (const window of [NARROW, WIDE]) {
    await look(page, window, 'light');
    // The words of code can only have a wrong color.
    const violations = await axe(page, ALL_BUT_COLORS, 'pre > code');
    faults.push(...violations.map((fault) => `${window.width} px: ${fault}`));
  }
  await page.evaluate(KEEP_ONE_OF_EACH_LOOK);
  // Colors do not depend on the width, but the bars and menus that are there do.
  for (const [theme, window] of [
    ['light', WIDE],
    ['dark', NARROW],
  ] as const) {
    await look(page, window, theme);
    faults.push(...(await axe(page, ONLY_COLORS)).map((fault) => `${theme}, ${window.width} px: ${fault}`));
  }
  return faults;
}

/** Bytes that a page has loaded. */
async function weigh({ page, requested }: Opened): Promise<number> {
  const below = await page.evaluate<string[]>(PICTURES_BELOW);
  return [...requested]
    .filter((path) => !below.includes(path))
    .reduce((sum, path) => sum + weightOf(path), 0);
}

test.for(pages)('%s is accessible, light, and as wide as the window, in every look', async (path) => {
  const opened = await open(path);
  const { page, faults } = opened;
  const bytes = await weigh(opened);
  if (bytes >= MOST_BYTES) faults.push(`loads ${bytes} bytes`);
  if ((await page.locator('h1').count()) === 0) faults.push('has no h1: it was not rendered');
  faults.push(...(await faultsOfLooks(page)));
  await page.close();
  expect(faults).toEqual([]);
});

test('the search finds dead letters', async () => {
  const { page, faults } = await open('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('dead letter');
  const first = page.locator('#localsearch-list a').first();
  await first.waitFor();
  faults.push(...(await axe(page, {})));
  expect(await page.locator('#localsearch-list').textContent()).toMatch(/dead letters/i);
  await first.click();
  await page.waitForURL(/\.html#/);
  await page.locator('main h1', { hasNotText: 'Headgate' }).waitFor();
  expect(await page.locator('main').textContent()).toMatch(/dead letter/i);
  expect(faults).toEqual([]);
  await page.close();
});
