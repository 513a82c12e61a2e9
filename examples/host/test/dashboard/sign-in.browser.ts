/** Signing in and out, and a session that ends while somebody works. */
import { describe, expect, test } from 'vitest';
import { axe, signedIn, signedOut } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';

describe('signing in', () => {
  test('a key leads to the page that was asked for', async () => {
    const world = await worldWithPages();
    const page = await signedOut(world, { path: '/dashboard/rules?enabled=true' });
    await page.waitForURL('**/sign-in?to=*');
    await page.getByLabel('Key').fill(world.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard/rules?enabled=true');
  });

  test('a wrong key is refused with a sentence', async () => {
    const page = await signedOut(await worldWithPages());
    await page.getByLabel('Key').fill('hg_key_of_nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key is not valid.').waitFor();
    await axe(page);
  });

  test.for([['#token=', ''] as const, ['#', ''] as const])(
    'the one-time link signs in once: %s',
    async ([prefix]) => {
      const world = await worldWithPages();
      const token = await world.host.signInLink(world.project);
      const page = await signedOut(world, { path: `/sign-in${prefix}${token}` });
      await page.waitForURL('**/dashboard/');
      const other = await signedOut(world, { path: `/sign-in${prefix}${token}` });
      await other.getByText('This link was used before').waitFor();
      expect(other.url()).not.toContain(token);
    },
  );

  test('a link to another site in the address is not followed', async () => {
    const world = await worldWithPages();
    const page = await signedOut(world, { path: '/sign-in?to=https://example.com/' });
    await page.getByLabel('Key').fill(world.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${world.url}/dashboard/`);
  });
});

describe('signing out', () => {
  test('ends the session of this browser', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Headgate' }).waitFor();
    await page.goto(`${world.url}/dashboard/rules`);
    await page.waitForURL('**/sign-in?to=*');
  });

  test('everywhere ends those of other browsers, too: they sign in again in a dialog', async () => {
    const world = await furnishedWorld(4);
    const [mine, other] = [
      await signedIn(world),
      await signedIn(world, { path: '/dashboard/events?status=dropped' }),
    ];
    await other.getByRole('list', { name: 'Events' }).waitFor();
    await mine.getByRole('button', { name: 'Account' }).click();
    await mine.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await mine.getByRole('heading', { name: 'Sign in to Headgate' }).waitFor();

    await other.getByRole('button', { name: 'Time: Any time' }).click();
    await other.getByRole('menuitemradio', { name: 'Last hour' }).click();
    const dialog = other.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await axe(other);
    await dialog.getByLabel('Key').fill(world.key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => other.getByRole('listitem').count()).toBeGreaterThan(0);
    expect(new URL(other.url()).search).toBe('?since=1h&status=dropped');
  });
});
