/** The looks in which every state of a page is held to the same: light, dark and narrow. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe } from './browser.js';

/** Pictures to look at, which git ignores: `npm run screenshots` takes them. */
const FOLDER = join(import.meta.dirname, '../../screenshots');
const TAKES_PICTURES = process.env.npm_lifecycle_event === 'screenshots';

/** The last one is that of the tests, which go on from there. */
const LOOKS = [
  { look: 'narrow', colorScheme: 'light', width: 360, height: 740, rules: 'all' },
  { look: 'dark', colorScheme: 'dark', width: 1_440, height: 900, rules: 'all' },
  // Its elements are those of the dark one.
  { look: 'light', colorScheme: 'light', width: 1_440, height: 900, rules: 'colours' },
] as const;

/**
 * Holds the state that a page is in to each look: axe finds nothing, nothing is wider than the window.
 *
 * @param name - The name of the pictures.
 */
export async function assertLooks(
  page: Page,
  name: string,
  { fullPage = false }: { readonly fullPage?: boolean } = {},
): Promise<void> {
  for (const { look, colorScheme, width, height, rules } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await settled(page);
    if (TAKES_PICTURES) await picture(page, `${name}-${look}`, fullPage);
    await axe(page, rules);
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(needed, `${name}, ${look}`).toBeLessThanOrEqual(width);
  }
}

/** The same, once all that the page shows is loaded. */
export async function assertLoadedLooks(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
  await assertLooks(page, name, { fullPage: true });
}

/** Lists and plots measure themselves in the frame after a change of size, and are drawn in the next one. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let frames = 4;
        const next = (): void => {
          if (frames-- > 0) requestAnimationFrame(next);
          else setTimeout(resolve);
        };
        next();
      }),
  );

async function picture(page: Page, name: string, fullPage: boolean): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage });
}
