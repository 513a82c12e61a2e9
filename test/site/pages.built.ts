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
const HEIGHT = 800;
/** The first one is how each page is opened. Only colors differ between the themes. */
const LOOKS = [
  { width: 1_280, theme: 'light', rules: undefined },
  { width: 1_280, theme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
  { width: 360, theme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
  { width: 360, theme: 'light', rules: undefined },
] as const;

let site: SiteServer;
let browser: Browser;

beforeAll(async () => {
  site = await serveSite();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-background-networking'] });
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
  const page = await browser.newPage({ viewport: { width: LOOKS[0].width, height: HEIGHT }, reducedMotion: 'reduce' });
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

/** Violations of accessibility, each with the first elements that have it. */
async function axe(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules !== undefined && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)}\n${failureSummary ?? ''}`),
  );
}

/** Elements that are wider than the window and cannot be scrolled on their own. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((element) => element.outerHTML.slice(0, 200))`;

test.for(pages)('%s is accessible, light, and as wide as the window, in every look', async (path) => {
  const { page, requested, faults } = await open(path);
  const loaded = [...requested].map((file) => ({ file, bytes: weightOf(file) }));
  const weight = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
  if (weight >= MOST_BYTES) faults.push(`loads ${weight} bytes: ${JSON.stringify(loaded)}`);
  console.log('weight', path, weight);
  if ((await page.locator('h1').count()) === 0) faults.push('has no h1: it was not rendered');
  for (const { width, theme, rules } of LOOKS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme: theme });
    const look = `${theme}, ${width} px`;
    await page.waitForFunction(`document.documentElement.classList.contains('dark') === ${theme === 'dark'}`);
    const isScrolling = 'document.documentElement.scrollWidth > innerWidth';
    if (await page.evaluate<boolean>(isScrolling)) {
      faults.push(`${look}: scrolls sideways: ${(await page.evaluate<string[]>(TOO_WIDE)).join('\n')}`);
    }
    faults.push(...(await axe(page, rules)).map((fault) => `${look}: ${fault}`));
  }
  await page.close();
  expect(faults).toEqual([]);
});

test('the search finds dead letters', async () => {
  const { page, faults } = await open('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('dead letter');
  const first = page.locator('#localsearch-list a').first();
  await first.waitFor();
  expect(await page.locator('#localsearch-list').textContent()).toMatch(/dead letters/i);
  faults.push(...(await axe(page, undefined)));
  await first.click();
  await page.waitForURL(/\.html#/);
  expect(await page.locator('main').textContent()).toMatch(/dead letter/i);
  expect(faults).toEqual([]);
  await page.close();
});
