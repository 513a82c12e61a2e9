/** Channels in a real browser: made, verified, renewed, rotated, deleted. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HostWorld } from '../world.js';
import { axe, signedIn } from './browser.js';
import { worldWithPages } from './furnished.js';
import { assertLoadedLooks } from './looks.js';

const INJECTION = `<img src=x onerror="document.title='x'">"><script>document.title='x'</script>\u202Ejavascript:`;

const secretsOf = async (world: HostWorld, channel: string): Promise<readonly string[]> => {
  const { json } = await world.call('GET', `/projects/${world.project}/channels/${channel}/secrets`);
  return (json.items as { secret: string }[]).map(({ secret }) => secret);
};

describe('in every look', () => {
  test('the list and a channel are accessible and as wide as the window', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/channels' });
    await page.getByText('No channels for webhooks yet').waitFor();
    await assertLoadedLooks(page, 'channels-empty');
    await world.channel({ name: INJECTION });
    const shop = await world.channel({
      name: 'Shop',
      source: { name: 'github', secrets: ['it is a secret'] },
    });
    await world.send(shop.url, { kind: 'forged' });
    await page.reload();
    await page.getByText('GitHub').waitFor();
    await assertLoadedLooks(page, 'channels');
    await page.getByRole('button', { name: 'New channel' }).click();
    await page.getByRole('combobox', { name: 'Source' }).selectOption('token');
    await assertLoadedLooks(page, 'channels-new');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('button', { name: 'Show secrets' }).click();
    await page.getByRole('list', { name: 'Signing secrets' }).waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    await page.getByText('A rotation is under way').waitFor();
    await expect
      .poll(() => page.getByText('A new secret was created', { exact: true }).count())
      .toBeGreaterThan(0);
    await assertLoadedLooks(page, 'channel');
    expect(await page.title()).not.toBe('x');
  });
});

test('all channels can be read, however many there are', async () => {
  const world = await worldWithPages();
  for (let i = 0; i < 120; i++) await world.channel({ name: `Channel ${i}` });
  const page = await signedIn(world, { path: '/dashboard/channels' });
  const rows = page.getByRole('table', { name: 'Channels' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(50);
  for (const count of [100, 121]) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(count);
  }
  await page.getByText('121 channels').waitFor();
});

describe('a channel', () => {
  test('is made with a source, which then lets in what it has signed, and nothing else', async () => {
    const world = await worldWithPages();
    const page = await signedIn(world, { path: '/dashboard/channels' });
    await page.getByRole('button', { name: 'New channel' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Code');
    await page.getByRole('combobox', { name: 'Source' }).selectOption('github');
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByText(/needs a secret/).waitFor();
    await page.getByLabel('Secret', { exact: true }).fill('s3cret-of-github');
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByRole('heading', { name: 'Code', level: 1 }).waitFor();
    const url = await page.getByRole('region', { name: 'URL of the channel' }).innerText();
    const body = JSON.stringify({ action: 'opened' });
    const mac = createHmac('sha256', 's3cret-of-github').update(body).digest('hex');
    expect((await world.send(url, body, { 'x-hub-signature-256': `sha256=${mac}` })).status).toBe(202);
    expect((await world.send(url, body)).status).toBe(401);
    // Rejected requests are counted some at a time.
    const rejected = async () =>
      (await world.call('GET', `/projects/${world.project}/channels`)).json.items[0].rejected as number;
    await expect.poll(rejected).toBe(1);
    await page.reload();
    await page.getByText('1 request was rejected').waitFor();
    // Without a new secret the stored one stays, whatever else is saved.
    await page.getByRole('checkbox', { name: /Ask for a key/ }).check();
    await page.getByRole('button', { name: 'Save verification' }).click();
    await page.getByText('Verification saved').first().waitFor();
    const authorization = { authorization: `Bearer ${world.key}` };
    const signed = { 'x-hub-signature-256': `sha256=${mac}`, ...authorization };
    expect((await world.send(url, body, signed)).status).toBe(202);
  });

  test('gets another address, and the old one is closed', async () => {
    const world = await worldWithPages();
    const { id, url } = await world.channel({ name: 'Shop' });
    const page = await signedIn(world, { path: `/dashboard/channels/${id}` });
    const address = page.getByRole('region', { name: 'URL of the channel' });
    expect(await address.innerText()).toBe(url);
    await page.getByRole('button', { name: 'Renew address' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew address' }).click();
    await expect.poll(() => address.innerText()).not.toBe(url);
    expect((await world.send(url, {})).status).toBe(404);
    expect((await world.send(await address.innerText(), {})).status).toBe(202);
  });

  test('shows its secrets on purpose only, and rotates them until the old one is removed', async () => {
    const world = await worldWithPages();
    const { id } = await world.channel({ name: 'Shop' });
    const [old = ''] = await secretsOf(world, id);
    const page = await signedIn(world, { path: `/dashboard/channels/${id}` });
    await page.getByRole('heading', { name: 'Signing secrets' }).waitFor();
    expect(await page.content()).not.toContain(old);
    await page.getByRole('button', { name: 'Show secrets' }).click();
    await page.getByText(old).waitFor();
    const { json } = await world.call('GET', `/projects/${world.project}/audit?action=secrets.revealed`);
    expect((json.items as { actor: string }[]).some(({ actor }) => actor.startsWith('session:'))).toBe(true);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    await page.getByText('A rotation is under way').waitFor();
    expect(await secretsOf(world, id)).toHaveLength(2);
    await expect
      .poll(() => page.getByRole('list', { name: 'Signing secrets' }).getByRole('listitem').count())
      .toBe(2);
    // After a reload the rotation is found without showing a secret.
    await page.reload();
    await page.getByText('A rotation is under way').waitFor();
    await page.getByRole('button', { name: 'Show secrets' }).click();
    await page.getByRole('button', { name: 'Remove now' }).click();
    await page.getByRole('button', { name: 'Remove secret' }).click();
    await expect.poll(() => page.getByText('A rotation is under way').count()).toBe(0);
    const left = await secretsOf(world, id);
    expect(left).toHaveLength(1);
    expect(left).not.toContain(old);
  });

  test('that another has changed meanwhile is not overwritten', async () => {
    const world = await worldWithPages();
    const { id } = await world.channel({ name: 'Shop' });
    const page = await signedIn(world, { path: `/dashboard/channels/${id}` });
    await page.getByRole('checkbox', { name: /Ask for a key/ }).check();
    await world.call('PATCH', `/projects/${world.project}/channels/${id}`, { name: 'Store' });
    await page.getByRole('button', { name: 'Save verification' }).click();
    await page.getByText(/Somebody else has changed this channel/).waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Show theirs' }).click();
    await expect.poll(() => page.getByText(/Somebody else has changed this channel/).count()).toBe(0);
  });

  test('is deleted, and its address with it', async () => {
    const world = await worldWithPages();
    const { id, url } = await world.channel({ name: 'Shop' });
    const page = await signedIn(world, { path: `/dashboard/channels/${id}` });
    await page.getByRole('button', { name: 'Delete channel' }).click();
    await axe(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click();
    await page.getByText('No channels for webhooks yet').waitFor();
    expect((await world.send(url, {})).status).toBe(404);
  });

  test('sends samples: that of its source, one that was edited, and those of the catalog', async () => {
    const world = await worldWithPages();
    const code = await world.channel({
      name: 'Code',
      source: { name: 'github', secrets: ['it is a secret'] },
    });
    const example = { id: 'in_42', amount: 120 };
    await world.call('POST', `/projects/${world.project}/event-types`, { name: 'invoice.paid', example });
    const page = await signedIn(world, { path: `/dashboard/channels/${code.id}` });
    const payload = page.getByRole('textbox', { name: 'Payload' });
    await payload.fill('{"ref": ');
    await page.getByText(/^This is not JSON: /).waitFor();
    expect(await page.getByRole('button', { name: 'Send sample' }).isDisabled()).toBe(true);
    await payload.fill('{"n": 12345678901234567890}');
    await page.getByRole('button', { name: 'Send sample' }).click();
    await page.getByRole('link', { name: 'Show the event' }).click();
    await page.getByRole('heading', { name: 'push', level: 1 }).waitFor();
    await page.getByText('12345678901234567890').first().waitFor();
    const { items } = (await world.call('GET', `/projects/${world.project}/channels`)).json;
    const api = (items as { id: string; type: string }[]).find(({ type }) => type === 'api')!;
    await page.goto(`${world.url}/dashboard/channels/${api.id}`);
    await page.getByRole('combobox', { name: 'Sample' }).selectOption('invoice.paid');
    await expect.poll(() => page.getByRole('textbox', { name: 'Data' }).inputValue()).toContain('in_42');
    await page.getByRole('button', { name: 'Send sample' }).click();
    await page.getByText('Sent.').waitFor();
    const events = (await world.call('GET', `/projects/${world.project}/events`)).json.items;
    expect(events).toMatchObject([
      { type: 'invoice.paid', tags: ['sample'] },
      { type: 'webhook.received', topic: 'push', tags: ['sample'] },
    ]);
  });
});
