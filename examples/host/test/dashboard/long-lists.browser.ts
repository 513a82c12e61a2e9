/**
 * A rule with a list of 130,000 values in a real browser: it opens and is edited with few elements. Long tasks are
 * printed.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type HostWorld, receiver } from '../world.js';
import { signedIn } from './browser.js';
import { worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

const COUNT = 130_000;
/** Elements that a page of the editor may have: its fields, and a page of values. */
const MOST_ELEMENTS = 2_000;

/** On a busy machine, trying so long a rule may take the service too long. */
const BUSY = [503];

const values = Array.from({ length: COUNT }, (_, i) => String(i).padStart(5, '0').slice(-5));

async function ruleWithList(): Promise<{
  readonly world: HostWorld;
  readonly path: string;
  readonly id: string;
}> {
  const world = await worldWithPages();
  await world.endpoint(await receiver());
  const channel = await world.channel({ name: 'Shop' });
  await world.send(channel.url, { customer: '00042' });
  const saved = await world.call('POST', `/projects/${world.project}/rules`, {
    ...{ name: 'Known customers', stage: 'deliver', priority: 1, action: { type: 'drop' } },
    match: { path: 'data.body.customer', op: 'in', value: values },
  });
  expect(saved.status, saved.text.slice(0, 200)).toBe(201);
  return { world, path: `/dashboard/rules/${saved.json.id}`, id: saved.json.id as string };
}

/** Notes the tasks of the page that take longer than 50 ms. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
      buffered: true,
    });
  });
}

/**
 * Prints the longest task since the last call. It depends on the machine, so what a page has rendered is held to a
 * bound instead.
 */
async function printTasks(page: Page, name: string): Promise<void> {
  const tasks = await page.evaluate(() =>
    (window as unknown as { readonly tasks: number[] }).tasks.splice(0),
  );
  console.log(`${name}: ${tasks.length} long tasks, ${Math.max(0, ...tasks)} ms`);
  expect(await elements(page), name).toBeLessThan(MOST_ELEMENTS);
}

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

describe('a list of 130,000 values', () => {
  test('opens in the builder, and is edited there', async () => {
    const { world, path, id } = await ruleWithList();
    const page = await signedIn(world, { expects: BUSY });
    await watchTasks(page);
    await page.goto(world.url + path);
    await page.getByText('Values 1 to 100 of 130,000').waitFor();
    await printTasks(page, 'opening');

    const field = page.getByRole('combobox', { name: 'Value of condition 1' });
    await field.pressSequentially('zz-new');
    await field.press('Enter');
    await page.getByText('Values 130,001 to 130,001 of 130,001').waitFor();
    await printTasks(page, 'adding');
    await page.getByRole('button', { name: 'First' }).click();
    await page.getByRole('button', { name: 'Remove 00001' }).click();
    await page.getByText('Values 1 to 99 of 130,000').waitFor();
    await printTasks(page, 'removing');
    await page.getByRole('searchbox', { name: 'Find in value of condition 1' }).pressSequentially('zz-');
    await page.getByText('1 value of 130,000').waitFor();
    await printTasks(page, 'finding');
    await page.getByRole('textbox', { name: 'Description' }).pressSequentially('Customers that we know.');
    await printTasks(page, 'writing elsewhere');
    await assertLooks(page, 'long-list');

    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The rule is saved').first().waitFor();
    const { match, description } = (await world.call('GET', `/projects/${world.project}/rules/${id}`)).json;
    expect(match.value).toEqual([...values.filter((_, i) => i !== 1), 'zz-new']);
    expect(description).toBe('Customers that we know.');
  });

  test('opens as JSON, and is edited there', async () => {
    const { world, path, id } = await ruleWithList();
    const page = await signedIn(world, { expects: BUSY });
    await watchTasks(page);
    await page.goto(world.url + path);
    await page.getByText('Values 1 to 100 of 130,000').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    const text = page.getByRole('textbox', { name: 'Rule as JSON' });
    await text.waitFor();
    await page.getByText('"00003",').first().waitFor();
    await printTasks(page, 'JSON');
    await text.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(' we like');
    await printTasks(page, 'typing');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The rule is saved').first().waitFor();
    const { name, match } = (await world.call('GET', `/projects/${world.project}/rules/${id}`)).json;
    expect([name, match.value.length]).toEqual(['Known customers we like', COUNT]);
    await printTasks(page, 'saving');
    await page.getByRole('tab', { name: 'Builder' }).click();
    await page.getByText('Values 1 to 100 of 130,000').waitFor();
    await printTasks(page, 'back');
  });
});
