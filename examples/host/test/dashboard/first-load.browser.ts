/** The weight of the pages: how much script is loaded before the first events are shown. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { furnishedWorld } from './furnished.js';

const MOST_BYTES = 60_000;

/** The size of a script, which the browser may have dropped by now. */
async function compressedSize(url: string): Promise<number> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return gzipSync(await response.arrayBuffer(), { level: 9 }).length;
}

test('the first load has at most 60 kB of script, compressed', async () => {
  const world = await furnishedWorld(4);
  const page = await signedIn(world, { path: '/dashboard/components' });
  // Nothing of the page before comes late.
  await page.goto('about:blank');
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url());
  });
  await page.goto(`${world.url}/dashboard/events`);
  await page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();
  const sizes = await Promise.all([...scripts].map(compressedSize));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`first load: ${total} bytes of script in ${scripts.size} files`);
  expect(scripts.size).toBeGreaterThan(2);
  expect(total).toBeLessThanOrEqual(MOST_BYTES);
});

test('the first events are asked for before the page that shows them is there', async () => {
  const world = await furnishedWorld(4);
  const page = await signedIn(world, { path: '/dashboard/components' });
  let show = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (show = resolve));
  await page.route('**/EventsPage-*.js', async (route) => {
    await isHeld;
    await route.continue();
  });
  let asked = 0;
  // Only the first request is answered, so it is this one that the list shows.
  await page.route('**/events?*', async (route) => {
    asked++;
    if (asked === 1) await route.continue();
  });
  await page.goto(`${world.url}/dashboard/events`, { waitUntil: 'commit' });
  await expect.poll(() => asked).toBe(1);
  show();
  await page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();
});
