/** Every page in light, dark and narrow: axe, no sideways scroll, and a picture to look at (`npm run screenshots`). */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { axe, signedIn, signedOut } from './browser.js';
import { furnishedWorld } from './furnished.js';

const FOLDER = join(import.meta.dirname, '../../screenshots');
mkdirSync(FOLDER, { recursive: true });

const PATHS = [
  '/sign-in',
  '/dashboard/events',
  '/dashboard/rules',
  '/dashboard/endpoints',
  '/dashboard/channels',
  '/dashboard/clients',
  '/dashboard/dead-letters',
  '/dashboard/project',
  '/dashboard/audit',
  '/dashboard/components',
  '/dashboard/nowhere',
];
const LOOKS = [
  { look: 'light', theme: 'light', width: 1_440, height: 900 },
  { look: 'dark', theme: 'dark', width: 1_440, height: 900 },
  { look: 'narrow', theme: 'light', width: 360, height: 740 },
] as const;

describe.each(LOOKS)('in $look', ({ look, ...opening }) => {
  test('every page is accessible and as wide as the window', async () => {
    const world = await furnishedWorld();
    for (const path of PATHS) {
      const page = await (path === '/sign-in' ? signedOut : signedIn)(world, { ...opening, path });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('load');
      // The page of the components shows that one, too.
      if (!path.endsWith('components')) await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
      const name = path.slice(1).replaceAll('/', '-');
      await page.screenshot({
        path: join(FOLDER, `${name}-${look}.png`),
        fullPage: path.endsWith('components'),
      });
      await axe(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBeLessThanOrEqual(opening.width);
    }
  });
});
