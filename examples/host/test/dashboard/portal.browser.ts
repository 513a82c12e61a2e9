/** The portal, in a frame of an application of another site and alone, as customers see it. */
import type { Frame, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type HostWorld, receiver } from '../world.js';
import { axe, signedIn } from './browser.js';
import { type Furnished, furnishedWorld, worldWithPages } from './furnished.js';
import { assertLoadedLooks } from './looks.js';
import {
  blockCookies,
  frameOf,
  framed,
  portalUrl,
  probed,
  refusalsOf,
  stage,
  strictBrowser,
} from './portal-frame.js';

const LOGO = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path d="M0 0h4v1H0z"/></svg>')}`;

const customers = async (): Promise<Furnished> => furnishedWorld(8, await (await stage()).world());

const navigationOf = (of: Frame | Page): Promise<string[]> =>
  of.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link').allInnerTexts();

const go = async (of: Frame | Page, name: string): Promise<void> => {
  await of.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name }).click();
  await of.getByRole('heading', { name, level: 1 }).waitFor();
};

/** Opens the newest event. */
const openEvent = async (of: Frame | Page): Promise<void> => {
  await go(of, 'Events');
  await of.getByRole('list', { name: 'Events' }).getByRole('link').first().click();
  await of.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await of.getByRole('list', { name: 'Deliveries', exact: true }).waitFor();
};

describe('in a frame of another site', () => {
  test('a cookie that is not partitioned is blocked in these tests', async () => {
    const page = await (await strictBrowser()).newPage();
    expect(await probed(page)).toBe('probed=1');
    await blockCookies(page);
    expect(await probed(page)).toBe('');
  });

  test('a viewer reads endpoints, events and attempts, live, and is offered nothing else', async () => {
    const world = await customers();
    const { frame } = await framed(world, 'viewer');
    expect(await navigationOf(frame)).toEqual(['Events', 'Endpoints', 'Dead letters']);
    expect(await frame.getByRole('button', { name: 'New endpoint' }).count()).toBe(0);

    await frame.getByRole('link', { name: 'Orders service' }).click();
    await frame.getByRole('heading', { name: 'Deliveries and attempts' }).waitFor();
    for (const tab of ['Deliveries', 'Verify signatures', 'Settings']) {
      await frame.getByRole('tab', { name: tab }).click();
      await frame.getByRole('tabpanel').waitFor();
    }
    for (const name of ['Pause', 'Send a test', 'Save changes', 'Show secrets', 'Delete endpoint']) {
      expect([name, await frame.getByRole('button', { name }).count()]).toEqual([name, 0]);
    }

    await openEvent(frame);
    await frame.getByRole('heading', { name: 'Data', exact: true }).waitFor();
    for (const name of ['Rules', 'Raw payload', 'Headers', 'Replies']) {
      expect([name, await frame.getByRole('heading', { name, exact: true }).count()]).toEqual([name, 0]);
    }
    for (const name of ['Replay', 'Create a rule from this event', 'Retry now', 'Redeliver']) {
      expect([name, await frame.getByRole('button', { name }).count()]).toEqual([name, 0]);
    }
    await go(frame, 'Dead letters');
    await frame.getByRole('button', { name: 'Refresh' }).waitFor();
    expect(await frame.getByRole('button', { name: /Redeliver|Discard/ }).count()).toBe(0);

    await go(frame, 'Events');
    await frame.getByText('Live', { exact: true }).waitFor();
    const rows = frame.getByRole('list', { name: 'Events' }).getByRole('link');
    // Two of the eight events are dropped.
    await expect.poll(() => rows.count()).toBe(6);
    await world.event('Shop', { kind: 'ping' });
    await world.event('Shop', { kind: 'order.created' });
    await expect.poll(() => rows.count()).toBe(7);
    expect(await frame.locator('body').innerText()).not.toMatch(/Dropped|Drop health checks|Tag large/);
  });

  test('an owner makes an endpoint, sees its secret, tests it, replays and redelivers', async () => {
    const world = await customers();
    const to = await receiver();
    const broken = await receiver(500);
    await world.endpoint(broken, { name: 'Broken', retry_max_attempts: 1 });
    await world.event('Shop', { kind: 'invoice.sent' });
    await expect.poll(() => broken.got.length).toBe(1);
    const { frame } = await framed(world, 'owner');
    await frame.getByRole('button', { name: 'New endpoint' }).click();
    const form = frame.getByRole('dialog', { name: 'New endpoint' });
    await expect
      .poll(() => form.getByLabel('URL').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await form.getByLabel('URL').fill(to.url);
    await form.getByLabel('Name').fill('Mine');
    expect(await form.getByText('built-in receiver').count()).toBe(0);
    await form.getByRole('button', { name: 'Create endpoint' }).click();
    await frame.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();

    await frame.getByRole('button', { name: 'Send a test' }).click();
    const trial = frame.getByRole('dialog', { name: 'Send a test' });
    await trial.getByRole('button', { name: 'Send test' }).click();
    await trial.getByText('Accepted').waitFor();
    await trial.getByRole('button', { name: 'Close', exact: true }).first().click();
    await frame.getByRole('tab', { name: 'Settings' }).click();
    await frame.getByRole('button', { name: 'Show secrets' }).click();
    await frame
      .getByText(/whsec_/)
      .first()
      .waitFor();
    const { json } = await world.call('GET', `/projects/${world.project}/endpoints`);
    const mine = (json.items as { id: string; name: string; secret: string }[]).find(
      ({ name }) => name === 'Mine',
    )!;
    expect(mine.secret).toBe('endpoint');
    const own = await world.call('GET', `/projects/${world.project}/endpoints/${mine.id}/secrets`);
    to.got[0]?.verify(own.json.items[0].secret as string);

    await openEvent(frame);
    await frame.getByRole('button', { name: 'Replay', exact: true }).click();
    const replay = frame.getByRole('dialog', { name: 'Replay this event' });
    expect(await replay.getByText('By the rules of today').count()).toBe(0);
    await replay.getByLabel('Some endpoints').check();
    await replay.getByRole('checkbox', { name: 'Mine' }).check();
    await replay.getByRole('button', { name: 'Replay', exact: true }).click();
    await frame.getByText(/Replayed: 1 delivery is made/).waitFor();
    await expect.poll(() => to.got.length).toBe(2);
    await frame
      .getByRole('table', { name: /Replays of this event/ })
      .getByText('This portal')
      .waitFor();

    broken.answer = 204;
    await go(frame, 'Dead letters');
    await frame.getByRole('button', { name: 'Redeliver all…' }).click();
    await frame
      .getByRole('dialog')
      .getByRole('button', { name: /^Redeliver/ })
      .click();
    await expect.poll(() => broken.got.length).toBe(2);
    await frame.getByRole('list', { name: 'Redeliveries' }).getByText('This portal').waitFor();
  });

  test('the browser refuses a frame of an origin that is not named', async () => {
    const { stranger, app } = await stage();
    const world = await customers();
    const page = await (await strictBrowser()).newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${stranger}/?frame=${encodeURIComponent(await portalUrl(world, 'owner'))}`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    expect(asked).toEqual(['/', '/portal']);
    // Nor does the named one frame the dashboard.
    const { host } = await stage();
    await page.goto(`${app}/?frame=${encodeURIComponent(`${host}/dashboard/events`)}`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });

  test('a link that was used opens the portal again where its session is, and nowhere else', async () => {
    const { app } = await stage();
    const world = await customers();
    const url = await portalUrl(world, 'viewer');
    const page = await (await strictBrowser()).newPage();
    await blockCookies(page);
    for (let time = 0; time < 2; time++) {
      await page.goto(`${app}/?frame=${encodeURIComponent(url)}`);
      const frame = await frameOf(page);
      await frame.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
      expect(frame.url()).not.toContain('hg_once');
    }
    // In the site of the host itself, the browser has no such session.
    const alone = await page.context().newPage();
    await alone.goto(url);
    await alone.getByRole('heading', { name: 'This page is closed', level: 1 }).waitFor();
    await axe(alone);
  });
});

describe('alone, in a window of its own', () => {
  const opened = async (world: HostWorld, role: 'viewer' | 'owner'): Promise<Page> => {
    const page = await (await strictBrowser()).newPage();
    const refused = refusalsOf(page);
    onTestFinished(() => expect(refused).toEqual([]));
    await page.goto(await portalUrl(world, role));
    await page.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
    return page;
  };

  test.for(['#ffe600', '#101010', '#e91e63'])(
    'every page of an owner is accessible with the accent %s',
    async (accent) => {
      const world = await customers();
      const portal = { name: 'Acme', logo_url: LOGO, accent };
      expect((await world.call('PATCH', `/projects/${world.project}`, { portal })).status).toBe(200);
      const page = await opened(world, 'owner');
      const logo = page.locator('header img').first();
      await expect
        .poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
      await expect.poll(() => page.title()).toBe('Endpoints · Acme');
      await assertLoadedLooks(page, `portal-endpoints-${accent.slice(1)}`);
      await page.getByRole('link', { name: 'Orders service' }).click();
      await page.getByRole('heading', { name: 'Orders service', level: 1 }).waitFor();
      await assertLoadedLooks(page, 'portal-endpoint');
      await page.getByRole('tab', { name: 'Settings' }).click();
      await assertLoadedLooks(page, 'portal-settings');
      await openEvent(page);
      await assertLoadedLooks(page, 'portal-event');
      for (const name of ['Events', 'Dead letters']) {
        await go(page, name);
        await assertLoadedLooks(page, `portal-${name}`);
      }
    },
  );

  test('keys lead to the pages that there are, and to no others', async () => {
    const page = await opened(await customers(), 'owner');
    for (const [key, name] of [
      ['e', 'Events'],
      ['d', 'Dead letters'],
      ['n', 'Endpoints'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a page, or do something' }).fill('go to');
    const list = page.getByRole('listbox', { name: 'Commands' });
    const options = await list.getByRole('option').allInnerTexts();
    expect(options.map((text) => text.split('\n')[0])).toEqual([
      ...['Go to Events', 'Go to Endpoints', 'Go to Dead letters'],
    ]);
    await page.keyboard.press('Escape');
    await page.goto(`${(await stage()).host}/portal/rules`);
    await page.getByRole('link', { name: 'Go to the events' }).click();
    await page.waitForURL('**/portal/events');
  });

  test('the session of the dashboard in the same browser stays, and neither is taken for the other', async () => {
    const { host } = await stage();
    const world = await customers();
    const page = await opened(world, 'viewer');
    const dashboard = await page.context().newPage();
    expect(
      (await page.context().request.post(`${host}/session`, { data: { key: world.key } })).status(),
    ).toBe(201);
    await dashboard.goto(`${host}/dashboard/rules`);
    await dashboard.getByRole('link', { name: 'Drop health checks' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
    expect(await navigationOf(page)).toEqual(['Events', 'Endpoints', 'Dead letters']);
    expect(await page.getByRole('button', { name: 'New endpoint' }).count()).toBe(0);
    expect(await navigationOf(dashboard)).toContain('Audit log');
  });
});

test('the operator chooses a name, an accent and a logo, and takes the logo back', async () => {
  const world = await worldWithPages();
  const page = await signedIn(world, { path: '/dashboard/project' });
  const portal = async () => (await world.call('GET', `/projects/${world.project}/portal`)).json;
  await page.getByLabel('Shown to customers as').fill('Acme webhooks');
  await page.getByLabel('Accent').fill('#e91');
  await page.getByText('Write it as # and six digits').waitFor();
  await page.getByLabel('Accent').fill('#E91E63');
  const file = (name: string, size: number) => ({
    ...{ name, mimeType: 'image/svg+xml' },
    buffer: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1">${' '.repeat(size)}</svg>`,
    ),
  });
  await page.getByLabel('Logo').setInputFiles(file('large.svg', 48_000));
  await page.getByText('at most 48 kB.', { exact: false }).last().waitFor();
  await axe(page);
  await page.getByLabel('Logo').setInputFiles(file('small.svg', 1));
  await page.getByRole('button', { name: 'Save portal' }).click();
  await page.getByText('The portal is saved').first().waitFor();
  expect(await portal()).toEqual({
    ...{ name: 'Acme webhooks', accent: '#e91e63' },
    logo_url: expect.stringMatching(/^\/portal-logos\//),
  });
  await page.getByRole('img', { name: 'The logo' }).waitFor();
  await axe(page);
  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await page.getByRole('button', { name: 'Save portal' }).click();
  await expect.poll(portal).toMatchObject({ name: 'Acme webhooks', logo_url: null });
});
