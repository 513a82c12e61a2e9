/**
 * One story through the pages on Postgres: an event comes, a rule is made of it, the rule is met, and a failure is
 * redelivered.
 */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, receiver } from '../world.js';
import { axe, PAGES, signedIn } from './browser.js';
import { furnishedWorld } from './furnished.js';

describe.each(databases().filter(({ name }) => name === 'Postgres'))('on $name', ({ open }) => {
  test('an event is seen, a rule is made of it and applied, and dead letters are redelivered', async () => {
    const world = await furnishedWorld(8, await hostOn(await open(), {}, PAGES));
    const target = await receiver(500);
    await world.endpoint(target, { name: 'Ledger', retry_max_attempts: 1 });

    const list = await signedIn(world);
    const rows = list.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(8);
    const id = await world.event('Shop', { kind: 'invoice.lost', amount: 7 });
    await expect.poll(() => rows.first().getByRole('link').getAttribute('href')).toContain(id);

    const event = await signedIn(world, { path: `/dashboard/events/${id}`, beside: list });
    await event.getByText('Why rules matched, or did not').waitFor();
    await expect
      .poll(() =>
        event.getByRole('list', { name: 'Rules in evaluation order' }).getByRole('listitem').count(),
      )
      .toBe(4);
    await axe(event);

    const match = encodeURIComponent(
      JSON.stringify({ path: 'data.body.kind', op: 'eq', value: 'invoice.lost' }),
    );
    const rule = await signedIn(world, { path: `/dashboard/rules/new?match=${match}`, beside: list });
    await rule.getByRole('textbox', { name: 'Name', exact: true }).fill('Lost invoices');
    await rule.getByRole('radio', { name: 'Drop' }).check();
    await rule.getByRole('button', { name: 'Save', exact: true }).click();
    await rule.waitForURL(/\/dashboard\/rules\/[0-9a-f-]{36}$/);
    await rule.getByRole('button', { name: 'Dry-run' }).click();
    await rule.getByText('1 of 9 events', { exact: true }).waitFor();
    const next = await world.event('Shop', { kind: 'invoice.lost', amount: 8 });
    await expect
      .poll(async () => (await world.call('GET', `/projects/${world.project}/events/${next}`)).json.status)
      .toBe('dropped');

    const count = async (): Promise<number> =>
      (await world.call('GET', `/projects/${world.project}/dead-letters/count`)).json.count as number;
    await expect.poll(count).toBeGreaterThan(0);
    target.answer = 204;
    const letters = await signedIn(world, { path: '/dashboard/dead-letters', beside: list });
    await letters
      .getByRole('button', { name: /^Redeliver/ })
      .first()
      .click();
    await letters
      .getByRole('dialog')
      .getByRole('button', { name: /^Redeliver/ })
      .click();
    await expect.poll(count).toBe(0);
  });
});
