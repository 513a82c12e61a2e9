/** The saved versions of a rule on its page: how they differ, and the way back to one. */
import { expect, test } from 'vitest';
import { axe, signedIn } from '../browser.js';
import { furnishedWorld } from '../furnished.js';
import { assertLooks } from '../looks.js';

test('a version is compared with the one before and with now, put into the editor, and saved again', async () => {
  const world = await furnishedWorld(4);
  const rules = `/projects/${world.project}/rules`;
  const { items } = (await world.call('GET', rules)).json;
  const { id } = (items as { id: string; name: string }[]).find(({ name }) => name === 'Tag large amounts')!;
  await world.call('PATCH', `${rules}/${id}`, { name: 'Tag huge amounts', priority: 41 });
  await world.call('PATCH', `${rules}/${id}`, { match: { path: 'data.body.amount', op: 'gt', value: 900 } });
  const page = await signedIn(world, { path: `/dashboard/rules/${id}` });
  await page.getByText('Versions', { exact: true }).click();
  const list = page.getByRole('list', { name: 'Versions' });
  const lines = list.locator('.hg-versions__head');
  await expect.poll(() => lines.count()).toBe(3);
  expect(await lines.locator('strong').allInnerTexts()).toEqual([
    'Changed match',
    'Changed name and priority',
    'Created',
  ]);
  expect(await lines.first().innerText()).toContain('as it is now');
  await list.getByText('What it changed').last().click();
  await list.getByText('What has changed since').last().click();
  expect(await list.locator('del').allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringContaining('Tag large amounts')]),
  );
  await assertLooks(page, 'rule-versions', { fullPage: true });
  await page.getByRole('button', { name: 'Restore: Created' }).click();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(
    'Tag large amounts',
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The rule is saved').first().waitFor();
  await expect.poll(() => lines.count()).toBe(4);
  const saved = (await world.call('GET', `${rules}/${id}`)).json;
  expect(saved).toMatchObject({ name: 'Tag large amounts', priority: 40, match: { value: 500 }, version: 4 });
});

test('a rule that was deleted is made again from the audit log', async () => {
  const world = await furnishedWorld(4);
  const rules = `/projects/${world.project}/rules`;
  const { items } = (await world.call('GET', rules)).json;
  const { id } = (items as { id: string; name: string }[]).find(({ name }) => name === 'Tag large amounts')!;
  await world.call('DELETE', `${rules}/${id}`);
  const page = await signedIn(world, { path: '/dashboard/audit' });
  await page.getByRole('link', { name: 'Restore Tag large amounts' }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
    .toBe('Tag large amounts');
  await axe(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/\/dashboard\/rules\/[0-9a-f-]{36}$/);
  const names = (await world.call('GET', rules)).json.items as { name: string }[];
  expect(names.map(({ name }) => name)).toContain('Tag large amounts');
});
