/** The frame of the pages: palette, keys, skip link, theme, a service that is away, and the components. */
import { describe, expect, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

describe('the frame', () => {
  test('the palette goes anywhere by typing', async () => {
    const page = await signedIn(await worldWithPages());
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: 'Go to a page, or do something' });
    await input.fill('dead');
    await axe(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dead letters', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('an id that is pasted into the palette opens its event', async () => {
    const page = await signedIn(await worldWithPages());
    await page.getByRole('button', { name: /^Search(?! payloads)/ }).click();
    const id = 'evt_01KAN5M3V8C6Y2Q4R7T9W1X3Z5';
    await page.getByRole('combobox', { name: 'Go to a page, or do something' }).fill(id);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/events/${id}`);
  });

  test('keys go to pages, and are listed', async () => {
    const page = await signedIn(await worldWithPages());
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Channels' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await axe(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('the first Tab offers to skip the navigation', async () => {
    const page = await signedIn(await worldWithPages());
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  test('a theme is chosen, and kept', async () => {
    const page = await signedIn(await worldWithPages());
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await scheme()).toBe('dark');
    await page.reload();
    await expect.poll(scheme).toBe('dark');
  });

  test('while the service is away the page says so, and recovers on its own', async () => {
    const page = await signedIn(await worldWithPages(), { expects: [0] });
    await page.getByText('No events yet').waitFor();
    await page.context().setOffline(true);
    await page.getByText('The service cannot be reached.').waitFor();
    await axe(page);
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText('The service cannot be reached.').count()).toBe(0);
  });

  test('an address that leads nowhere says so', async () => {
    const page = await signedIn(await worldWithPages(), { path: '/dashboard/nowhere' });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
});

describe('the components', () => {
  test('are accessible in all states, in every look', async () => {
    const page = await signedIn(await worldWithPages(), { path: '/dashboard/components' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await assertLooks(page, 'components-menu');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Popover' }).click();
    await assertLooks(page, 'components-popover');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Toast', exact: true }).click();
    await page.getByRole('button', { name: 'Dialog', exact: true }).click();
    await assertLooks(page, 'components-dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Path' }).fill('customer');
    await page.getByRole('option', { name: /country/ }).waitFor();
    await assertLooks(page, 'components-proposals');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('combobox', { name: 'Path' }).inputValue()).toBe(
      'data.body.customer.country',
    );
  });

  test('a hundred thousand rows are a few elements, and End reaches the last one', async () => {
    const page = await signedIn(await worldWithPages(), { path: '/dashboard/components' });
    const list = page.getByRole('list', { name: 'A hundred thousand rows' });
    await list.getByRole('link').first().focus();
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Row 100,000');
    expect(await list.getByRole('listitem').count()).toBeLessThan(60);
  });

  test('a path is picked in a payload by its key, and the payload stays text', async () => {
    const page = await signedIn(await worldWithPages(), { path: '/dashboard/components' });
    await page.getByRole('button', { name: String.raw`Use the path data.body.customer.e\.mail` }).click();
    await page.getByText(String.raw`Picked: data.body.customer.e\.mail`).waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  });
});
