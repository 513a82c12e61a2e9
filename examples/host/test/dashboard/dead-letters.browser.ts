/** Dead letters in a real browser: found, grouped, redelivered all at once or alone, discarded. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.js';
import { type HostWorld, type Receiver, receiver } from '../world.js';
import { axe, signedIn } from './browser.js';
import { type PagesWorld, worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

interface LetterWorld extends PagesWorld {
  readonly warehouse: Receiver;
  readonly billing: { readonly id: string };
  /** The ids of the events, in the order in which they were sent. */
  readonly events: readonly string[];
}

/** A world with this many events, each of which has failed at the warehouse with 500, and at billing with 404. */
async function letterWorld(events: number): Promise<LetterWorld> {
  const world = await worldWithPages();
  const [warehouse, missing] = [await receiver(500), await receiver(404)];
  const once = { retry_max_attempts: 1 };
  await world.endpoint(warehouse, { name: 'Warehouse', ...once });
  const billing = await world.endpoint(missing, { name: 'Billing', ...once });
  const { url } = await world.channel({ name: 'Shop' });
  const ids: string[] = [];
  for (let i = 0; i < events; i++) ids.push((await world.send(url, { number: i })).json.id as string);
  await expect.poll(() => counted(world)).toBe(events * 2);
  return { ...world, warehouse, billing, events: ids };
}

const counted = async (world: HostWorld): Promise<number> =>
  (await world.call('GET', `/projects/${world.project}/dead-letters/count`)).json.count as number;

const opened = (world: HostWorld, search = ''): Promise<Page> =>
  signedIn(world, { path: `/dashboard/dead-letters${search}` });
const rows = (page: Page) => page.getByRole('table', { name: 'Dead letters' }).locator('tbody tr');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

describe('dead letters', () => {
  test('none of them teaches what they are', async () => {
    const world = await letterWorld(0);
    const page = await opened(world);
    await page.getByText('No dead letters').waitFor();
    expect(await page.getByRole('button', { name: 'Redeliver all…' }).isDisabled()).toBe(true);
    await axe(page);
  });

  test('are grouped by cause over the whole filter, and a group leads to its letters', async () => {
    const world = await letterWorld(3);
    const page = await opened(world);
    await heading(page, '6 dead letters').waitFor();
    const causes = page.getByRole('list', { name: 'Why they failed' });
    await expect.poll(() => causes.getByRole('listitem').count()).toBe(2);
    await axe(page);
    await causes.getByRole('link', { name: 'HTTP 4xx' }).click();
    await heading(page, '3 dead letters').waitFor();
    expect(new URL(page.url()).search).toBe('?failure=http_status&status_from=400&status_to=499');
    await expect.poll(() => rows(page).getByText('HTTP 404').count()).toBe(3);
    await page.reload();
    await heading(page, '3 dead letters').waitFor();
    await page.goBack();
    await heading(page, '6 dead letters').waitFor();
  });

  test('are filtered by endpoint, and if none match the conditions, a link leads back to all', async () => {
    const world = await letterWorld(2);
    const page = await opened(world, '?failure=timeout');
    await page.getByText('No dead letters match these filters').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Show all dead letters' }).click();
    await heading(page, '4 dead letters').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('textbox', { name: 'HTTP status from' }).fill('99');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('An HTTP status has three digits').waitFor();
    await axe(page);
    await page.getByRole('textbox', { name: 'HTTP status from' }).fill('');
    await page.getByRole('combobox', { name: 'Endpoint' }).fill('Billing');
    await page.getByRole('option', { name: 'Billing' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await heading(page, '2 dead letters').waitFor();
    expect(new URL(page.url()).searchParams.get('endpoint')).toBe(world.billing.id);
    await page.getByRole('button', { name: 'Remove the condition Endpoint' }).click();
    await heading(page, '4 dead letters').waitFor();
  });
});

describe('sending them again', () => {
  test('takes the whole filter, says how many before, and shows the results after a reload', async () => {
    const world = await letterWorld(60);
    const page = await opened(world, '?status_from=500');
    await heading(page, '60 dead letters').waitFor();
    await expect.poll(() => rows(page).count()).toBe(50);
    world.warehouse.answer = 204;
    await page.getByRole('button', { name: 'Redeliver all…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Redeliver 60 dead letters?' });
    await dialog.getByText('HTTP from 500').waitFor();
    await axe(page);
    await dialog.getByRole('button', { name: 'Redeliver 60 dead letters' }).click();
    const line = page.getByRole('list', { name: 'Redeliveries' }).getByRole('listitem').first();
    await line.getByText('60 delivered').waitFor();
    await page.getByText('No dead letters match these filters').waitFor();
    await page.reload();
    await line.getByText('60 delivered').waitFor();
    await line.getByText('HTTP from 500').waitFor();
    expect(await counted(world)).toBe(60);
    expect(world.warehouse.got.length).toBe(120);
    await axe(page);
  });

  test('one letter is sent alone, and one lands on its event', async () => {
    const world = await letterWorld(1);
    world.warehouse.answer = 204;
    const page = await opened(world, '?status_from=500');
    await rows(page)
      .getByRole('button', { name: /^Redeliver: / })
      .click();
    await page.waitForURL(`**/dashboard/events/${world.events[0] ?? ''}`);
    await expect.poll(() => world.warehouse.got.length).toBe(2);
    await expect.poll(() => counted(world)).toBe(1);
  });

  test('is stopped, and what was not sent stays', async () => {
    const world = await letterWorld(2);
    // Another process has begun it, and goes on slowly.
    await world.db.transaction(async (tx) => {
      const at = Date.now();
      const row = { id: newId(at), project_id: world.project, filter: '{"status_to":499}', state: 'running' };
      const progress = { total: 2, sent: 0, cursor: `{"failedAt":${at},"id":"g"}` };
      const lease = { lease_until: at + 3_600_000, created_at: at, created_by: 'admin', ended_at: null };
      await tx.insert('bulk_actions', [{ ...row, ...progress, ...lease }]);
    });
    const page = await opened(world);
    const line = page.getByRole('list', { name: 'Redeliveries' }).getByRole('listitem').first();
    await line.getByText('2 left').waitFor();
    await line.getByText('The operator').waitFor();
    await axe(page);
    await page.reload();
    await line.getByRole('button', { name: 'Stop' }).click();
    await line.getByText('2 not sent').waitFor();
    expect(await line.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    await heading(page, '4 dead letters').waitFor();
  });
});

describe('discarding them', () => {
  test('names the count, and takes what was counted for good', async () => {
    const world = await letterWorld(2);
    const page = await opened(world);
    await heading(page, '4 dead letters').waitFor();
    await page.getByRole('button', { name: 'Discard…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard 4 dead letters?' });
    await axe(page);
    await dialog.getByRole('button', { name: 'Discard 4 dead letters' }).click();
    await page.getByText('No dead letters').waitFor();
    expect(await counted(world)).toBe(0);
  });

  test('leaves one alone that failed after the question', async () => {
    const world = await letterWorld(1);
    const { url } = await world.channel({ name: 'Later' });
    const page = await opened(world, `?endpoint=${world.billing.id}`);
    await page.getByRole('button', { name: 'Discard…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard 1 dead letter?' });
    await dialog.waitFor();
    await world.send(url, { number: 'late' });
    await expect.poll(() => counted(world)).toBe(4);
    await dialog.getByRole('button', { name: 'Discard 1 dead letter' }).click();
    await expect.poll(() => counted(world)).toBe(3);
  });
});

test('the page and its dialogs are accessible and as wide as the window, in every look', async () => {
  const page = await opened(await letterWorld(8));
  await page.getByRole('button', { name: 'Redeliver all…' }).click();
  await page.getByRole('button', { name: 'Redeliver 16 dead letters' }).click();
  await page.getByText('16 failed').waitFor();
  await heading(page, '16 dead letters').waitFor();
  await assertLooks(page, 'letters', { fullPage: true });
  await page.getByRole('button', { name: 'Discard…' }).click();
  await page.getByRole('button', { name: 'Discard 16 dead letters' }).waitFor();
  await assertLooks(page, 'letters-dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter' }).click();
  await assertLooks(page, 'letters-filter');
});

test('those that hold back later deliveries say so, on the pages of endpoint and event, too', async () => {
  const world = await worldWithPages();
  const broken = await receiver(500);
  const settings = { name: 'Ledger', retry_max_attempts: 1, ordering: 'key', on_exhausted: 'hold' };
  const { id } = await world.endpoint(broken, settings);
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const body = { type: 'order.changed', data: { n }, ordering_key: 'ord_7' };
    const { json } = await world.call('POST', `/projects/${world.project}/events`, body);
    ids.push(json.id as string);
    await expect
      .poll(async () => (await world.call('GET', `/projects/${world.project}/events/${json.id}`)).json.status)
      .toBe('processed');
  }
  await expect.poll(() => counted(world)).toBe(1);
  const page = await signedIn(world, { path: `/dashboard/endpoints/${id}`, width: 360 });
  await page.getByText('1 dead letter holds back later deliveries').waitFor();
  await assertLooks(page, 'held-1');
  await page.getByRole('link', { name: 'Show what is held' }).click();
  await heading(page, '1 dead letter').waitFor();
  expect(await rows(page).innerText()).toMatch(/2 with the key\s+ord_7/);
  await assertLooks(page, 'held-2');
  await axe(page);

  await page.goto(`${world.url}/dashboard/events/${ids[2]}`);
  await page.getByText('waits for an earlier delivery with the key').waitFor();
  await page.goto(`${world.url}/dashboard/events/${ids[0]}`);
  await page.getByText('holds back later deliveries with the key').waitFor();
  await assertLooks(page, 'held-3');
  broken.answer = 204;
  await page.getByRole('button', { name: 'Redeliver to Ledger' }).click();
  await expect.poll(() => broken.got.length).toBe(4);
  await page.goto(`${world.url}/dashboard/endpoints/${id}`);
  await page.getByRole('heading', { name: 'Ledger' }).waitFor();
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
  expect(await page.getByText('holds back later deliveries').count()).toBe(0);
});
