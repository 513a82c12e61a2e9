/**
 * The service is stopped and started again while somebody works: nothing that was written is lost, and what came
 * meanwhile is shown.
 */
import { expect, test } from 'vitest';
import { hostOn } from '../world.js';
import { PAGES, signedIn } from './browser.js';
import { furnishedWorld, sqlite } from './furnished.js';

test('a restart in the middle loses no half-written rule, and the list goes on', async () => {
  const db = await sqlite();
  const first = await hostOn(db, {}, PAGES);
  const world = await furnishedWorld(4, first);
  const list = await signedIn(world, { expects: [0, 500, 502, 503] });
  const rows = list.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(4);
  const rule = await signedIn(world, {
    path: '/dashboard/rules/new',
    beside: list,
    expects: [0, 500, 502, 503],
  });
  await rule.getByRole('textbox', { name: 'Name', exact: true }).fill('Half written');
  await rule.getByRole('combobox', { name: 'Path of condition 1' }).fill('data.body.kind');

  await first.stop();
  await rule.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill('order.paid');
  await rule.getByRole('radio', { name: 'Drop' }).check();
  await rule.getByRole('button', { name: 'Save', exact: true }).click();

  await hostOn(db, {}, PAGES, Number(new URL(world.url).port));
  expect(await rule.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Half written');
  await rule.getByRole('button', { name: 'Save', exact: true }).click();
  await rule.waitForURL(/\/dashboard\/rules\/[0-9a-f-]{36}$/);
  const id = await world.event('Shop', { kind: 'order.paid' });
  await list.bringToFront();
  await expect.poll(() => rows.first().getByRole('link').getAttribute('href')).toContain(id);
  await list.getByText('by Half written').first().waitFor();
});
