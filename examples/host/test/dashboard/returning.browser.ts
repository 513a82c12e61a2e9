/** Back leads to the same rows, at the same scroll position, with the focus on the row that was opened. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { receiver } from '../world.js';
import { signedIn } from './browser.js';
import { type PagesWorld, worldWithPages } from './furnished.js';
import { manyEvents } from './many-events.js';

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('href') ?? null);

/** Opens a link and comes back; the link has the focus again, and is where it was. */
async function assertReturns(page: Page, link: Locator): Promise<void> {
  const href = await link.getAttribute('href');
  const top = () => page.evaluate(() => scrollY + (document.querySelector('.hg-virtual')?.scrollTop ?? 0));
  const before = await top();
  await link.click();
  await page.waitForURL(`**${href}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(() => focused(page)).toBe(href);
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(3);
}

/** Sends events to an endpoint that takes none of them, and gives its id. */
async function deadLetters(world: PagesWorld, count: number): Promise<string> {
  const { id } = await world.endpoint(await receiver(500), { name: 'Warehouse', retry_max_attempts: 1 });
  const { url } = await world.channel({ name: 'Shop' });
  for (let i = 0; i < count; i++) await world.send(url, { number: i });
  const letters = async (): Promise<number> =>
    (await world.call('GET', `/projects/${world.project}/dead-letters/count`)).json.count as number;
  await expect.poll(letters).toBe(count);
  return id;
}

describe('Back', () => {
  test('leads to the same events, far down in a list of many pages', async () => {
    const world = await worldWithPages();
    await manyEvents(world, 600);
    const page = await signedIn(world);
    const list = page.getByRole('list', { name: 'Events' });
    await list.getByRole('link').first().waitFor();
    const bottom = () =>
      page.evaluate(() => {
        const frame = document.querySelector('.hg-virtual');
        if (frame !== null) frame.scrollTop = Math.min(16_000, frame.scrollHeight);
        return frame?.scrollTop ?? 0;
      });
    await expect.poll(bottom).toBe(16_000);
    const row = list.locator('[aria-posinset="405"] a');
    await row.waitFor();
    const href = await row.getAttribute('href');
    await assertReturns(page, list.locator(`a[href="${href}"]`));
    // A click on the navigation begins at the first event again.
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Events' }).first().click();
    await list.locator('[aria-posinset="1"]').waitFor();
    expect(await page.evaluate(() => document.querySelector('.hg-virtual')?.scrollTop)).toBe(0);
  });

  test('leads to the same rule, and Forward and Back again', async () => {
    const world = await worldWithPages();
    for (let i = 0; i < 24; i++) {
      const rule = { name: `Rule ${i}`, stage: 'deliver', priority: i + 1, action: { type: 'drop' } };
      await world.call('POST', `/projects/${world.project}/rules`, {
        ...rule,
        match: { path: 'data.body.kind', op: 'eq', value: `kind ${i}` },
      });
    }
    const page = await signedIn(world, { path: '/dashboard/rules' });
    const link = page.getByRole('link', { name: 'Rule 20', exact: true });
    await link.scrollIntoViewIfNeeded();
    await assertReturns(page, link);
    await page.goForward();
    await page.getByRole('heading', { name: /^Rule 20/ }).waitFor();
    await page.goBack();
    await expect.poll(() => focused(page)).toBe(await link.getAttribute('href'));
  });

  test.each(['dead letters', 'deliveries'])(
    'leads to the same row on the second page of %s',
    async (list) => {
      const world = await worldWithPages();
      const endpoint = await deadLetters(world, 70);
      const path = list === 'dead letters' ? 'dead-letters' : `endpoints/${endpoint}?tab=deliveries`;
      const page = await signedIn(world, { path: `/dashboard/${path}` });
      const links = page.getByRole('table', { name: list }).locator('a[href^="/dashboard/events/"]');
      await expect.poll(() => links.count()).toBe(50);
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => links.count()).toBe(70);
      const link = page.locator(`#main a[href="${await links.nth(60).getAttribute('href')}"]`);
      await link.scrollIntoViewIfNeeded();
      await assertReturns(page, link);
      await expect.poll(() => links.count()).toBe(70);
      expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
      // The focus stays there when the list has been read again.
      await page.waitForTimeout(300);
      expect(await focused(page)).toBe(await link.getAttribute('href'));
    },
  );
});
