/**
 * The whole way by keyboard alone: nothing here clicks, fills or focuses by script, so each step is one that a person
 * can take.
 */
import { expect, test } from 'vitest';
import { signedOut } from './browser.js';
import { furnishedWorld } from './furnished.js';
import { command, hasFocus, press, tabTo } from './steps.js';

test('one signs in, finds an event, makes a rule of it, tries, saves and moves it, and pauses an endpoint', async () => {
  const world = await furnishedWorld(8);
  const page = await signedOut(world);

  // The field of the key has the focus.
  await expect.poll(() => hasFocus(page.getByLabel('Key'))).toBe(true);
  await page.keyboard.type(world.key);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/overview');
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.waitForURL('**/dashboard/events');

  await page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const chosen = await page.evaluate(() => document.activeElement?.getAttribute('href') ?? '');
  expect(chosen).toMatch(/^\/dashboard\/events\/evt_/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${chosen}`);

  await page.getByRole('heading', { level: 1, name: 'webhook.received' }).waitFor();
  await command(page, 'Create a rule from this event');
  const dialog = page.getByRole('dialog', { name: 'Create a rule from this event' });
  await tabTo(page, dialog.getByRole('button', { name: 'Use the path data.body.kind' }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('link', { name: 'Go on to the rule' }));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/rules/new?*');

  await tabTo(page, page.getByRole('textbox', { name: 'Name', exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('By keyboard');
  // The arrows go through the actions.
  await tabTo(page, page.getByRole('radio'));
  for (let i = 0; i < 4 && !(await page.getByRole('radio', { name: 'Tag' }).isChecked()); i++) {
    await page.keyboard.press('ArrowDown');
  }
  await tabTo(page, page.getByRole('combobox', { name: 'Tags' }));
  await page.keyboard.type('seen');
  await page.keyboard.press('Enter');
  await command(page, 'Save the rule');
  await page.waitForURL(/\/dashboard\/rules\/[0-9a-f-]{36}$/);

  await press(page, 'Dry-run');
  await page
    .getByText(/of 8 events/)
    .first()
    .waitFor();

  await command(page, 'Go to Rules');
  await page.waitForURL('**/dashboard/rules');
  await press(page, 'Move By keyboard', 'Space');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  const first = async () => (await world.call('GET', `/projects/${world.project}/rules`)).json.items[0].name;
  await expect.poll(first).toBe('By keyboard');

  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForURL('**/dashboard/endpoints');
  await tabTo(page, page.getByRole('link', { name: 'Orders service' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Orders service' }).waitFor();
  await press(page, 'Pause');
  await press(page, 'Pause endpoint');
  await page.getByText(/It was paused by hand/).waitFor();
  await expect
    .poll(async () => {
      const { items } = (await world.call('GET', `/projects/${world.project}/endpoints`)).json;
      return (items as { name: string; status: string }[]).find(({ name }) => name === 'Orders service')
        ?.status;
    })
    .toBe('paused');
});
