/** The weight of the pages: how much script is loaded before the first events are shown. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { furnishedWorld } from './furnished.js';

const MOST_BYTES = 60_000;

test('the first load has at most 60 kB of script, compressed', async () => {
  const world = await furnishedWorld(4);
  const page = await signedIn(world, { path: '/dashboard/components' });
  const scripts = new Map<string, number>();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    void response.body().then((body) => scripts.set(response.url(), gzipSync(body, { level: 9 }).length));
  });
  await page.goto(`${world.url}/dashboard/events`);
  await page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();
  const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  console.log(`first load: ${total} bytes of script in ${scripts.size} files`);
  expect(scripts.size).toBeGreaterThan(2);
  expect(total).toBeLessThanOrEqual(MOST_BYTES);
});
