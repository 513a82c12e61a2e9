/** The first run in a real browser: from an empty project to a delivery that arrived. */
import { describe, expect, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

const start = async (name = 'Shop') => {
  const world = await worldWithPages();
  const page = await signedIn(world, { path: '/dashboard/' });
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  return { world, page };
};

describe('the first run', () => {
  test('leads from nothing to a delivery whose signature was verified, on one page', async () => {
    const { world, page } = await start();
    await axe(page);
    await page.getByRole('button', { name: 'Create the channel' }).click();
    await page.getByText('It is Shop.').waitFor();
    await page.getByText('Or send it from a terminal').click();
    const command = await page.getByRole('region', { name: 'the command' }).innerText();
    const [, url = '', body = ''] = /^curl (\S+) [\s\S]*-d '([\s\S]*)'/.exec(command) ?? [];
    await page.getByText('Waiting for the first event…').waitFor();
    await axe(page);
    // As the terminal sends it; the page shows it without a reload.
    await world.send(url, body);
    await page.getByRole('link', { name: /order\.paid/ }).waitFor();
    await page.getByRole('button', { name: 'Use a built-in receiver' }).click();
    await page.getByText('It is Built-in receiver.').waitFor();
    await page.getByText('Waiting for a delivery…').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Send the sample again' }).click();
    await page.getByText('It arrived, signed with a secret of its channel.').waitFor();
    expect(await page.locator('#main').getByText('Verified', { exact: true }).count()).toBe(1);
    await axe(page);
    await page.getByRole('link', { name: 'Show the request' }).click();
    await page.getByRole('heading', { name: 'Arrived: 1 request' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Create a rule from this event' }).click();
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
  });

  test('goes on after a reload, with a URL of one’s own, and shows why that does not answer', async () => {
    const { world, page } = await start();
    await page.getByRole('button', { name: 'Create the channel' }).click();
    await page.getByRole('combobox', { name: 'Sample' }).selectOption('Stripe');
    await page.getByRole('button', { name: 'Send sample' }).click();
    await page.getByRole('link', { name: /charge\.succeeded.*sample/ }).waitFor();
    await page.reload();
    const url = page.getByRole('textbox', { name: 'Or a URL of your own' });
    await url.fill('http://10.0.0.1/');
    await page.getByRole('button', { name: 'Connect it' }).click();
    await page.getByText('Events leave the service, so they may not go').waitFor();
    await url.fill('http://127.0.0.1:9/hooks');
    await page.getByRole('button', { name: 'Connect it' }).click();
    await page.getByText('It is 127.0.0.1:9.').waitFor();
    await page.getByRole('button', { name: 'Send the sample again' }).click();
    await page.getByText('The last attempt failed: Connection refused.').waitFor();
    await axe(page);
    const events = (await world.call('GET', `/projects/${world.project}/events`)).json.items;
    expect(events).toMatchObject([
      { topic: 'charge.succeeded', tags: ['sample'] },
      { topic: 'charge.succeeded', tags: ['sample'] },
    ]);
  });

  test('is accessible and as wide as the window, in every look', async () => {
    const { page } = await start('<img src=x onerror="document.title=1">');
    await page.getByRole('button', { name: 'Create the channel' }).click();
    await page.getByRole('button', { name: 'Send sample' }).waitFor();
    await assertLooks(page, 'start-sample', { fullPage: true });
    await page.getByRole('button', { name: 'Send sample' }).click();
    await page.getByRole('button', { name: 'Use a built-in receiver' }).waitFor();
    await assertLooks(page, 'start-endpoint', { fullPage: true });
    await page.getByRole('button', { name: 'Use a built-in receiver' }).click();
    await page.getByRole('button', { name: 'Send the sample again' }).click();
    await page.getByText('It arrived,').waitFor();
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
