/** The effect of an edit, shown beside it before it is saved: by proof, and on the events of the last day. */
import { expect, test } from 'vitest';
import { axe, signedIn } from '../browser.js';
import { furnishedWorld } from '../furnished.js';
import { assertLooks } from '../looks.js';

test('an edit says what it changes, by an event that is made and by those of the last day', async () => {
  const world = await furnishedWorld(8);
  const rules = `/projects/${world.project}/rules`;
  const { items } = (await world.call('GET', rules)).json;
  const { id } = (items as { id: string; name: string }[]).find(({ name }) => name === 'Drop health checks')!;
  const page = await signedIn(world, { path: `/dashboard/rules/${id}` });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Drop pings');
  const effect = page.locator('.hg-effect');
  await effect.getByText('No event is decided differently. This is proved.').waitFor();
  await effect.getByText('In the last 24 hours, none of 8 events would be decided differently.').waitFor();
  await axe(page);
  const value = page.getByRole('combobox', { name: 'Value of condition 1', exact: true });
  await value.fill('invoice.sent');
  await page.keyboard.press('Escape');
  await effect
    .getByText('In the last 24 hours, of 8 events: 2 more dropped and 2 no longer dropped.')
    .waitFor();
  await effect.getByText(/Now this event is (dropped|delivered)/).waitFor();
  expect(await effect.locator('.hg-code').innerText()).toMatch(/"kind": "(ping|invoice\.sent)"/);
  await assertLooks(page, 'rule-effect', { fullPage: true });
  // Nothing is asked about a rule that is not valid, and saving waits for nothing.
  await page.route('**/comparisons', () => undefined);
  await page.getByRole('textbox', { name: 'Priority' }).fill('5');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The rule is saved').first().waitFor();
  await expect.poll(() => effect.count()).toBe(0);
  await page.getByRole('textbox', { name: 'Priority' }).fill('');
  await page.getByText('Once the rule is valid, you see here what the change does.').waitFor();
  const { items: kept } = (await world.call('GET', `/projects/${world.project}/comparisons`)).json;
  expect(kept).toEqual([]);
});
