/** SDK clients in a real browser: who is connected, where each is in the log, and how a cursor is forgotten. */
import { createClient } from 'headgate/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';

describe('the page of SDK clients', () => {
  test('an empty one says how a client connects, with the address and the project filled in', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/clients' });
    await page.getByText('No SDK client has connected under a name yet').waitFor();
    await page.getByRole('textbox', { name: 'Name the client' }).fill('shop.eu');
    const code = page.getByRole('region', { name: 'the code of a client' });
    for (const text of [world.url, world.project, "name: 'shop.eu'"]) {
      expect(await code.innerText()).toContain(text);
    }
    await page.getByRole('tab', { name: 'Any language' }).click();
    expect(await code.innerText()).toContain(`/projects/${world.project}/stream`);
    await axe(page);
    await page.getByRole('textbox', { name: 'Name the client' }).fill("a'b");
    await page.getByText(/Write 1 to 100 letters/).waitFor();
    expect(await code.innerText()).not.toContain("a'b");
    await axe(page);
  });

  test('shows who is connected and how far behind, without a reload, and forgets a cursor', async () => {
    const world = await furnishedWorld(0);
    const page = await signedIn(world, { path: '/dashboard/clients' });
    const { url, project, key } = world;
    const client = createClient({ url, project, key, name: 'billing' });
    onTestFinished(() => client.close({ waitMs: 0 }));
    let isHeld = true;
    client.on('event', async () => {
      while (isHeld) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const row = page.getByRole('row', { name: /billing/ });
    await row.getByText('Connected').waitFor();
    await row.getByText('up to date').waitFor();
    for (let i = 0; i < 3; i++) await world.event('Shop', { kind: 'order.created', number: i });
    await row.getByText('3 events').waitFor();
    await axe(page);
    isHeld = false;
    await row.getByText('up to date').waitFor();
    await row.getByText('3 of 3').waitFor();
    await client.close();
    await row.getByText('Away').waitFor();
    await row.getByRole('button', { name: 'Forget billing' }).click();
    const dialog = page.getByRole('dialog', { name: 'Forget the cursor of billing?' });
    await axe(page);
    await dialog.getByRole('button', { name: 'Forget the cursor' }).click();
    await page.getByText('No SDK client has connected under a name yet').waitFor();
    const { items } = (await world.call('GET', `/projects/${world.project}/clients`)).json;
    expect(items).toEqual([]);
  });

  test('says when the list cannot be read, and reads it again', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { expects: [503], path: '/dashboard/events' });
    await page.route('**/clients?*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto(`${world.url}/dashboard/clients`);
    await page.getByText('This could not be loaded').waitFor();
    await axe(page);
    await page.unroute('**/clients?*');
    await page.getByText('No SDK client has connected under a name yet').waitFor();
  });
});
