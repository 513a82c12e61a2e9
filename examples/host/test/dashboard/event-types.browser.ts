/**
 * Event types in a real browser: made, described by a schema, enforced, offered where topics are written, and deleted.
 */
import { type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

const SCHEMA = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

const editor = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/**
 * Pastes over the text of an editor. `fill` would have the browser keep the look of the text before in a `style`
 * attribute, which the CSP refuses.
 */
async function write(page: Page, name: string, text: string): Promise<void> {
  await editor(page, name).press('ControlOrMeta+A');
  await editor(page, name).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

describe('event types', () => {
  test('an empty catalog says what it is for, and a type is made by keys alone', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/event-types' });
    await page.getByText('No event types yet').waitFor();
    await axe(page);
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Name' }).fill('webhook.paid');
    await page.keyboard.press('Enter');
    await page.getByText(/are reserved: choose another type/).waitFor();
    await axe(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('invoice.paid');
    await page.keyboard.press('Tab');
    await page.keyboard.type('An invoice was paid');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'invoice.paid', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/event-types/invoice.paid');
  });

  test('a schema is written, refused where it is wrong, corrected, and enforced', async () => {
    const world = await worldWithPages();
    const base = `/projects/${world.project}/event-types`;
    await world.call('POST', base, { name: 'invoice.paid', description: 'Paid' });
    const page = await signedIn(world, { path: '/dashboard/event-types/invoice.paid' });
    const save = page.getByRole('button', { name: 'Save event type' });
    await editor(page, 'Schema').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /Strict/ }).check();
    await save.click();
    await page.getByText(/A strict type needs a schema/).waitFor();
    await write(page, 'Schema', '{ "type": ');
    await page
      .getByText(/not JSON/)
      .first()
      .waitFor();
    expect(await save.isDisabled()).toBe(true);
    await write(page, 'Schema', '{\n  "type": "object",\n  "propertes": {}\n}');
    await save.click();
    await page.getByRole('list', { name: 'What is wrong' }).getByText('Line 3').waitFor();
    await axe(page);
    await write(page, 'Schema', JSON.stringify(SCHEMA, null, 2));
    await write(page, 'Example', '{ "id": 1 }');
    await save.click();
    await page
      .getByText(/must be a string/)
      .first()
      .waitFor();
    await write(page, 'Example', '{ "id": "in_1" }');
    await page.getByRole('checkbox', { name: /Deprecated/ }).check();
    await save.click();
    await page.getByText('Event type saved').first().waitFor();
    expect((await world.call('GET', `${base}/invoice.paid`)).json).toMatchObject({
      ...{ schema: SCHEMA, example: { id: 'in_1' }, strict: true, deprecated: true, version: 2 },
    });
    const heading = page.getByRole('heading', { level: 1 });
    for (const status of ['Strict', 'Deprecated']) await heading.getByText(status).waitFor();
    await assertLooks(page, 'event-type', { fullPage: true });
    await page.getByRole('link', { name: 'Event types' }).last().click();
    await page
      .getByRole('row', { name: /invoice.paid/ })
      .getByText('Deprecated')
      .waitFor();
    await assertLooks(page, 'event-types');
  });

  test('an edit of somebody else is not overwritten', async () => {
    const world = await worldWithPages();
    const base = `/projects/${world.project}/event-types`;
    await world.call('POST', base, { name: 'a', description: 'Before' });
    const page = await signedIn(world, { path: '/dashboard/event-types/a' });
    await page.getByRole('textbox', { name: /Description/ }).fill('Mine');
    await world.call('PATCH', `${base}/a`, { description: 'Theirs' });
    await page.getByRole('button', { name: 'Save event type' }).click();
    await page.getByText('Somebody else has changed this event type meanwhile').waitFor();
    await page.getByRole('button', { name: 'Show theirs' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: /Description/ }).inputValue()).toBe('Theirs');
  });

  test('is deleted after a question', async () => {
    const world = await worldWithPages();
    await world.call('POST', `/projects/${world.project}/event-types`, { name: 'a' });
    const page = await signedIn(world, { path: '/dashboard/event-types/a' });
    await page.getByRole('button', { name: 'Delete event type' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this event type?' });
    await axe(page);
    await dialog.getByRole('button', { name: 'Delete event type' }).click();
    await page.getByText('No event types yet').waitFor();
  });

  test('the types are offered to subscribers, rules and filters', async () => {
    const world = await worldWithPages();
    for (const name of ['invoice.paid', 'invoice.sent', 'user.created']) {
      await world.call('POST', `/projects/${world.project}/event-types`, {
        name,
        deprecated: name === 'invoice.sent',
      });
    }
    const page = await signedIn(world, { path: '/dashboard/endpoints' });
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    await page.getByRole('textbox', { name: /Topics/ }).fill('order.*');
    await page.getByRole('combobox', { name: 'Add an event type' }).fill('inv');
    await page.getByRole('option', { name: /invoice.sent.*deprecated/ }).waitFor();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('textbox', { name: /Topics/ }).inputValue()).toBe('order.*\ninvoice.paid');
    await axe(page);
    await page.goto(`${world.url}/dashboard/events`);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Topic' }).fill('user');
    await page.getByRole('option', { name: /user.created/ }).waitFor();
    await page.goto(`${world.url}/dashboard/rules/new`);
    await page.getByRole('combobox', { name: 'Path of condition 1' }).fill('topic');
    await page.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill('invoice');
    await page.getByRole('option', { name: /invoice.paid/ }).waitFor();
    expect(await page.getByRole('option', { name: /invoice.sent/ }).count()).toBe(0);
  });

  test('fits a narrow window', async () => {
    const world = await worldWithPages();
    const name = `${'a'.repeat(60)}.${'b'.repeat(60)}`;
    await world.call('POST', `/projects/${world.project}/event-types`, {
      name,
      description: 'x'.repeat(900),
      schema: SCHEMA,
      strict: true,
    });
    for (const path of ['/dashboard/event-types', `/dashboard/event-types/${name}`]) {
      const page = await signedIn(world, { path, width: 360 });
      await page.getByText(name).first().waitFor();
      if (path.endsWith(name)) await editor(page, 'Schema').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      await axe(page);
    }
  });
});
