/** The list of events in a real browser: live, filtered, by keyboard, and over many thousand rows. */
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { HostWorld } from '../world.js';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';

const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('listitem');
/** Rows that have come to the list, rendered or not. */
const length = async (page: Page): Promise<number> =>
  Number(await rows(page).first().getAttribute('aria-setsize'));

/** The page of one event behind a cursor. */
const pageAfter = async (world: HostWorld, cursor?: string) =>
  (
    await world.call(
      'GET',
      `/projects/${world.project}/events?limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    )
  ).json as {
    readonly items: readonly {
      readonly received_at: string;
      readonly matched: readonly { readonly name: string }[];
    }[];
    readonly next: string | null;
  };

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

  test('a match tree searches payloads, and says what is wrong with its text', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world);
    await page.getByRole('button', { name: 'Filter' }).click();
    const field = page.getByRole('textbox', { name: 'Payload matches' });
    await field.fill('{"path": "data.body.amount", "op": "gt"');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/This is not valid JSON yet/).waitFor();
    await axe(page);
    await field.fill('{"path": "data.body.amount", "op": "gt", "value": 500}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    const foot = page.getByRole('group', { name: 'Search' });
    await foot.getByText('2 of 8 events match.', { exact: true }).waitFor();
    // An event that comes in later is in the list; the search has not looked at it.
    await world.event('Shop', { amount: 501 });
    await expect.poll(() => rows(page).count()).toBe(3);
    await foot.getByText('2 of 8 events match.', { exact: true }).waitFor();
  });

  test('a search of payloads continues to the end, and can be stopped and continued', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world);
    const asked = new Set<string | undefined>();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    // The bounds of the service, made smaller: each answer looks at one event, and the fourth waits.
    await page.route('**/events/search', async (route) => {
      const body = route.request().postDataJSON() as { cursor?: string };
      const { items, next } = await pageAfter(world, body.cursor);
      asked.add(body.cursor);
      if (asked.size === 4) await held;
      const matched = items.filter(({ matched: rules }) =>
        rules.some(({ name }) => name === 'Tag large amounts'),
      );
      const answer = {
        items: matched,
        next,
        scanned: items.length,
        scanned_to: items[0]!.received_at,
        tail_position: 1_000,
      };
      await route.fulfill({ json: answer });
    });
    const match = '{"path": "data.body.amount", "op": "gt", "value": 500}';
    await page.goto(`${world.url}/dashboard/events?${new URLSearchParams({ match }).toString()}`);
    const foot = page.getByRole('group', { name: 'Search' });
    await foot.getByText(/^1 of 3 events matches so far, back to/).waitFor();
    await axe(page);
    await foot.getByRole('button', { name: 'Stop' }).click();
    release();
    await foot.getByText(/^1 of 4 events|^2 of 4 events/).waitFor();
    await foot.getByRole('button', { name: 'Continue' }).click();
    await foot.getByText('2 of 8 events match.').waitFor();
    expect([asked.size, await rows(page).count()]).toEqual([8, 2]);
    expect(await foot.getByRole('button').count()).toBe(0);
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
