/** An event's page in a real browser: what happened to it, why, how each attempt went, and what can be done with it. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createClient } from 'headgate/client';
import { receiver } from '../world.js';
import { axe, signedIn } from './browser.js';
import { type Furnished, furnishedWorld, worldWithPages } from './furnished.js';
import { assertLoadedLooks, assertLooks } from './looks.js';

const ORDER = { kind: 'order.paid', amount: 980, card: '4242 4242 4242 4242', lines: [{ sku: 'A-1' }] };

/** Waits until an event is decided. */
const decided = (world: Pick<Furnished, 'call' | 'project'>, id: string): Promise<void> =>
  expect
    .poll(async () => (await world.call('GET', `/projects/${world.project}/events/${id}`)).json.status)
    .not.toBe('received');

async function opened(body: unknown): Promise<{ world: Furnished; page: Page; id: string }> {
  const world = await furnishedWorld(0);
  const id = await world.event('Shop', body);
  await decided(world, id);
  const page = await signedIn(world, { path: `/dashboard/events/${id}` });
  return { world, page, id };
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the page of an event', () => {
  test('says its status and why, in one line, and names the rules', async () => {
    const { page } = await opened({ kind: 'ping' });
    await page.getByText('Dropped by Drop health checks, so nobody gets it.').waitFor();
    await page.getByRole('link', { name: 'Drop health checks' }).first().waitFor();
    await page.getByText('Nobody gets it', { exact: true }).waitFor();
  });

  test('tells for every rule why it matched or did not, with the deciding condition marked', async () => {
    const { page } = await opened(ORDER);
    const rules = page.getByRole('list', { name: 'Rules in evaluation order' });
    await expect.poll(() => rules.getByRole('listitem').count()).toBe(4);
    await page.getByRole('button', { name: 'All conditions of Drop health checks' }).click();
    const tree = page.getByRole('list', { name: 'Conditions of Drop health checks' });
    await expect.poll(() => tree.innerText()).toContain('decided it');
    expect(await tree.innerText()).toContain('data.body.kind is "ping"');
    expect(await tree.innerText()).toContain('it is "order.paid"');
    await axe(page);
  });

  test('shows data with what transforms changed marked, the raw payload, and headers apart', async () => {
    const { page } = await opened(ORDER);
    const after = page.getByRole('group', { name: 'Data as delivered' });
    await after.getByText('"**** **** **** ****"').waitFor();
    expect(await after.getByText('(changed)').count()).toBe(1);
    await page.getByRole('tab', { name: /Changes/ }).click();
    const changes = page.getByRole('list', { name: 'What transforms changed' });
    expect(await changes.innerText()).toContain('data.body.card');
    expect(await changes.innerText()).toContain('4242 4242 4242 4242');
    await page.getByRole('tab', { name: 'As received' }).click();
    await page.getByRole('group', { name: 'Data as received' }).getByText('4242').waitFor();
    const raw = page.getByRole('region', { name: 'the raw body' });
    expect(await raw.innerText()).toContain(JSON.stringify(ORDER));
    expect(await region(page, 'Headers').innerText()).toContain('application/json');
  });

  test('shows numbers with all of their digits, also those that no double holds', async () => {
    const world = await furnishedWorld(0);
    const body =
      '{"kind": "order.paid", "id": 12345678901234567890, "rate": 0.12345678901234567890, "n": 1e3}';
    const id = (await world.send(world.addresses.Shop, body)).json.id as string;
    await decided(world, id);
    const page = await signedIn(world, { path: `/dashboard/events/${id}` });
    const data = page.getByRole('group', { name: 'Data', exact: true });
    for (const written of [/^12345678901234567890,?$/, /^0\.12345678901234567890,?$/, /^1000,?$/]) {
      await data.getByText(written).waitFor();
    }
  });

  test('shows each attempt with its cause and cure, counts down to the next one, and tries it now', async () => {
    const world = await furnishedWorld(0);
    const id = await world.event('Shop', { kind: 'invoice.sent' });
    const page = await signedIn(world, { path: `/dashboard/events/${id}` });
    const attempts = page.getByRole('list', { name: 'Attempts to Warehouse' });
    await attempts.getByText('HTTP 500').first().waitFor();
    expect(await attempts.innerText()).toContain('The receiver failed while it handled the request (500).');
    expect(await attempts.innerText()).toContain('/hooks');
    await page.getByText(/next attempt in \d/).waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Retry now to Warehouse' }).click();
    await expect.poll(() => attempts.getByRole('listitem').count()).toBe(2);
    await page.getByRole('button', { name: 'Retry now to Warehouse' }).click();
    await expect.poll(() => attempts.getByRole('listitem').count()).toBe(3);
    // The countdown is gone once it is over; what has failed can be redelivered, and one lands on what that made.
    await page.getByText('dead letter', { exact: true }).waitFor();
    expect(await page.getByText(/next attempt (?:in|due)/).count()).toBe(0);
    await page.getByRole('button', { name: 'Redeliver to Warehouse' }).click();
    await page.getByText('just made').waitFor({ state: 'attached' });
    expect(new URL(page.url()).searchParams.has('made')).toBe(true);
  });

  test('replays as it was decided then, and lands on what that made', async () => {
    const { page } = await opened(ORDER);
    await page.getByText('Deliveries: 1 delivered.').waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay this event' });
    await axe(page);
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText(/^Replayed: 1 delivery is made, and SDK clients get it\./).waitFor();
    await page.getByText('just made').waitFor({ state: 'attached' });
    await page.getByText('1 earlier delivery: 1 delivered').click();
    await page.getByRole('list', { name: 'Earlier deliveries to Orders service' }).waitFor();
    await page.getByText('Deliveries: 1 delivered.').waitFor();
    await region(page, 'Replays').getByText('as decided then').waitFor();
    await axe(page);
  });

  test('replays by the rules of today, or to named endpoints', async () => {
    const { world, page } = await opened({ kind: 'ping' });
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay this event' });
    expect(await dialog.getByRole('radio', { name: 'By the rules of today' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The rules of today drop it, so nobody gets it.').waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByRole('radio', { name: 'As it was decided then' }).check();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText(/choose endpoints, or the rules of today/).waitFor();
    await dialog.getByRole('radio', { name: 'Some endpoints' }).check();
    await dialog.getByRole('checkbox', { name: 'Orders service' }).check();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page
      .getByText('Deliveries: 1 delivered.')
      .or(page.getByRole('list', { name: 'Attempts to Orders service' }))
      .first()
      .waitFor();
    const made = await world.call('GET', `/projects/${world.project}/deliveries`);
    expect(made.json.items).toHaveLength(1);
  });

  test('a rule begins with paths that are picked in the payload', async () => {
    const { page, id } = await opened(ORDER);
    await page.getByRole('button', { name: 'Create a rule from this event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a rule from this event' });
    await dialog.getByRole('button', { name: 'Use the path data.body.kind' }).click();
    await dialog.getByRole('button', { name: 'Use the path data.body.card' }).click();
    await dialog.getByRole('button', { name: 'Use the path data.body.lines', exact: true }).click();
    await axe(page);
    await dialog.getByRole('button', { name: 'Remove data.body.card' }).click();
    await dialog.getByRole('link', { name: 'Go on to the rule' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/rules/new');
    const { searchParams: query } = new URL(page.url());
    expect(query.get('event')).toBe(id);
    expect(JSON.parse(query.get('match') ?? '')).toEqual({
      all: [
        { path: 'data.body.kind', op: 'eq', value: 'order.paid' },
        { path: 'data.body.lines', op: 'exists' },
      ],
    });
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
    await expect
      .poll(() =>
        page.getByRole('combobox').evaluateAll((all) => all.map((one) => (one as { value?: string }).value)),
      )
      .toContain('data.body.kind');
  });

  test('shows what SDK clients reply, as it comes', async () => {
    const world = await furnishedWorld(0);
    const client = createClient({ url: world.url, project: world.project, key: world.key, name: 'billing' });
    client.on('event', async ({ event }) => {
      await client.reply(event.id, { charged: true });
    });
    await expect.poll(() => client.state).toBe('open');
    const id = await world.event('Shop', ORDER);
    const page = await signedIn(world, { path: `/dashboard/events/${id}` });
    const replies = page.getByRole('list', { name: 'Replies' });
    await replies.waitFor();
    const { json } = await world.call('GET', `/projects/${world.project}/events/${id}/replies`);
    expect(json.items).toHaveLength(1);
    // Later replies appear by themselves.
    await client.reply(id, { refunded: true });
    await expect.poll(() => replies.innerText()).toContain('"refunded"');
    expect(await replies.innerText()).toContain('billing');
    expect(await replies.innerText()).toContain('"charged"');
    await client.close();
  });

  test('an event that is not kept says so', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/events/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
    await page.getByText('Event not found').waitFor();
    await axe(page);
  });

  test('an empty project has neither rules nor deliveries, and says what comes next', async () => {
    const world = await worldWithPages();
    const channel = await world.channel({ name: 'Shop' });
    const { json } = await world.send(channel.url, { kind: 'first' });
    await decided(world, json.id as string);
    const page = await signedIn(world, { path: `/dashboard/events/${json.id}` });
    await page.getByText('No endpoint gets it').waitFor();
    await page.getByText('No rules yet').waitFor();
    await axe(page);
  });

  test('says what could not be read, and reads it again', async () => {
    const world = await furnishedWorld(0);
    const id = await world.event('Shop', ORDER);
    await decided(world, id);
    const page = await signedIn(world, { expects: [503] });
    for (const part of ['deliveries', 'explanation']) {
      await page.route(`**/${part}*`, (route) => route.fulfill({ status: 503, body: '{}' }));
    }
    await page.goto(`${world.url}/dashboard/events/${id}`);
    await expect.poll(() => page.getByText('This could not be loaded').count()).toBe(2);
    await axe(page);
    await page.unrouteAll();
    for (const name of ['Deliveries', 'Why rules matched, or did not']) {
      await region(page, name).getByRole('button', { name: 'Try again' }).click();
    }
    await page.getByRole('list', { name: 'Attempts to Orders service' }).waitFor();
    await page.getByRole('list', { name: 'Rules in evaluation order' }).waitFor();
  });

  test('is accessible and as wide as the window, in every look', async () => {
    const world = await furnishedWorld(0);
    for (const body of [ORDER, { kind: 'invoice.sent' }, { kind: 'ping' }]) {
      const id = await world.event('Shop', body);
      await decided(world, id);
      const page = await signedIn(world, { path: `/dashboard/events/${id}?make=rule` });
      await page.getByRole('dialog').getByRole('button', { name: 'Use the path data.body.kind' }).click();
      await assertLooks(page, `event-${body.kind}-picking`);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'All conditions of Tag large amounts' }).click();
      await assertLoadedLooks(page, `event-${body.kind}`);
      await page.close();
    }
  });

  test('what others have written is text, in every field', async () => {
    const nasty = [
      '<img src=x onerror="document.title=1">',
      '"><script>document.title=1</script>',
      'javascript:document.title=1',
      'left \u202Eright',
      'nul \u0000 end',
    ];
    const world = await worldWithPages();
    const channel = await world.channel({ name: nasty[0] });
    const endpoint = await world.endpoint(await receiver(), { name: nasty[1] });
    for (const [index, name] of nasty.slice(0, 3).entries()) {
      const saved = await world.call('POST', `/projects/${world.project}/rules`, {
        ...{ name, stage: 'deliver', priority: index },
        match: { path: 'data.body.value', op: 'eq', value: nasty[index] },
        action: { type: 'tag', tags: [nasty[index]] },
      });
      expect(saved.status).toBe(201);
    }
    expect(endpoint.id).toBeTruthy();
    for (const value of nasty) {
      const sent = await world.send(
        `${channel.url}?q=${encodeURIComponent(value)}`,
        { value, [value]: value },
        { 'x-nasty': encodeURI(value) },
      );
      await decided(world, sent.json.id as string);
      const page = await signedIn(world, { path: `/dashboard/events/${sent.json.id}` });
      await page.getByRole('list', { name: 'Deliveries' }).waitFor();
      await page.getByRole('button', { name: 'Create a rule from this event' }).click();
      await page.getByRole('dialog').getByRole('group').waitFor();
      expect(await page.title()).not.toBe('1');
      expect(await page.locator('#main img, #main script, dialog img').count()).toBe(0);
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
      expect(await page.getByRole('region', { name: 'the raw body' }).innerText()).not.toMatch(/\u202E/u);
    }
  });
});
