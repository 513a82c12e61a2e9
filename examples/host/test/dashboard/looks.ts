/** The looks in which every state of a page is held to the same: light, dark and narrow. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe } from './browser.js';

/** Pictures to look at, which git ignores. */
const FOLDER = join(import.meta.dirname, '../../screenshots');

const LOOKS = [
  { look: 'light', colorScheme: 'light', width: 1_440, height: 900 },
  { look: 'dark', colorScheme: 'dark', width: 1_440, height: 900 },
  { look: 'narrow', colorScheme: 'light', width: 360, height: 740 },
] as const;
/** Lists and plots measure their place again after a change of size. */
const SETTLE_MS = 300;

/**
 * Holds the state that a page is in to each look: axe finds nothing, nothing is wider than the window.
 *
 * @param name - Of the pictures.
 */
export async function assertLooks(
  page: Page,
  name: string,
  { fullPage = false }: { readonly fullPage?: boolean } = {},
): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const { look, colorScheme, width, height } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage });
    await axe(page);
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(needed, `${name}, ${look}`).toBeLessThanOrEqual(width);
  }
}
