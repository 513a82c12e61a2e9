/** Replays of many events in a real browser: begun from the list of events, watched, stopped. */
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.js';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';

describe('replays of many events', () => {
  test('the events of a filter are counted, replayed, and watched', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world, { path: '/dashboard/events?status=processed' });
    await page.getByRole('list', { name: 'Events' }).getByRole('listitem').first().waitFor();
    await page.getByRole('button', { name: 'Replay these events' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: /^Replay \d+ events\?$/ }).waitFor();
    await dialog.getByText(/^\d+ events make \d+ deliver(?:y|ies)\.$/).waitFor();
    await axe(page);
    await dialog.getByLabel('Some endpoints').check();
    await dialog.getByText('Choose at least one endpoint.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Everybody whom the decision names').check();
    await dialog.getByRole('button', { name: /^Replay \d+ events$/ }).click();
    await page.waitForURL('**/dashboard/replays');
    const line = page.getByRole('list', { name: 'Replays' }).getByRole('listitem').first();
    await line.getByText('All replayed').waitFor();
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await axe(page);
  });

  test('one that runs is stopped', async () => {
    const world = await worldWithPages();
    const at = Date.now();
    // Another process has begun it, and goes on slowly.
    const preview = { events: 7, deliveries: 7, skipped: 0, cursor: null };
    await world.db.insert('bulk_actions', [
      {
        ...{ id: newId(at), project_id: world.project, kind: 'replay', state: 'running', cursor: '""' },
        filter: JSON.stringify({ filter: { type: 'order.paid' }, rules: 'recorded', preview }),
        ...{
          total: 7,
          sent: 0,
          lease_until: at + 3_600_000,
          created_at: at,
          created_by: 'admin',
          ended_at: null,
        },
      },
    ]);
    const page = await signedIn(world, { path: '/dashboard/replays' });
    const line = page.getByRole('list', { name: 'Replays' }).getByRole('listitem').first();
    await line.getByText('7 events left').waitFor();
    await line.getByRole('button', { name: 'Stop' }).click();
    await line.getByText('7 events not replayed').waitFor();
    expect(await line.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  test('a project without any says how one begins', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/replays' });
    await page.getByText('No replays yet').waitFor();
    await axe(page);
  });
});
