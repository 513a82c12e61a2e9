/** Chromium for benches, with people who are signed in to a host. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const PAGES = join(import.meta.dirname, '../dist/dashboard/index.html');
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** @throws Error if the pages are not built. */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(PAGES)) throw new Error('the pages are not built: npm run build:dashboard');
  const found = process.env.CHROMIUM ?? CHROMIUMS.find((path) => existsSync(path)) ?? 'chromium';
  return chromium.launch({ executablePath: found, args: ['--no-sandbox'] });
}

/** A window with an empty cache. */
export async function signedIn(browser: Browser, url: string, key: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const answer = await context.request.post(`${url}/session`, { data: { key } });
  if (answer.status() !== 201) throw new Error(`signing in was answered with ${answer.status()}`);
  return context;
}
