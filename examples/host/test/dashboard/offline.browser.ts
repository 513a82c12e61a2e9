/** Without a network, a click works or says why it does not: it is never answered with silence. */
import { describe, expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';

const OFFLINE = { expects: [0] };

describe('without a network', () => {
  test('a page that was not loaded says so, and opens once the service answers', async () => {
    const page = await signedIn(await worldWithPages(), OFFLINE);
    await page.getByText('No events yet').waitFor();
    for (const [name, heading] of [
      ['Audit log', 'Audit log'],
      ['Channels', 'Channels'],
    ] as const) {
      await page.context().setOffline(true);
      await page.getByRole('link', { name }).first().click();
      await page.getByText('This page could not be loaded').waitFor();
      await page.getByText('The page opens as soon as it answers.').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('The service still cannot be reached.').first().waitFor();
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
  });

  test('a page that was loaded shows what it had, and says that it may be out of date', async () => {
    const world = await furnishedWorld(2);
    const page = await signedIn(world, { path: '/dashboard/endpoints', ...OFFLINE });
    await page.getByRole('link', { name: 'Warehouse', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Events' }).first().click();
    await page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Endpoints' }).first().click();
    await page.getByRole('link', { name: 'Warehouse', exact: true }).waitFor();
    await page.getByText('What you see may be out of date').waitFor();
    await page.getByRole('link', { name: 'Events' }).first().click();
    await page.getByRole('status').getByText('Not live', { exact: true }).waitFor();
  });

  test('links out of the pages say that they lead nowhere, and leave the page as it is', async () => {
    const page = await signedIn(await furnishedWorld(0), { path: '/dashboard/rules', ...OFFLINE });
    await page.getByRole('link', { name: 'Drop health checks' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('The service cannot be reached.').waitFor();
    const notice = page.getByRole('region', { name: 'Notices' }).getByText('so this link leads nowhere now');
    for (const [menu, link] of [
      ['Account', 'API reference'],
      ['More', 'Export'],
    ] as const) {
      await page.getByRole('button', { name: menu, exact: true }).click();
      await page.getByRole('menuitem', { name: link }).click();
      await notice.waitFor();
      await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Close' }).click();
      await notice.waitFor({ state: 'detached' });
    }
    expect(new URL(page.url()).pathname).toBe('/dashboard/rules');
  });
});
