/** How events stand, in a real browser: the words in the list and as its filter, and one line for each endpoint. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { receiver } from '../world.js';
import { axe, signedIn } from './browser.js';
import { worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('listitem');
const row = (page: Page, id: string) => rows(page).locator(`a[href$="${id}"]`);

const to = (...endpoint_ids: readonly string[]) => ({ type: 'route_only', endpoint_ids });

/** A project with an event for each word that stays, by its word. */
async function standing() {
  const world = await worldWithPages();
  const under = `/projects/${world.project}`;
  const warehouse = await receiver(500);
  const shop = await world.endpoint(await receiver(), { name: 'Shop system' });
  const stock = await world.endpoint(warehouse, { name: 'Warehouse', retry_max_attempts: 1 });
  const books = await world.endpoint(await receiver(503), { name: 'Books' });
  const { url } = await world.channel({ name: 'Shop' });
  const actions = {
    paid: to(shop.id),
    packed: to(shop.id, stock.id),
    billed: to(shop.id, books.id),
    ping: { type: 'drop' },
  };
  for (const [index, [kind, action]] of Object.entries(actions).entries()) {
    const match = { path: 'data.body.kind', op: 'eq', value: kind };
    const rule = { name: `Rule for ${kind}`, stage: 'deliver', priority: index + 1, match, action };
    expect((await world.call('POST', `${under}/rules`, rule)).status).toBe(201);
  }
  const send = async (kind: string) => (await world.send(url, { kind })).json.id as string;
  const ids = {
    delivered: await send('paid'),
    failing: await send('packed'),
    retrying: await send('billed'),
    dropped: await send('ping'),
  };
  const outcome = async (id: string) =>
    (await world.call('GET', `${under}/events/${id}`)).json.outcome as string;
  for (const [word, id] of Object.entries(ids)) await expect.poll(() => outcome(id)).toBe(word);
  return { world, ids, warehouse, send };
}

const TEXTS = {
  delivered: 'Delivered',
  failing: '1 endpoint failing',
  retrying: 'Retrying',
  dropped: 'Dropped',
} as const;
const WORDS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

describe('how events stand', () => {
  test('each row says it in a word, and how many endpoints have the event', async () => {
    const { world, ids } = await standing();
    const page = await signedIn(world);
    for (const word of WORDS) await row(page, ids[word]).getByText(TEXTS[word], { exact: true }).waitFor();
    await row(page, ids.failing).getByText('1 of 2 endpoints').waitFor();
    await row(page, ids.delivered).getByText('1 of 1 endpoint').waitFor();
    await assertLooks(page, 'outcomes');
  });

  test('the same words filter the list, by keyboard too, and are in the address', async () => {
    const { world, ids } = await standing();
    const page = await signedIn(world);
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.getByRole('button', { name: 'Outcome: Any outcome' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Endpoint failing' }).waitFor();
    await axe(page);
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('?outcome=failing');
    await expect.poll(() => rows(page).count()).toBe(1);
    await row(page, ids.failing).waitFor();
    await page.getByRole('button', { name: 'Outcome: Endpoint failing' }).waitFor();
    for (const word of WORDS) {
      await page.goto(`${world.url}/dashboard/events?outcome=${word}`);
      await row(page, ids[word]).waitFor();
      await expect.poll(() => rows(page).count()).toBe(1);
    }
    await page.goBack();
    await row(page, ids.retrying).waitFor();
  });

  test('a filtered list lets go of an event that stands otherwise, and takes the next one', async () => {
    const { world, ids, warehouse, send } = await standing();
    const page = await signedIn(world, { path: '/dashboard/events?outcome=failing' });
    await row(page, ids.failing).waitFor();
    const next = await send('packed');
    await row(page, next).waitFor();
    warehouse.answer = 204;
    const letters = `/projects/${world.project}/deliveries?event=${ids.failing}&state=failed`;
    const [letter] = (await world.call('GET', letters)).json.items as { id: string }[];
    await world.call('POST', `/projects/${world.project}/deliveries/${letter?.id ?? ''}/retry`);
    await expect.poll(() => row(page, ids.failing).count()).toBe(0);
    expect(await row(page, next).count()).toBe(1);
  });

  test('the page of an event has one line for each endpoint, with what came before folded away', async () => {
    const { world, ids, warehouse } = await standing();
    const page = await signedIn(world, { path: `/dashboard/events/${ids.failing}` });
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText('1 endpoint failing').waitFor();
    const lines = page.getByRole('list', { name: 'Deliveries', exact: true }).locator('> li');
    await expect.poll(() => lines.count()).toBe(2);
    warehouse.answer = 204;
    await page.getByRole('button', { name: 'Redeliver to Warehouse' }).click();
    await heading.getByText('Delivered', { exact: true }).waitFor();
    expect(await lines.count()).toBe(2);
    const fold = page.getByText('1 earlier delivery: 1 failed');
    const earlier = page.getByRole('list', { name: 'Earlier deliveries to Warehouse' });
    await fold.waitFor();
    expect(await earlier.count()).toBe(0);
    await fold.focus();
    await page.keyboard.press('Enter');
    await earlier.getByText('Failed', { exact: true }).waitFor();
    await assertLooks(page, 'outcomes-of-event');
  });

  test('a line says that a delivery is retried', async () => {
    const { world, ids } = await standing();
    const page = await signedIn(world, { path: `/dashboard/events/${ids.retrying}` });
    await page.getByRole('heading', { level: 1 }).getByText('Retrying').waitFor();
    const line = page.getByRole('list', { name: 'Deliveries', exact: true }).locator('> li');
    await line.filter({ hasText: 'Books' }).getByText('Retrying', { exact: true }).waitFor();
    await line.filter({ hasText: 'Shop system' }).getByText('Delivered', { exact: true }).waitFor();
  });
});
