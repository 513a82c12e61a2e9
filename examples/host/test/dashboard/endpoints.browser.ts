/** Endpoints in a real browser: made, tested, paused, set, deleted, and a receiver that is built in. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { receiver } from '../world.js';
import { axe, type Opening, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';

const FOLDER = join(import.meta.dirname, '../../screenshots');
mkdirSync(FOLDER, { recursive: true });
const LOOKS = [
  { look: 'light', theme: 'light', width: 1_440, height: 900 },
  { look: 'dark', theme: 'dark', width: 1_440, height: 900 },
  { look: 'narrow', theme: 'light', width: 360, height: 740 },
] as const;

/** Of the endpoint with this name. */
async function idOf(world: Awaited<ReturnType<typeof worldWithPages>>, name: string): Promise<string> {
  const { items } = (await world.call('GET', `/projects/${world.project}/endpoints`)).json as {
    items: { id: string; name: string }[];
  };
  return items.find((one) => one.name === name)?.id ?? '';
}

async function looksRight(page: Page, name: string, { width }: Opening): Promise<void> {
  await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
  await axe(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width ?? 0);
}

/** The classic injections, as far as a name may hold them. */
const INJECTION = `<img src=x onerror="document.title='x'">"><script>document.title='x'</script>\u202Ejavascript:`;

describe.each(LOOKS)('in $look', ({ look, ...opening }) => {
  test('every view of an endpoint is accessible and as wide as the window', async () => {
    const world = await furnishedWorld(12);
    const id = await idOf(world, 'Warehouse');
    await world.call('PATCH', `/projects/${world.project}/endpoints/${id}`, { name: INJECTION });
    for (const path of [
      '/dashboard/endpoints',
      `/dashboard/endpoints/${id}`,
      `/dashboard/endpoints/${id}?tab=deliveries`,
      `/dashboard/endpoints/${id}?tab=verify`,
      `/dashboard/endpoints/${id}?tab=settings`,
    ]) {
      const page = await signedIn(world, { ...opening, path });
      await page.getByRole('heading', { level: 1 }).waitFor();
      const tab = path.split('tab=')[1] ?? (path.endsWith(id) ? 'overview' : 'list');
      await looksRight(page, `endpoint-${tab}-${look}`, opening);
      expect(await page.title()).not.toBe('x');
      await page.close();
    }
  });

  test('a receiver shows what arrives', async () => {
    const world = await worldWithPages();
    await world.channel({ name: 'Shop' });
    const page = await signedIn(world, { ...opening, path: '/dashboard/endpoints' });
    await page.getByText('No endpoints yet').waitFor();
    await looksRight(page, `endpoints-empty-${look}`, opening);
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    await looksRight(page, `endpoints-new-${look}`, opening);
    await page.getByRole('button', { name: 'Use a built-in receiver' }).click();
    await page.getByText('Nothing has arrived yet').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('HTTP 200').waitFor();
    await looksRight(page, `endpoint-test-${look}`, opening);
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Verified').first().waitFor();
    await looksRight(page, `endpoint-receiver-${look}`, opening);
  });
});

void receiver;
