/** Undo and redo in the rule editor: by keys and by buttons, in the builder and in the JSON, one history for both. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axe, signedIn } from '../browser.js';
import { type Furnished, furnishedWorld } from '../furnished.js';

async function openRule(world: Furnished, name: string): Promise<Page> {
  const { items } = (await world.call('GET', `/projects/${world.project}/rules`)).json;
  const { id } = (items as readonly { id: string; name: string }[]).find((rule) => rule.name === name)!;
  return signedIn(world, { path: `/dashboard/rules/${id}` });
}

const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const button = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true });
const jsonText = (page: Page) => page.getByRole('textbox', { name: 'Rule as JSON' });
const isFocused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('role'));

describe('an edit of a rule', () => {
  test('is undone and done again by keys and buttons, typing in one field at a time', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    await name(page).waitFor();
    await expect.poll(() => button(page, 'Undo').isDisabled()).toBe(true);
    await name(page).press('End');
    // All at once: letters that come slowly are several edits.
    await page.keyboard.insertText(' of money');
    await page.getByRole('radio', { name: 'Drop' }).check();
    await page.getByRole('textbox', { name: 'Priority' }).fill('41');
    await axe(page);
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.getByRole('textbox', { name: 'Priority' }).inputValue()).toBe('40');
    await button(page, 'Undo').click();
    await expect.poll(() => page.getByRole('radio', { name: 'Tag' }).isChecked()).toBe(true);
    await name(page).focus();
    await page.keyboard.press('Meta+z');
    await expect.poll(() => name(page).inputValue()).toBe('Tag large amounts');
    await expect.poll(() => button(page, 'Undo').isDisabled()).toBe(true);
    // The saved rule is not an edit.
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => name(page).inputValue()).toBe('Tag large amounts of money');
    await button(page, 'Redo').click();
    await page.keyboard.press('Control+y');
    await expect.poll(() => page.getByRole('textbox', { name: 'Priority' }).inputValue()).toBe('41');
    await expect.poll(() => button(page, 'Redo').isDisabled()).toBe(true);
    expect(await isFocused(page)).toBe('tabpanel');
  });

  test('in the JSON and in the builder is in one history, and the JSON editor keeps none of its own', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    await name(page).fill('From the builder');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await jsonText(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.insertText(' and the JSON');
    const text = () => jsonText(page).innerText();
    await expect.poll(text).toContain('"From the builder and the JSON"');
    await page.keyboard.press('Control+z');
    await expect.poll(text).toContain('"From the builder"');
    // The cursor is where the text was changed.
    await page.keyboard.type('!');
    await expect.poll(text).toContain('"From the builder!"');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(text).toContain('"Tag large amounts"');
    await page.keyboard.press('Control+z');
    await expect.poll(text).toContain('"Tag large amounts"');
    await page.keyboard.press('Control+Shift+z');
    await page.getByRole('tab', { name: 'Builder' }).click();
    await expect.poll(() => name(page).inputValue()).toBe('From the builder');
    await button(page, 'Undo').click();
    await expect.poll(() => name(page).inputValue()).toBe('Tag large amounts');
  });

  test('comes back after it was discarded, and an undo after a save is an edit of what was saved', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    await name(page).fill('Second');
    await button(page, 'Discard').click();
    await expect.poll(() => name(page).inputValue()).toBe('Tag large amounts');
    await button(page, 'Undo').click();
    await expect.poll(() => name(page).inputValue()).toBe('Second');
    await button(page, 'Save').click();
    await page.getByText('The rule is saved').first().waitFor();
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true);
    await button(page, 'Undo').click();
    await expect.poll(() => name(page).inputValue()).toBe('Tag large amounts');
    await expect.poll(() => button(page, 'Undo').isDisabled()).toBe(true);
    await button(page, 'Save').click();
    const names = async () =>
      ((await world.call('GET', `/projects/${world.project}/rules`)).json.items as { name: string }[]).map(
        (rule) => rule.name,
      );
    await expect.poll(names).toContain('Tag large amounts');
  });

  test('is not undone while something else is typed: a search, a tag, samples for a pattern', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    await name(page).fill('Second');
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.pressSequentially('half');
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Second');
    await tags.fill('');
    await page.keyboard.press('Control+z');
    await expect.poll(() => name(page).inputValue()).toBe('Tag large amounts');
  });
});
