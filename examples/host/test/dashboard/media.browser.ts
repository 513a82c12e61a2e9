/** The pages in forced colours, on paper and in a window of 360 px; and the guide, which is found again. */
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { receiver } from '../world.js';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';
import { manyEvents } from './many-events.js';

/** How an element looks, as far as it may be marked. */
const lookOf = (element: Locator): Promise<string> =>
  element.evaluate((one) => {
    const { backgroundColor, color, outline, borderBottomColor } = getComputedStyle(one);
    return [backgroundColor, color, outline, borderBottomColor].join(' ');
  });

describe('in forced colours', () => {
  async function assertMarked(marked: Locator, other: Locator, name: string): Promise<void> {
    await marked.waitFor();
    expect(await lookOf(marked), name).not.toBe(await lookOf(other));
  }

  test('what is current or selected is marked', async () => {
    const world = await furnishedWorld(2);
    const page = await signedIn(world, { path: '/dashboard/rules' });
    await page.emulateMedia({ forcedColors: 'active' });
    const nav = page.getByRole('navigation', { name: 'Main', exact: true });
    await assertMarked(
      nav.getByRole('link', { name: 'Rules' }),
      nav.getByRole('link', { name: 'Events' }),
      'navigation',
    );
    await page.getByRole('switch', { name: 'Tag large amounts is enabled' }).click();
    await page.getByText('Tag large amounts is disabled').first().waitFor();
    const [on, off] = ['Drop health checks', 'Tag large amounts'].map((name) =>
      page.getByRole('switch', { name: `${name} is enabled` }),
    ) as [Locator, Locator];
    await assertMarked(on, off, 'switches');
    await page.setViewportSize({ width: 360, height: 740 });
    const dock = page.getByRole('navigation', { name: 'Main, short' });
    await assertMarked(
      dock.getByRole('link', { name: 'Rules' }),
      dock.getByRole('link', { name: 'Events' }),
      'dock',
    );
    await page.setViewportSize({ width: 1_280, height: 800 });

    await page.getByRole('link', { name: 'Drop health checks' }).click();
    const tab = (name: string) => page.getByRole('tab', { name });
    await assertMarked(tab('Builder'), tab('JSON'), 'tabs');
    const action = (name: string) => page.locator('.hg-choice', { hasText: name });
    await assertMarked(action('Drop'), action('Tag'), 'actions');
    await page.keyboard.press('Control+k');
    const option = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await assertMarked(option.nth(0), option.nth(1), 'palette');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Account' }).click();
    const theme = (name: string) => page.getByRole('menuitemradio', { name });
    await assertMarked(theme('Theme of the system'), theme('Dark'), 'themes');
  });
});

describe('on paper', () => {
  test('there is no navigation, and nothing is cut off', async () => {
    const world = await worldWithPages();
    await manyEvents(world, 150);
    const page = await signedIn(world);
    const list = page.getByRole('list', { name: 'Events' });
    await list.getByRole('link').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
    // All rows that were read, one below the other.
    await expect.poll(() => list.getByRole('link').count()).toBeGreaterThanOrEqual(100);
    const [first, last] = [
      await list.getByRole('link').first().boundingBox(),
      await list.getByRole('link').last().boundingBox(),
    ];
    expect((last?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThan(100 * 20);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(100 * 20);
  });

  test('folded and dark parts are shown, in light colours', async () => {
    const world = await furnishedWorld(0);
    const id = await world.event('Shop', {
      kind: 'order.paid',
      lines: Array.from({ length: 500 }, (_, i) => `line ${i}`),
    });
    const page = await signedIn(world, { path: `/dashboard/events/${id}`, theme: 'dark' });
    const tree = page.getByRole('group', { name: /^Data/ });
    await tree.getByRole('button', { name: 'Close data.body.lines' }).click();
    expect(await tree.getByText('"line 499"').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await tree.getByText('"line 499"').waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => tree.getByText('"line 499"').count()).toBe(0);
  });
});

describe('in a window of 360 px', () => {
  test('every list shows what has failed, without scrolling sideways', async () => {
    const world = await worldWithPages();
    const once = { name: 'Warehouse', retry_max_attempts: 1 };
    const { id } = await world.endpoint(await receiver(500), once);
    const { url } = await world.channel({ name: 'Shop' });
    const event = (await world.send(url, { kind: 'order' })).json.id as string;
    const letters = async () =>
      (await world.call('GET', `/projects/${world.project}/dead-letters/count`)).json.count as number;
    await expect.poll(letters).toBe(1);
    const page = await signedIn(world, { width: 360, height: 740 });
    const shows = async (path: string, text: string | RegExp): Promise<void> => {
      await page.goto(world.url + path);
      const found = page.locator('#main').getByText(text).first();
      await found.waitFor();
      const box = await found.boundingBox();
      expect(box, path).not.toBeNull();
      expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(360);
    };
    await shows('/dashboard/events', '1 endpoint failing');
    await shows(`/dashboard/events/${event}`, 'Failed');
    await shows('/dashboard/dead-letters', 'HTTP 500');
    await shows(`/dashboard/endpoints/${id}?tab=deliveries`, 'Failed');
    await shows('/dashboard/endpoints', '0%');
  });
});

describe('the guide', () => {
  test('is found again in the menu and in the palette, by a project that is in use', async () => {
    const world = await furnishedWorld(2);
    const page = await signedIn(world);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Getting started' }).click();
    await page.waitForURL('**/dashboard/start');
    await page.getByRole('heading', { name: 'Send it a sample' }).waitFor();
    await axe(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Send it a sample' }).waitFor();
    await page.getByRole('link', { name: 'Rules' }).first().click();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a page, or do something' }).fill('guide');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/start');
  });
});
