/** Deleting the project in a real browser: by keyboard, with its name typed, and what others see afterwards. */
import { expect, test } from 'vitest';
import { ADMIN_KEY } from '../world.js';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';
import { assertLoadedLooks } from './looks.js';
import { command } from './steps.js';

const PATH = '/dashboard/project';

test('by keyboard: what goes with it is shown, the name is typed, and one is led to the sign-in page', async () => {
  const world = await furnishedWorld(4);
  const { name } = (await world.call('GET', `/projects/${world.project}`, undefined)).json as {
    name: string;
  };
  const page = await signedIn(world, { path: PATH });
  const other = await signedIn(world, { path: '/dashboard/rules' });
  await page.getByRole('heading', { name: 'Danger zone' }).waitFor();
  await command(page, 'Delete the project');
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
  await dialog.getByText(/^\d+ events$/).waitFor();
  await dialog.getByText(/^\d+ rules?$/).waitFor();
  await dialog.getByText('Everybody is signed out at once').waitFor();
  await assertLoadedLooks(page, 'delete-project');
  const button = dialog.getByRole('button', { name: 'Delete this project' });
  const field = dialog.getByRole('textbox', { name: 'Type the name of the project' });
  expect(await button.isDisabled()).toBe(true);
  await field.focus();
  await page.keyboard.type(`${name.toUpperCase()}x`);
  expect(await button.isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  expect((await world.call('GET', `/projects/${world.project}`, undefined)).status).toBe(200);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByText('The project was deleted. Sign in with a key of another project').waitFor();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await axe(page);
  await page.setViewportSize({ width: 360, height: 720 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const { json } = await world.call('GET', '/project-deletions', undefined, { key: ADMIN_KEY });
  expect(json.items[0]).toMatchObject({ project: world.project, name });
  // A page that was open elsewhere says so, and goes on with another project.
  await other.getByRole('link', { name: 'Endpoints' }).first().dispatchEvent('click');
  await other.getByText('If the project was deleted, use a key of another one').waitFor();
  await axe(other);
});

test('who may only read sees no danger zone, and a refusal of the service is shown in the dialog', async () => {
  const world = await worldWithPages();
  const made = await world.call('POST', `/projects/${world.project}/keys`, {
    name: 'Reader',
    scopes: ['read'],
  });
  const reader = await signedIn({ ...world, key: made.json.key as string }, { path: PATH });
  await reader.getByRole('heading', { name: 'About' }).waitFor();
  await reader.getByText('Created', { exact: true }).first().waitFor();
  expect(await reader.getByRole('heading', { name: 'Danger zone' }).count()).toBe(0);

  const page = await signedIn(world, { path: PATH });
  await page.getByRole('button', { name: 'Delete project' }).click();
  // Somebody renames it meanwhile.
  const { name } = (await world.call('GET', `/projects/${world.project}`, undefined)).json as {
    name: string;
  };
  await world.call('PATCH', `/projects/${world.project}`, { name: 'Renamed' });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete this project' }).click();
  await dialog.getByText(/not the name of the project/).waitFor();
  await axe(page);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  expect((await world.call('GET', `/projects/${world.project}`, undefined)).status).toBe(200);
});

test('the palette leads to the name, and keys say who made them', async () => {
  const world = await worldWithPages();
  await world.call('POST', `/projects/${world.project}/keys`, { name: 'Deploys', scopes: ['ingest'] });
  const page = await signedIn(world, { path: PATH });
  const row = page.getByRole('row').filter({ hasText: 'Deploys' });
  await row.getByText('First key').waitFor();
  await page.getByRole('row').filter({ hasText: 'First key' }).getByText('The operator').waitFor();
  await command(page, 'Rename the project');
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
});
