/** The project and its audit log in a real browser. */
import { describe, expect, test } from 'vitest';
import type { HostWorld } from '../world.js';
import { ADMIN_KEY } from '../world.js';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';
import { assertLoadedLooks } from './looks.js';

const PATH = '/dashboard/project';
const projectOf = async (world: HostWorld) => (await world.call('GET', `/projects/${world.project}`)).json;

describe('the project', () => {
  test('shows its plan with what is used and what it allows', async () => {
    const world = await furnishedWorld(0);
    const plan = `/projects/${world.project}/plan`;
    expect((await world.call('PUT', plan, { plan: 'hacker' }, { key: ADMIN_KEY })).status).toBe(200);
    const page = await signedIn(world, { path: PATH });
    await page.getByText('4 of 5').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Hacker' }).getByText('Your plan').waitFor();
  });

  test('is renamed; a wrong number of days is refused as it is typed; a draft survives a reload', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: PATH });
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop of tomorrow');
    const days = page.getByRole('spinbutton', { name: 'Days that events are kept' });
    await days.fill('401');
    await page.getByText('Give a whole number of days from 1 to 400.').waitFor();
    await axe(page);
    await days.fill('60');
    await page.getByText('An event goes 60 days after it was received').waitFor();
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Shop of tomorrow');
    await page.getByRole('checkbox', { name: /Pause endpoints that keep failing/ }).check();
    await page.getByRole('spinbutton', { name: /Days of failures/ }).fill('3');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved').first().waitFor();
    expect(await projectOf(world)).toMatchObject({
      ...{ name: 'Shop of tomorrow', retention_days: 60, auto_pause_days: 3 },
    });
  });

  test('has its new name in the navigation at once', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: PATH });
    // The first one is in the bar of a narrow window.
    const name = page.getByTitle('Shop of today').last();
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop of today');
    expect(await name.count()).toBe(0);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await name.waitFor();
  });

  test('asks before events go because they are kept for fewer days', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: PATH });
    await page.getByRole('spinbutton', { name: 'Days that events are kept' }).fill('7');
    await page.getByRole('button', { name: 'Save settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep events for 7 days only?' });
    await dialog.waitFor();
    await axe(page);
    expect((await projectOf(world)).retention_days).toBe(30);
    await dialog.getByRole('button', { name: 'Keep 7 days' }).click();
    await expect.poll(async () => (await projectOf(world)).retention_days).toBe(7);
  });

  test('a change of somebody else stays, and is not overwritten unseen', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: PATH });
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await world.call('PATCH', `/projects/${world.project}`, { name: 'Theirs', retention_days: 90 });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Somebody has changed the settings meanwhile').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect.poll(async () => (await projectOf(world)).name).toBe('Mine');
    expect((await projectOf(world)).retention_days).toBe(90);
  });
});

describe('keys', () => {
  test('one is made with scopes, shown once, used, and revoked', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: PATH });
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Deploys');
    await axe(page);
    await page.getByRole('checkbox', { name: /^Ingest/ }).uncheck();
    await page.getByRole('checkbox', { name: /^Read/ }).check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Store this key now' });
    const key = (await shown.getByRole('region', { name: 'the key' }).textContent()) ?? '';
    expect(key).toMatch(/^hg_key_/);
    await axe(page);
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.getByText(key).count()).toBe(0);
    const events = `/projects/${world.project}/events`;
    expect((await world.call('GET', events, undefined, { key })).status).toBe(200);
    const row = page.getByRole('row').filter({ hasText: 'Deploys' });
    await row.getByText('Read').waitFor();
    await row.getByRole('button', { name: 'Revoke Deploys' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke Deploys?' });
    await dialog.getByText('requests with it are refused').waitFor();
    await axe(page);
    await dialog.getByRole('button', { name: 'Revoke the key' }).click();
    await row.getByText('Revoked').waitFor();
    await expect.poll(async () => (await world.call('GET', events, undefined, { key })).status).toBe(401);
  });

  test('the key of one’s own session says that the session ends', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: PATH });
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText('your own session ends, too').waitFor();
  });
});

test('signing out everywhere ends the sessions of all browsers', async () => {
  const world = await worldWithPages();
  const [mine, other] = [await signedIn(world, { path: PATH }), await signedIn(world, { path: PATH })];
  await other.getByRole('heading', { name: 'Sessions' }).waitFor();
  await mine.getByRole('button', { name: 'Sign out everywhere…' }).click();
  await axe(mine);
  await mine.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await mine.getByRole('heading', { name: 'Sign in to Headgate' }).waitFor();
  await other.getByRole('link', { name: 'Audit log' }).first().click();
  await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
});

describe('the audit log', () => {
  test('says who changed what, from what to what, and leads to it', async () => {
    const world = await furnishedWorld(0);
    const { items } = (await world.call('GET', `/projects/${world.project}/rules`)).json;
    const rule = `/projects/${world.project}/rules/${items[0].id as string}`;
    await world.call('PATCH', rule, { name: 'Drop pings' });
    const page = await signedIn(world, { path: '/dashboard/audit?action=rule.updated' });
    const entry = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').first();
    await entry.getByText('Rule updated').waitFor();
    await entry.getByText('First key').waitFor();
    await entry.locator('summary').click();
    await entry.getByText('"Drop health checks"').waitFor();
    await entry.getByText('"Drop pings"').waitFor();
    await axe(page);
    await entry.getByRole('link', { name: 'History of Drop pings' }).click();
    await page.getByText('Rule created').waitFor();
    await page.getByText('These are all entries.').waitFor();
    await page.getByRole('link', { name: 'Drop pings', exact: true }).click();
    await page.waitForURL(`**/dashboard/rules/${items[0].id as string}`);
  });

  test('is filtered in the address, and read page by page', async () => {
    const world = await worldWithPages();
    for (let i = 0; i < 60; i++) {
      await world.call('PATCH', `/projects/${world.project}`, { name: `Project ${i}` });
    }
    const page = await signedIn(world, { path: '/dashboard/audit' });
    const entries = page.getByRole('list', { name: 'Audit log' }).locator('> li');
    await expect.poll(() => entries.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('These are all entries.').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Change' }).fill('session');
    await page.getByRole('option', { name: 'Session created' }).click();
    await axe(page);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => entries.count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?action=session.created');
    await page.goto(`${world.url}/dashboard/audit?action=client.deleted`);
    await page.getByText('No entries match these filters').waitFor();
    await axe(page);
  });
});

test('the project and its audit log are accessible and as wide as the window, in every look', async () => {
  const world = await furnishedWorld(4);
  await world.call('PUT', `/projects/${world.project}/plan`, { plan: 'pro' }, { key: ADMIN_KEY });
  await world.call('POST', `/projects/${world.project}/keys`, {
    name: 'Shop, production',
    scopes: ['ingest'],
  });
  await world.call('PATCH', `/projects/${world.project}`, { retention_days: 45, auto_pause_days: 5 });
  const project = await signedIn(world, { path: PATH });
  await project.getByText('Shop, production').waitFor();
  await assertLoadedLooks(project, 'project');
  const audit = await signedIn(world, { path: '/dashboard/audit' });
  await audit.locator('summary').first().click();
  await assertLoadedLooks(audit, 'audit');
});
