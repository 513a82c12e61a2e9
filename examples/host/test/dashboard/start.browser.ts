/** The first run in a real browser: from an empty project to a rule that was applied. */
import { describe, expect, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

describe('the first run', () => {
  test('leads from nothing to a rule that was applied, on one page', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/' });
    await axe(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('button', { name: 'Make the channel' }).click();
    await page.getByText('It is Shop.').waitFor();
    const command = await page.getByRole('region', { name: 'the command' }).innerText();
    const [, url = '', body = ''] = /^curl (\S+) [\s\S]*-d '(.*)'/.exec(command) ?? [];
    await page.getByText('Waiting for the first event…').waitFor();
    await axe(page);
    // As the terminal sends it; the page shows it without a reload.
    await world.send(url, body);
    await page.getByRole('link', { name: /webhook\.received/ }).waitFor();
    await page.getByRole('button', { name: 'Remove data.body.kind' }).waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Use the path data.body.amount' }).click();
    await page.getByRole('textbox', { name: 'Tag' }).fill('paid');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('It is My first rule.').waitFor();
    await page.getByText('Waiting for an event that the rule matches…').waitFor();
    await page.getByRole('button', { name: 'Or send it again from here' }).click();
    await page.getByText(/was applied\./).waitFor();
    expect(await page.getByRole('link', { name: /webhook\.received.*paid/ }).count()).toBe(1);
    await axe(page);
    const { items } = (await world.call('GET', `/projects/${world.project}/rules`)).json;
    expect(items[0].match).toEqual({
      all: [
        { path: 'data.body.kind', op: 'eq', value: 'order.paid' },
        { path: 'data.body.amount', op: 'eq', value: 980 },
      ],
    });
    await page.getByRole('button', { name: 'Go to the events' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/events');
  });

  test('goes on after a reload, and after the rule was written in the editor', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/' });
    await page.getByRole('button', { name: 'Make the channel' }).click();
    await page.getByRole('button', { name: 'Or send it from here' }).click();
    await page.getByRole('button', { name: 'Save the rule' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Save the rule' }).waitFor();
    await page.getByRole('link', { name: 'Write it in the editor instead' }).click();
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
    await world.call('POST', `/projects/${world.project}/rules`, {
      ...{ name: 'From the editor', stage: 'deliver', priority: 1, action: { type: 'drop' } },
      match: { path: 'data.body.kind', op: 'exists' },
    });
    await page.goto(`${world.url}/dashboard/`);
    await page.getByText('It is From the editor.').waitFor();
    await page.getByRole('button', { name: 'Or send it again from here' }).click();
    await page.getByText(/was applied\./).waitFor();
  });

  test('is accessible and as wide as the window, in every look', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/' });
    await page.getByRole('textbox', { name: 'Name' }).fill('<img src=x onerror="document.title=1">');
    await page.getByRole('button', { name: 'Make the channel' }).click();
    await page.getByRole('button', { name: 'Or send it from here' }).click();
    await page.getByRole('button', { name: 'Save the rule' }).waitFor();
    await assertLooks(page, 'start-rule', { fullPage: true });
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByRole('button', { name: 'Or send it again from here' }).click();
    await page.getByText(/was applied\./).waitFor();
    await assertLooks(page, 'start-done', { fullPage: true });
    expect(await page.locator('#main img').count()).toBe(0);
  });

  test('a project with events goes to its overview', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: '/dashboard/' });
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/overview');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('it can be skipped', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/' });
    await page.getByRole('button', { name: 'Skip this' }).click();
    await page.getByText('No events yet').waitFor();
  });
});
