/** An attempt that is opened on the page of its event: what was sent, what came back, and why something is missing. */
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { type PagesWorld, worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';
import { tabTo } from './steps.js';

/** A request as it arrived. */
interface Arrived {
  readonly message: IncomingMessage;
  readonly body: string;
}

/** A receiver that answers as it is told; without an answer, it never does. */
async function opened(answer?: (response: ServerResponse) => void) {
  const got: Arrived[] = [];
  const server = createServer((message, response) => {
    void buffer(message).then((body) => {
      got.push({ message, body: body.toString() });
      answer?.(response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?tenant=a%20b` };
}

/** Sends an event, and opens its page once the attempts to all endpoints have ended. */
async function pageOfEvent(world: PagesWorld, body: unknown, attempts: number): Promise<Page> {
  const { url } = await world.channel();
  const { id } = (await world.send(url, body)).json as { readonly id: string };
  const list = `/projects/${world.project}/events/${id}/attempts`;
  await expect.poll(async () => (await world.call('GET', list)).json.items.length).toBe(attempts);
  return signedIn(world, { path: `/dashboard/events/${id}` });
}

const attemptsTo = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: `Attempts to ${name}` });

async function opensDetails(page: Page, name: string): Promise<Locator> {
  const list = attemptsTo(page, name);
  await list.getByRole('button', { name: 'Details of attempt 1' }).click();
  return list;
}

/** The names and the values of a list of headers, as they are shown. */
const headersOf = (list: Locator, name: string): Promise<string[]> =>
  list.getByRole('group', { name }).locator('dl > div').allInnerTexts();

const shown = (name: string, value: string): string => `${name}\n${value}`;

test('shows the request that arrived and its response, in one request, and copies it for curl', async () => {
  const world = await worldWithPages();
  const { got, url } = await opened((response) =>
    response
      .writeHead(201, { 'X-Answer': ['one', 'two'], 'Content-Type': 'application/json' })
      .end('{"ok":true}'),
  );
  await world.endpoint({ url }, { name: 'Shop', headers: { 'X-Token': 'a secret' } });
  const page = await pageOfEvent(world, `{"it's": "é ☃", "n": 12345678901234567890}`, 1);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const toggle = attemptsTo(page, 'Shop').getByRole('button', { name: 'Details of attempt 1' });
  await tabTo(page, toggle);
  expect(asked.filter((one) => one.includes('/attempts/1'))).toEqual([]);
  await page.keyboard.press('Enter');
  const list = attemptsTo(page, 'Shop');
  await list.getByRole('group', { name: 'Response', exact: true }).waitFor();
  expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  expect(asked.filter((one) => one.includes('/attempts/1'))).toHaveLength(1);
  const [{ message, body }] = got as [Arrived];
  const sent = message.rawHeaders.flatMap((name, i, all) =>
    i % 2 === 0 ? [shown(name, name === 'X-Token' ? '••••••••' : (all[i + 1] ?? ''))] : [],
  );
  expect(await headersOf(list, 'Request headers')).toEqual(sent);
  await list.getByText(url).waitFor();
  await list.getByRole('button', { name: 'Raw request body' }).click();
  expect(await list.getByRole('group', { name: 'request body', exact: true }).innerText()).toBe(body);
  await list.getByText('HTTP 201').last().waitFor();
  const answered = await headersOf(list, 'Response headers');
  expect(answered).toEqual(expect.arrayContaining([shown('X-Answer', 'one'), shown('X-Answer', 'two')]));
  await list.getByRole('group', { name: 'response body' }).getByText('true').waitFor();
  const steps = await list.getByRole('list', { name: 'Timings' }).getByRole('listitem').allInnerTexts();
  expect(steps.map((step) => step.split('\n')[0])).toEqual(
    expect.arrayContaining(['Connect', 'First byte', 'Total']),
  );

  await assertLooks(page, 'exchange', { fullPage: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await list.getByRole('button', { name: 'Copy as curl' }).click();
  await list.getByRole('button', { name: 'Copied' }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  await list.getByText('Fill in the hidden value of X-Token before you run it.', { exact: false }).waitFor();
  expect(command).toContain(`-H 'X-Token: <value of X-Token>'`);
  expect(command).toContain(`Svc-Signature: ${String(message.headers['svc-signature'])}`);
  // A shell that knows no curl, but a function of that name, says what curl is given.
  const stub = `curl() { printf '%s\\n' "$@"; }\n${command}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', stub]);
  expect(stdout).toContain(`--data-raw\n${body}\n`);
});

const HOSTILE = `<img src=x onerror="document.title='hit'"><script>document.title='hit'</script>\u202Egnp.exe\u2066\0\u001B[31m `;

test('shows a hostile response as text, cut and wrapped, in every look', async () => {
  const world = await worldWithPages();
  const { url } = await opened((response) =>
    response
      .writeHead(500, {
        'X-Page': '<b>bold</b>',
        [`X-${'l'.repeat(300)}`]: 'v'.repeat(600),
        'Content-Type': 'text/html',
      })
      .end(HOSTILE + 'A'.repeat(40_000)),
  );
  await world.endpoint({ url }, { name: 'Hostile', retry_max_attempts: 1 });
  const page = await pageOfEvent(world, { kind: 'order.paid', amount: 980, lines: [{ sku: 'A-1' }] }, 1);
  const list = await opensDetails(page, 'Hostile');
  const body = list.getByRole('group', { name: 'response body', exact: true });
  expect(await body.innerText()).toContain(
    `<img src=x onerror="document.title='hit'"><script>document.title='hit'</script>\\u202Egnp.exe\\u2066\\u0000\\u001B[31m `,
  );
  await list.getByText('The body was longer: only its first 16 KiB are kept.').waitFor();
  await list.getByText('<b>bold</b>').waitFor();
  expect(await page.title()).not.toContain('hit');
  expect(await list.locator('img, script').count()).toBe(0);
  await assertLooks(page, 'exchange-hostile', { fullPage: true });
  // Nothing of it is wider than its box: long lines wrap.
  await page.setViewportSize({ width: 360, height: 740 });
  const over = await list.evaluate((element) =>
    [...element.querySelectorAll('pre, dl, dd, dt')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.className),
  );
  expect(over).toEqual([]);
});

test('says why there is no response, no text and no exchange', async () => {
  const world = await worldWithPages();
  const slow = await opened();
  const quiet = await opened((response) => response.end('fine'));
  const binary = await opened((response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0x27])));
  const once = { retry_max_attempts: 1 };
  await world.endpoint(slow, { name: 'Slow', ...once });
  await world.endpoint(quiet, { name: 'Private', ...once, exchange: false });
  await world.endpoint(binary, { name: 'Binary', ...once });
  const page = await pageOfEvent(world, { kind: 'order.paid' }, 3);
  const unkept = await opensDetails(page, 'Private');
  await unkept.getByText('The request and the response were not kept.', { exact: false }).waitFor();
  expect(await unkept.getByRole('button', { name: 'Copy as curl' }).count()).toBe(0);
  const bytes = await opensDetails(page, 'Binary');
  await bytes.getByText('The body is not text. It is shown as base64.').waitFor();
  await bytes.getByText('//4AJw==').waitFor();
  const late = await opensDetails(page, 'Slow');
  await late.getByText('The receiver did not answer in time.').waitFor();
  await late.getByText('Waiting', { exact: true }).waitFor();
  await late.getByRole('button', { name: 'Copy as curl' }).waitFor();
  await axe(page);
});

test('an endpoint is set to keep requests and responses, or not to', async () => {
  const world = await worldWithPages();
  const { url } = await opened((response) => response.end());
  const { id } = await world.endpoint({ url }, { name: 'Shop' });
  const page = await signedIn(world, { path: `/dashboard/endpoints/${id}?tab=settings` });
  const box = page.getByRole('checkbox', { name: 'Keep requests and responses' });
  expect(await box.isChecked()).toBe(true);
  await box.uncheck();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Endpoint saved').first().waitFor();
  const saved = await world.call('GET', `/projects/${world.project}/endpoints/${id}`);
  expect(saved.json.exchange).toBe(false);
});
