/** Every page in light, dark and narrow: axe, no sideways scroll, and a picture to look at (`npm run screenshots`). */
import { test } from 'vitest';
import { signedIn, signedOut } from './browser.js';
import { furnishedWorld } from './furnished.js';
import { assertLoadedLooks, assertLooks } from './looks.js';

const PATHS = [
  '/sign-in',
  '/dashboard/overview',
  '/dashboard/events',
  '/dashboard/rules',
  '/dashboard/endpoints',
  '/dashboard/channels',
  '/dashboard/event-types',
  '/dashboard/clients',
  '/dashboard/replays',
  '/dashboard/dead-letters',
  '/dashboard/alerts',
  '/dashboard/project',
  '/dashboard/audit',
  '/dashboard/components',
  '/dashboard/nowhere',
];

test('every page is accessible and as wide as the window, in every look', async () => {
  const world = await furnishedWorld();
  for (const path of PATHS) {
    const page = await (path === '/sign-in' ? signedOut : signedIn)(world, { path });
    await page.waitForLoadState('load');
    const name = path.slice(1).replaceAll('/', '-');
    // The page of the components shows that one, too.
    if (path.endsWith('components')) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertLooks(page, name, { fullPage: true });
    } else await assertLoadedLooks(page, name);
    await page.close();
  }
});
