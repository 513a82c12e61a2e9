/** Alerts in a real browser: the page, the count in the navigation, and endpoints that get alerts. */
import { expect, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, type PagesWorld, worldWithPages } from './furnished.js';

const SOURCE = { name: 'github', secrets: ['a secret of the sender'] };

/** Raises an alert for each of some channels. */
async function raise(world: PagesWorld, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const channel = await world.channel({ name, source: SOURCE });
    await world.send(channel.url, {});
  }
  await expect
    .poll(async () => (await world.call('GET', `/projects/${world.project}/attention`)).json.alerts)
    .toBe(names.length);
}

test('lists alerts with links, counts them in the navigation, and dismisses one and all, by keyboard', async () => {
  const world = await worldWithPages();
  const names = ['Shop', '<b>Billing</b>', 'Third'];
  await raise(world, names);
  const page = await signedIn(world, { path: '/dashboard/alerts' });
  const nav = page.getByRole('navigation', { name: 'Main', exact: true });
  await nav.getByRole('link', { name: 'Alerts 3 open' }).waitFor();
  const row = page.getByRole('row', { name: /Shop/ });
  await row.getByText('Requests rejected').waitFor();
  await axe(page);
  await row.getByRole('button', { name: 'Dismiss Requests rejected, Shop' }).focus();
  await page.keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });
  await nav.getByRole('link', { name: 'Alerts 2 open' }).waitFor();
  await page.getByRole('link', { name: '<b>Billing</b>' }).click();
  await page.getByRole('heading', { level: 1, name: '<b>Billing</b>' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await page.getByRole('button', { name: 'Dismiss all' }).click();
  await page.getByText('No alerts', { exact: true }).waitFor();
  await nav.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
  await axe(page);
  await page.getByLabel('Alerts', { exact: true }).last().selectOption({ label: 'Dismissed' });
  await expect.poll(() => page.getByRole('row').count()).toBe(1 + names.length);
  expect(await page.getByRole('button', { name: /^Dismiss/ }).count()).toBe(0);
  await axe(page);
});

test('a narrow window has the count in its menu, and fits', async () => {
  const world = await worldWithPages();
  await raise(world, ['A channel with quite a long name, longer than the window is wide']);
  const page = await signedIn(world, { path: '/dashboard/alerts' });
  await page.setViewportSize({ width: 360, height: 700 });
  await page.getByText('Requests rejected').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  await page.getByRole('button', { name: 'More pages' }).click();
  await page.getByRole('menuitem', { name: 'Alerts (1)' }).waitFor();
  await axe(page);
});

test('an endpoint for alerts is made, shows no topics and no order, and is changed to events', async () => {
  const world = await furnishedWorld(0);
  const page = await signedIn(world, { path: '/dashboard/endpoints' });
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await dialog.getByLabel('URL').fill('https://example.com/alerts');
  await dialog.getByLabel('Topics').waitFor();
  await dialog.getByRole('combobox', { name: 'Purpose' }).selectOption({ label: 'Alerts' });
  await dialog.getByLabel('Topics').waitFor({ state: 'detached' });
  await axe(page);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByRole('heading', { level: 1, name: /example\.com/ }).waitFor();
  await page.getByText('Alerts', { exact: true }).last().waitFor();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Purpose' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Order' }).count()).toBe(0);
  expect(await page.getByLabel('Topics').count()).toBe(0);
  await axe(page);
  await page.getByRole('combobox', { name: 'Purpose' }).selectOption({ label: 'Events' });
  await page.getByRole('heading', { name: 'Order' }).waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('region', { name: 'Notices' }).getByText('Endpoint saved').waitFor();
  const { items } = (await world.call('GET', `/projects/${world.project}/endpoints`)).json;
  expect(items[0]).toMatchObject({ url: 'https://example.com/alerts', purpose: 'events' });
});
