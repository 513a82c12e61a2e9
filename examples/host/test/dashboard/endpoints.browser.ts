/** Endpoints in a real browser: made, tested, paused, set, deleted, and a receiver that is built in. */
import { describe, expect, test } from 'vitest';
import { type HostWorld, receiver } from '../world.js';
import { axe, signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';
import { assertLoadedLooks } from './looks.js';

/** The id of the endpoint with this name. */
async function idOf(world: HostWorld, name: string): Promise<string> {
  const { items } = (await world.call('GET', `/projects/${world.project}/endpoints`)).json as {
    items: { id: string; name: string }[];
  };
  return items.find((one) => one.name === name)?.id ?? '';
}

/** The classic injections, as far as a name may hold them. */
const INJECTION = `<img src=x onerror="document.title='x'">"><script>document.title='x'</script>\u202Ejavascript:`;

describe('in every look', () => {
  test('every view of an endpoint is accessible and as wide as the window', async () => {
    const world = await furnishedWorld(12);
    const id = await idOf(world, 'Warehouse');
    await world.call('PATCH', `/projects/${world.project}/endpoints/${id}`, { name: INJECTION });
    for (const path of [
      '/dashboard/endpoints',
      `/dashboard/endpoints/${id}`,
      `/dashboard/endpoints/${id}?tab=deliveries`,
      `/dashboard/endpoints/${id}?tab=verify`,
      `/dashboard/endpoints/${id}?tab=settings`,
    ]) {
      const page = await signedIn(world, { path });
      const tab = path.split('tab=')[1] ?? (path.endsWith(id) ? 'overview' : 'list');
      await assertLoadedLooks(page, `endpoint-${tab}`);
      expect(await page.title()).not.toBe('x');
      await page.close();
    }
  });

  test('a receiver shows what arrives', async () => {
    const world = await worldWithPages();
    await world.channel({ name: 'Shop' });
    const page = await signedIn(world, { path: '/dashboard/endpoints' });
    await page.getByText('No endpoints yet').waitFor();
    await assertLoadedLooks(page, 'endpoints-empty');
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    await assertLoadedLooks(page, 'endpoints-new');
    await page.getByRole('button', { name: 'Use a built-in receiver' }).click();
    await page.getByText('Nothing has arrived yet').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('HTTP 200').waitFor();
    await assertLoadedLooks(page, 'endpoint-test');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Verified').first().waitFor();
    await assertLoadedLooks(page, 'endpoint-receiver');
    await page.getByRole('link', { name: 'Endpoints', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Built-in receivers' }).waitFor();
    await assertLoadedLooks(page, 'endpoints-receivers');
    await page.getByRole('table', { name: 'Built-in receivers' }).getByRole('link').click();
    await page.getByText('Arrived: 1 request').waitFor();
    await assertLoadedLooks(page, 'receiver');
  });
});

describe('an endpoint', () => {
  const channelAnd = async (answer = 204) => {
    const world = await worldWithPages();
    const { url } = await world.channel({ name: 'Shop' });
    const target = await receiver(answer);
    return { world, url, target };
  };

  test('is made with a URL that is checked, and its refusal is explained', async () => {
    const { world, url, target } = await channelAnd();
    const page = await signedIn(world, { path: '/dashboard/endpoints' });
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    const field = page.getByRole('textbox', { name: 'URL' });
    const make = page.getByRole('button', { name: 'Create endpoint' });
    for (const [given, refusal] of [
      ['javascript:alert(1)', /the scheme javascript: is not supported/i],
      ['http://10.0.0.1/hooks', /may not go into the network that it runs in/],
      ['example', /Not an absolute URL/],
    ] as const) {
      await field.fill(given);
      await make.click();
      await page.getByText(refusal).waitFor();
      await axe(page);
    }
    await field.fill(target.url);
    await page.getByRole('textbox', { name: 'Name' }).fill('Orders');
    await make.click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await world.send(url, { kind: 'order.created' });
    await expect.poll(() => target.got.length).toBe(1);
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByText('HTTP 204').waitFor();
  });

  test('shows what a test was answered with: success, and failure with its cure', async () => {
    const { world, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}` });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('HTTP 204').waitFor();
    expect(target.got[0]?.event.type).toBe('endpoint.test');
    target.answer = 410;
    await page.getByRole('button', { name: 'Test again' }).click();
    await page.getByText('The receiver says that the path is gone for good.').waitFor();
    await page.getByText('Change the URL of the endpoint, or delete the endpoint.').waitFor();
    await axe(page);
  });

  test('is paused and resumed, and the events that skipped it are found and replayed', async () => {
    const { world, url, target } = await channelAnd();
    const { id } = await world.endpoint(target, { name: 'Orders' });
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}` });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/Retries that are scheduled already still run/).waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Pause endpoint' }).click();
    await page.getByText(/It was paused by hand/).waitFor();
    for (const number of [1, 2, 3]) await world.send(url, { number });
    const processed = `/projects/${world.project}/events?status=processed`;
    await expect.poll(async () => (await world.call('GET', processed)).json.items.length as number).toBe(3);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => page.getByText(/It was paused by hand/).count()).toBe(0);
    expect(target.got).toHaveLength(0);
    await page.getByRole('button', { name: 'Replay missed events' }).click();
    await page.getByText('3 events make 3 deliveries.').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Replay 3 events' }).click();
    await page.waitForURL('**/dashboard/replays');
    const line = page.getByRole('list', { name: 'Replays' }).getByRole('listitem').first();
    await line.getByText('missed by Orders').waitFor();
    await line.getByText('3 delivered').waitFor();
    await axe(page);
    expect(target.got).toHaveLength(3);
    await page.goBack();
    await page.getByRole('button', { name: 'Replay missed events' }).click();
    await page.getByText('No events match.').waitFor();
  });

  test('has a retry policy whose attempts are drawn, and which is saved', async () => {
    const { world, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=settings` });
    const line = page.getByRole('list', { name: 'Attempts of a delivery that fails' }).getByRole('listitem');
    await expect.poll(() => line.count()).toBe(6);
    await page.getByRole('spinbutton', { name: 'Attempts in all' }).fill('101');
    await page.getByText('Give a whole number from 1 to 100.').waitFor();
    await axe(page);
    await page.getByRole('spinbutton', { name: 'Attempts in all' }).fill('3');
    await page.getByRole('spinbutton', { name: 'Seconds before the first retry' }).fill('90');
    await expect.poll(() => line.allInnerTexts()).toHaveLength(4);
    expect(await line.nth(2).innerText()).toMatch(/\+ 4 min 30 s\s+Attempt 3, 3 min after attempt 2/);
    // A half-written form survives a reload.
    await page.reload();
    await expect.poll(() => page.getByRole('spinbutton', { name: 'Attempts in all' }).inputValue()).toBe('3');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Endpoint saved').first().waitFor();
    const saved = (await world.call('GET', `/projects/${world.project}/endpoints/${id}`)).json;
    expect(saved).toMatchObject({
      retry_max_attempts: 3,
      retry_backoff_base_seconds: 90,
      retry_delays: null,
    });
  });

  test('may list its delays, which replace the doubling ones', async () => {
    const { world, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=settings` });
    const delays = page.getByRole('textbox', { name: 'Seconds before each retry' });
    await delays.fill('5, soon');
    await page.getByText('Give up to 20 whole numbers of seconds').waitFor();
    await delays.fill('5, 300');
    const line = page.getByRole('list', { name: 'Attempts of a delivery that fails' }).getByRole('listitem');
    await expect.poll(() => line.allInnerTexts()).toHaveLength(4);
    expect(await line.nth(2).innerText()).toMatch(/\+ 5 min 5 s\s+Attempt 3, 5 min after attempt 2/);
    expect(await page.getByRole('spinbutton', { name: 'Attempts in all' }).isDisabled()).toBe(true);
    await axe(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Endpoint saved').first().waitFor();
    const saved = (await world.call('GET', `/projects/${world.project}/endpoints/${id}`)).json;
    expect(saved).toMatchObject({ retry_delays: [5, 300], retry_max_attempts: 5 });
  });

  test('has a signature, and shows how to verify it', async () => {
    const { world, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=verify&framework=python` });
    await page.getByText('signed in the header Svc-Signature').waitFor();
    expect(await page.getByText('headers.get("Svc-Signature")').count()).toBe(1);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('combobox', { name: 'Sign deliveries with' }).selectOption('Standard Webhooks');
    await axe(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Endpoint saved').first().waitFor();
    const saved = (await world.call('GET', `/projects/${world.project}/endpoints/${id}`)).json;
    expect(saved).toMatchObject({ signature: 'standard_webhooks' });
    await page.getByRole('tab', { name: 'Verify signatures' }).click();
    await page.getByText('as Standard Webhooks 1.0 says').waitFor();
    await page.getByRole('combobox', { name: 'Framework' }).selectOption('Python');
    expect(await page.getByText('headers.get("webhook-signature", "")').count()).toBe(1);
    await axe(page);
  });

  test('has secrets of its own, which are made, shown and used', async () => {
    const { world, url, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=settings` });
    await page.getByRole('button', { name: 'Show secrets' }).click();
    await page.getByText('There are none yet.').waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    const list = page.getByRole('list', { name: 'Signing secrets' });
    await list.getByText(/^whsec_/).waitFor();
    const secret = await list.getByText(/^whsec_/).innerText();
    await page.getByRole('combobox', { name: 'Use the secrets of' }).selectOption('This endpoint');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Endpoint saved').first().waitFor();
    await axe(page);
    await world.send(url, {});
    await expect.poll(() => target.got.length).toBe(1);
    target.got[0]!.verify(secret);
    await page.getByRole('tab', { name: 'Verify signatures' }).click();
    await page.getByText('This endpoint has secrets of its own.').waitFor();
  });

  test('has headers, whose values no page and no storage of the browser keeps', async () => {
    const { world, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=settings` });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half-written');
    await page.getByRole('button', { name: 'Add header' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Content-Length');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('of-the-customer');
    await dialog.getByRole('button', { name: 'Save header' }).click();
    await dialog.getByText('HTTP itself sets this header').waitFor();
    await axe(page);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('X-Team');
    await dialog.getByRole('button', { name: 'Save header' }).click();
    await page.getByText('Header saved').first().waitFor();
    const list = page.getByRole('list', { name: 'Headers' });
    await list.getByText('X-Team').waitFor();
    const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect((await page.content()) + (await stored())).not.toContain('of-the-customer');
    // The half-written form of the other settings is saved all the same.
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Endpoint saved').first().waitFor();
    await axe(page);
    await list.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove header' }).click();
    await page.getByText('Header removed').first().waitFor();
    const saved = (await world.call('GET', `/projects/${world.project}/endpoints/${id}`)).json;
    expect(saved).toMatchObject({ name: 'Half-written', headers: {} });
  });

  test('that another has changed meanwhile is not overwritten', async () => {
    const { world, target } = await channelAnd();
    const { id } = await world.endpoint(target, { name: 'Orders' });
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=settings` });
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await world.call('PATCH', `/projects/${world.project}/endpoints/${id}`, { name: 'Theirs' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(/Somebody else has changed this endpoint/).waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Show theirs' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Theirs');
  });

  test('shows the attempts of a delivery with their cause, and tries it again', async () => {
    const { world, url, target } = await channelAnd(503);
    const { id } = await world.endpoint(target, { retry_max_attempts: 1 });
    await world.send(url, { kind: 'order.created' });
    await expect.poll(() => target.got.length).toBe(1);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}` });
    await page.getByRole('link', { name: 'Error status' }).click();
    await page.getByRole('button', { name: /^Details of the delivery/ }).click();
    await page.getByText('The receiver is overloaded, or down for maintenance (503).').waitFor();
    await axe(page);
    target.answer = 204;
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('list', { name: 'Attempts', exact: true }).getByText('HTTP 204').waitFor();
    expect(target.got).toHaveLength(2);
  });

  test('shows its deliveries page by page, to the first one', async () => {
    const { world, url, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    for (let i = 0; i < 60; i++) await world.send(url, { number: i });
    await expect.poll(() => target.got.length).toBe(60);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=deliveries` });
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(60);
    await page.getByText('These are all of them.').waitFor();
  });

  test('is deleted', async () => {
    const { world, target } = await channelAnd();
    const { id } = await world.endpoint(target);
    const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=settings` });
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await axe(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByText('No endpoints yet').waitFor();
  });
});

describe('what cannot be loaded, or may not be changed', () => {
  test('a list that fails says so, and comes once it is tried again', async () => {
    const world = await furnishedWorld(2);
    const page = await signedIn(world, { path: '/dashboard/channels', expects: [503] });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const problem = { title: 'Overloaded', status: 503, code: 'overloaded', detail: 'it has too much to do' };
    await page.route('**/endpoint-health*', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await page.getByRole('link', { name: 'Endpoints', exact: true }).first().click();
    await page.getByText('It has too much to do.').waitFor();
    await axe(page);
    await page.unroute('**/endpoint-health*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Orders service' }).waitFor();
  });

  test('who may only read sees how things are, and no button that changes them', async () => {
    const world = await furnishedWorld(2);
    const body = { name: 'Reader', scopes: ['read'] };
    const made = await world.call('POST', `/projects/${world.project}/keys`, body);
    const reader = { ...world, key: made.json.key as string };
    const id = await idOf(world, 'Warehouse');
    const page = await signedIn(reader, { path: '/dashboard/endpoints' });
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    for (const path of [
      `/dashboard/endpoints/${id}`,
      `/dashboard/endpoints/${id}?tab=settings`,
      '/dashboard/channels',
    ]) {
      await page.goto(world.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
      const names = /New |Pause|Send a test|Save|Delete|Rotate|Show secrets|Renew/;
      expect(await page.getByRole('button', { name: names }).count()).toBe(0);
      await axe(page);
    }
    await page.getByText('Not shown to you').first().waitFor();
    await page.getByRole('link', { name: 'Shop' }).click();
    await page.getByText(/shown only to people who may manage/).waitFor();
    await axe(page);
  });
});

describe('a built-in receiver', () => {
  test('shows real deliveries live, says why one is not verified, and answers as it is told', async () => {
    const world = await worldWithPages();
    const { url } = await world.channel({ name: INJECTION });
    const page = await signedIn(world, { path: '/dashboard/endpoints' });
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    await page.getByRole('button', { name: 'Use a built-in receiver' }).click();
    await page.getByText('Nothing has arrived yet').waitFor();
    await world.send(url, { html: INJECTION, 'key <b>': '\u0000\u202E"><script>alert(1)</script>' });
    const requests = page.getByRole('list', { name: 'Requests' });
    await requests.getByText('Verified', { exact: true }).waitFor();
    await axe(page);
    // A forged one, with a body that is not JSON.
    const receivers = (await world.call('GET', `/projects/${world.project}/receivers`)).json;
    const forged = INJECTION.replace('\u202E', '');
    await world.send((receivers.items as { url: string }[])[0]?.url ?? '', forged, {
      'x-injected': '"><script>x</script>',
    });
    await requests.getByText('Not verified').waitFor();
    await requests.getByRole('button').first().click();
    await page.getByText(/It has no signature/).waitFor();
    await axe(page);
    expect(await page.title()).not.toBe('x');
    await page.getByRole('combobox', { name: 'Status' }).fill('500');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It answers 500 from now on').first().waitFor();
    await world.send(url, { kind: 'again' });
    await page.getByText(/answered 500/).waitFor();
  });
});
