/** Groups inside groups in the builder: made, moved and taken apart, by keyboard, by dragging and at 360 pixels. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axe, signedIn } from '../browser.js';
import { furnishedWorld } from '../furnished.js';

const leaf = (path: string) => ({ path: `data.${path}`, op: 'exists' });
const newRuleWith = (match: unknown): string =>
  `/dashboard/rules/new?name=Nested&match=${encodeURIComponent(JSON.stringify(match))}`;

const path = (page: Page, numbers: string) =>
  page.getByRole('combobox', { name: `Path of condition ${numbers}`, exact: true });
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
const add = (page: Page, what: string, to = '') =>
  page.getByRole('button', { name: `Add a ${what}${to}`, exact: true });

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More about ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** The match as the JSON view has it. */
async function matchIn(page: Page): Promise<unknown> {
  await page.getByRole('tab', { name: 'JSON' }).click();
  const text = await page.getByRole('textbox', { name: 'Rule as JSON' }).innerText();
  await page.getByRole('tab', { name: 'Builder' }).click();
  return (JSON.parse(text.replaceAll('\u00a0', ' ')) as { readonly match: unknown }).match;
}

const isFocused = (page: Page, name: string) =>
  expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(`Move ${name}`);

test('a tree is written in the builder alone, saved, and read again', async () => {
  const world = await furnishedWorld(4);
  const page = await signedIn(world, { path: '/dashboard/rules/new' });
  await page.getByRole('textbox', { name: 'Name' }).fill('Nested');
  await path(page, '1').fill('data.body.kind');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Operator of condition 1' }).selectOption('exists');
  await add(page, 'group').click();
  // The first field of the new group has the focus.
  await page.keyboard.type('data.body.amount');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Operator of condition 2.1' }).selectOption('exists');
  await add(page, 'group', ' to group 2').click();
  await page.keyboard.type('data.body.card');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Operator of condition 2.2.1' }).selectOption('exists');
  await page.getByRole('combobox', { name: 'How group 2.2 is joined' }).selectOption('any');
  await page.getByRole('combobox', { name: 'An event matches if' }).selectOption('any');
  await axe(page);
  await page.getByRole('radio', { name: 'Drop' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/\/dashboard\/rules\/[0-9a-f-]{36}$/);
  const { items } = (await world.call('GET', `/projects/${world.project}/rules`)).json;
  const saved = (items as { name: string; match: unknown }[]).find(({ name }) => name === 'Nested')!;
  expect(saved.match).toEqual({
    any: [leaf('body.kind'), { any: [leaf('body.amount'), { any: [leaf('body.card')] }] }],
  });
  await page.reload();
  expect(await path(page, '2.2.1').inputValue()).toBe('data.body.card');
});

test('the last of two conditions that are added at once has the focus', async () => {
  const world = await furnishedWorld(4);
  const page = await signedIn(world, { path: newRuleWith(leaf('a')) });
  await add(page, 'condition').evaluate(async (button: HTMLElement) => {
    button.click();
    // Until it is drawn, though not yet painted.
    while (document.querySelectorAll('.hg-leaf').length < 2) await Promise.resolve();
    button.click();
  });
  await expect.poll(() => path(page, '3').evaluate((field) => field === document.activeElement)).toBe(true);
});

describe('conditions and groups', () => {
  const MATCH = { all: [leaf('a'), { any: [leaf('b'), leaf('c')] }, leaf('d')] };

  test('are moved by keyboard, in their group, into others and out of them', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: newRuleWith(MATCH) });
    await handle(page, 'condition 1').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.getByText('condition 1, 2 of 3').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowRight');
    // After the group when it was picked up, so it goes to the end of that group.
    await isFocused(page, 'condition 1.3');
    await page.getByText('condition 1 is now condition 1.3').waitFor({ state: 'attached' });
    expect(await matchIn(page)).toEqual({ all: [{ any: [leaf('b'), leaf('c'), leaf('a')] }, leaf('d')] });
    await handle(page, 'condition 1.3').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await handle(page, 'condition 1.1').focus();
    await page.keyboard.press('ArrowLeft');
    await isFocused(page, 'condition 2');
    expect(await matchIn(page)).toEqual({ all: [{ any: [leaf('b'), leaf('c')] }, leaf('a'), leaf('d')] });
    // A group moves as a condition does.
    await handle(page, 'group 1').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await axe(page);
    await page.keyboard.press('Enter');
    expect(await matchIn(page)).toEqual({ all: [leaf('a'), leaf('d'), { any: [leaf('b'), leaf('c')] }] });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await matchIn(page)).toEqual({ all: [{ any: [leaf('a'), leaf('b'), leaf('c')] }, leaf('d')] });
  });

  test('are dragged within their group', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: newRuleWith(MATCH) });
    const drag = async (name: string, to: string): Promise<void> => {
      const [from, target] = [
        (await handle(page, name).boundingBox())!,
        (await handle(page, to).boundingBox())!,
      ];
      await page.mouse.move(from.x + 8, from.y + 8);
      await page.mouse.down();
      await page.mouse.move(target.x + 8, target.y + (target.y > from.y ? 40 : -8), { steps: 8 });
      await page.mouse.up();
    };
    /** Drags again if the page moved under the pointer, as one does. */
    const dragged = (name: string, to: string) =>
      expect.poll(async () => {
        await drag(name, to);
        return matchIn(page);
      });
    const swapped = { any: [leaf('c'), leaf('b')] };
    await dragged('condition 2.2', 'condition 2.1').toEqual({ all: [leaf('a'), swapped, leaf('d')] });
    await dragged('condition 3', 'condition 1').toEqual({ all: [leaf('d'), leaf('a'), swapped] });
  });

  test('are put into new groups, ungrouped and removed by their menus and buttons', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: newRuleWith(MATCH) });
    await choose(page, 'condition 1', 'Put into a new group');
    await isFocused(page, 'condition 1.1');
    await choose(page, 'group 2', 'Move into the group next to it');
    expect(await matchIn(page)).toEqual({
      all: [{ any: [leaf('a'), { any: [leaf('b'), leaf('c')] }] }, leaf('d')],
    });
    await choose(page, 'group 1.2', 'Ungroup');
    await isFocused(page, 'condition 1.2');
    await page.getByRole('button', { name: 'Remove condition 1.1' }).click();
    await isFocused(page, 'condition 1.1');
    await choose(page, 'condition 1.2', 'Move out of its group');
    expect(await matchIn(page)).toEqual({ all: [{ any: [leaf('b')] }, leaf('c'), leaf('d')] });
    await page.getByRole('button', { name: 'Remove condition 1.1' }).click();
    expect(await matchIn(page)).toEqual({ all: [leaf('c'), leaf('d')] });
    await page.getByRole('button', { name: 'Remove condition 1' }).click();
    expect(await page.getByRole('button', { name: /^Remove condition/ }).count()).toBe(0);
  });

  test('that are wrong or empty say so where they are', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: newRuleWith({ all: [leaf('a'), { any: [leaf('b')] }] }) });
    await path(page, '2.1').fill('data..b');
    await page.keyboard.press('Escape');
    const row = page.getByRole('group', { name: 'Condition 2.1' });
    await row.getByText(/empty segment/).waitFor();
    await add(page, 'condition', ' to group 2').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('group', { name: 'Condition 2.2' })
      .getByText('Choose a path, or write one.')
      .waitFor();
  });

  test('fit into 360 pixels, five levels deep', async () => {
    const world = await furnishedWorld(4);
    const match = { all: [leaf('a'), { any: [{ all: [{ any: [{ all: [leaf('b')] }] }] }] }] };
    const page = await signedIn(world, { path: newRuleWith(match), width: 360, height: 740 });
    const field = path(page, '2.1.1.1.1');
    await field.fill('data.body.kind');
    const { x, width } = (await field.boundingBox())!;
    expect(width).toBeGreaterThan(100);
    expect(x + width).toBeLessThanOrEqual(360);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await axe(page);
  });
});
