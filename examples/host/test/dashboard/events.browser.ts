/** The list of events in a real browser: live, filtered, by keyboard, and over many thousand rows. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';

const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('listitem');
/** Rows that have come to the list, rendered or not. */
const length = async (page: Page): Promise<number> =>
  Number(await rows(page).first().getAttribute('aria-setsize'));

describe('the list of events', () => {
  test('shows what came in, and what happened to it', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world);
    await expect.poll(() => rows(page).count()).toBe(8);
    await page.getByText('by Drop health checks').first().waitFor();
    await page
      .getByText('Redact card numbers, Orders to the orders service and Tag large amounts')
      .first()
      .waitFor();
    await axe(page);
  });

  test('an empty project says how the first event comes, and shows it without a reload', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world);
    await page.getByText('No events yet').waitFor();
    await axe(page);
    const channel = await world.channel({ name: 'Shop' });
    await world.send(channel.url, { kind: 'first' });
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  test('a new event appears at the top while one is there', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world);
    await expect.poll(() => rows(page).count()).toBe(4);
    const id = await world.event('Shop', { kind: 'order.created', amount: 999 });
    await expect.poll(() => rows(page).first().getByRole('link').getAttribute('href')).toContain(id);
    expect(await length(page)).toBe(5);
  });

  test('nothing moves while one reads further down: new events wait, and are counted', async () => {
    const world = await furnishedWorld(60);
    const page = await signedIn(world);
    await expect.poll(() => length(page)).toBe(60);
    const list = page.getByRole('list', { name: 'Events' });
    await list.evaluate((element) => element.parentElement?.scrollTo(0, 800));
    await expect.poll(() => rows(page).first().getAttribute('aria-posinset')).not.toBe('1');
    const read = rows(page).nth(12).getByRole('link');
    const href = await read.getAttribute('href');
    const before = await page.locator(`a[href="${href}"]`).boundingBox();
    for (let i = 0; i < 3; i++) await world.event('Shop', { kind: 'order.created' });
    await page.getByRole('button', { name: '3 new events' }).waitFor();
    expect(await page.locator(`a[href="${href}"]`).boundingBox()).toEqual(before);
    expect(await length(page)).toBe(60);
    await page.getByRole('button', { name: '3 new events' }).click();
    await expect.poll(() => length(page)).toBe(63);
    expect(await page.getByRole('button', { name: 'new events' }).count()).toBe(0);
  });

  test('conditions are in the address, and Back takes them away', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world);
    await expect.poll(() => rows(page).count()).toBe(8);
    await page.getByRole('button', { name: 'Outcome: Any outcome' }).click();
    await page.getByRole('menuitemradio', { name: 'Dropped' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?outcome=dropped');
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(8);
  });

  test.for([
    ['rule', 'Rule that matched', 'Tag large amounts', 2],
    ['channel', 'Channel', 'Billing', 3],
    ['tag', 'Tag', 'large', 2],
    ['endpoint', 'Endpoint that it was routed to', 'Orders service', 4],
  ] as const)('events are filtered by %s', async ([name, field, text, count]) => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: field, exact: true }).fill(text);
    await page.getByRole('option', { name: text }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    expect(new URL(page.url()).searchParams.has(name)).toBe(true);
    if (name !== 'endpoint') await expect.poll(() => rows(page).count()).toBe(count);
    await page.getByRole('button', { name: /^Remove the condition/ }).click();
    await expect.poll(() => rows(page).count()).toBe(8);
  });

  test('a field of the filters keeps the focus, however soon it is taken after they open', async () => {
    const world = await furnishedWorld(1);
    const page = await signedIn(world);
    await page.getByRole('button', { name: 'Filter' }).waitFor();
    const focused = await page.evaluate(async () => {
      [...document.querySelectorAll('button')].find(({ innerText }) => innerText === 'Filter')?.click();
      let field: HTMLInputElement | undefined;
      // The box is rendered within the frame of the click.
      for (let i = 0; i < 10 && field === undefined; i++) {
        await Promise.resolve();
        field = [...document.querySelectorAll<HTMLInputElement>('[role=dialog] [role=combobox]')].at(-1);
      }
      field?.focus();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return field !== undefined && document.activeElement === field;
    });
    expect(focused).toBe(true);
  });

  test('a view is saved under a name, and found again', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world, { path: '/dashboard/events?status=dropped&since=24h' });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Dropped today');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.goto(`${world.url}/dashboard/events`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitemradio', { name: 'Dropped today' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?since=24h&status=dropped');
    await page.getByRole('button', { name: 'View: Dropped today' }).waitFor();
  });

  test('j and k go through the rows, and Enter opens one', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world);
    await expect.poll(() => rows(page).count()).toBe(8);
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    const href = await rows(page).nth(1).getByRole('link').getAttribute('href');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(href);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${href}`);
  });

  test('two tabs share one connection, and both are live', async () => {
    const world = await furnishedWorld(2);
    const first = await signedIn(world);
    const second = await signedIn(world, { beside: first });
    await expect.poll(() => rows(first).count()).toBe(2);
    await expect.poll(() => rows(second).count()).toBe(2);
    await world.event('Shop', { kind: 'ping' });
    await expect.poll(() => rows(first).count()).toBe(3);
    await expect.poll(() => rows(second).count()).toBe(3);
    const tails = [first, second].map((page) =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/tail')).length,
      ),
    );
    expect((await Promise.all(tails)).reduce((a, b) => a + b)).toBeLessThanOrEqual(1);
  });
});
