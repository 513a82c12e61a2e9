/**
 * Hostile texts of strangers and colleagues in every field that a page shows: each is shown as text, and none of it is
 * executed.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from 'headgate/client';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HostWorld } from '../world.js';
import { signedIn, signedOut } from './browser.js';
import { worldWithPages } from './furnished.js';

/**
 * Runs `hit` where anything takes it for markup; the name of the field says where. No quote that JSON escapes is in it.
 */
const markup = (field: string): string => `<img src=x onerror=hit('${field}')>`;
/** Ends an attribute, a script, a comment; turns the text around; and is at most a hundred characters. */
const hostile = (field: string): string => `${markup(field)}"><script>hit()</script>\u202E`;

const IN_PAYLOADS = {
  script: '</script><script>hit()</script><!--',
  attribute: `' onmouseover='hit()' x='`,
  link: 'javascript:hit()',
  data: 'data:text/html,<script>hit()</script>',
  template: `{{constructor.constructor('hit()')()}}\${hit()}`,
  svg: '<svg/onload=hit()>',
  controls: 'a\u0000b\u0007\u001B[31m\u202Egnp.exe\u2066\u200B\uFEFF',
};

interface HostileWorld extends HostWorld {
  readonly ids: Readonly<
    Record<'event' | 'html' | 'channel' | 'endpoint' | 'rule' | 'transform' | 'receiver', string>
  >;
}

/** Answers with an error that is a page, with scripts in its headers, too. */
async function hostileReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const headers = { 'content-type': 'text/html', 'x-powered-by': markup('answer header') };
    response.writeHead(500, '<script>hit()</script>', headers).end(hostile('answer'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/** A project in which every name, every text and every payload is hostile. */
async function hostileWorld(): Promise<HostileWorld> {
  const world = await worldWithPages();
  const { db } = world;
  const home = `/projects/${world.project}`;
  const made = async (path: string, body: object, status = 201) => {
    const answer = await world.call('POST', home + path, body);
    expect(answer.status, answer.text).toBe(status);
    return answer.json as { readonly id: string; readonly url: string };
  };
  expect((await world.call('PATCH', home, { name: hostile('project') })).status).toBe(200);
  const channel = await made('/channels', { name: hostile('channel') });
  const url = `${await hostileReceiver()}?next=${encodeURIComponent(hostile('url'))}`;
  const endpoint = await made('/endpoints', { url, name: hostile('endpoint'), retry_max_attempts: 1 });
  const receiver = await made('/receivers', { name: hostile('receiver') });
  await made('/keys', { name: hostile('key'), scopes: ['ingest'] });
  const match = { path: 'data.body.script', op: 'exists' };
  const rule = await made('/rules', {
    ...{ name: hostile('rule'), description: hostile('description'), stage: 'deliver', priority: 10 },
    ...{ match, action: { type: 'tag', tags: [hostile('tag')] } },
  });
  const transform = await made('/rules', {
    ...{ name: hostile('transform'), stage: 'deliver', priority: 20 },
    match: { any: [match, { path: 'data.body.note', op: 'contains', value: hostile('match') }] },
    action: { type: 'transform', ops: [{ op: 'set', path: 'data.body.made', value: hostile('set') }] },
  });

  const client = createClient({
    ...{ url: world.url, project: world.project, key: world.key },
    // Names of clients hold no markup: the service refuses it.
    name: 'hostile',
  });
  onTestFinished(() => client.close());
  const replied = new Promise<void>((resolve) => {
    client.on('event', async ({ event }) => {
      await client.reply(event.id, { answer: hostile('reply'), ...IN_PAYLOADS });
      resolve();
    });
  });
  await expect.poll(() => client.state).toBe('open');
  const body = { ...IN_PAYLOADS, text: hostile('body'), [hostile('member')]: 1 };
  const sent = await world.send(channel.url, body, {
    'user-agent': markup('agent'),
    'x-hostile': markup('header'),
  });
  const html = await world.send(channel.url, `<h1>${hostile('html')}</h1>`, { 'content-type': 'text/html' });
  await world.send(receiver.url, `<h1>${hostile('received')}</h1>`, {
    ...{ 'content-type': 'text/html', 'x-hostile': markup('received header') },
  });
  await replied;
  await expect.poll(async () => (await world.call('GET', `${home}/dead-letters/count`)).json.count).toBe(2);
  const event = sent.json.id as string;
  // No way in gives an event a type of the sender's yet.
  await db.run('update events set type = $2 where id = $1', [event, hostile('type')]);
  await db.run('update {deliveries} set event_type = $2 where event_id = $1', [event, hostile('type')]);
  await made('/dead-letters/redeliver', { filter: { type: hostile('type') } }, 202);
  await expect
    .poll(async () => (await world.call('GET', `${home}/redeliveries`)).json.items[0].state)
    .toBe('done');
  const ids = {
    ...{ event, html: html.json.id as string, channel: channel.id, endpoint: endpoint.id },
    ...{ rule: rule.id, transform: transform.id, receiver: receiver.id },
  };
  return { ...world, ids };
}

/** Everything that a page says, the values of its fields among it. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')];
    return [document.body.textContent, ...fields.map(({ value }) => value)].join('\n');
  });

/** Elements that no page has unless it took a text for markup, in shadow roots, too. */
const injected = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const BAD =
      'img[src="x"], svg[onload], [onerror], [onmouseover], script:not([src]), [href^="javascript:" i], [href^="data:" i]';
    const found: string[] = [];
    const roots: (Document | ShadowRoot)[] = [document];
    for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
      found.push(...[...root.querySelectorAll(BAD)].map((element) => element.outerHTML.slice(0, 200)));
      for (const { shadowRoot } of root.querySelectorAll('*')) {
        if (shadowRoot !== null) roots.push(shadowRoot);
      }
    }
    return found;
  });

/**
 * Texts and shown attributes with a character that is invisible, or reverses the text beside it; in shadow roots, too.
 */
const invisible = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const BAD = /(?![\t\n\r])[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;
    const SHOWN = ['title', 'alt', 'placeholder', 'aria-label', 'aria-valuetext'];
    const found = [document.title].filter((text) => BAD.test(text));
    const roots: (Document | ShadowRoot)[] = [document];
    for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        // An editor holds its placeholders apart with such a space.
        const text = (node.nodeValue ?? '').replace(/^\u200B$/, '');
        if (BAD.test(text)) found.push(`${node.parentElement?.outerHTML.slice(0, 200)}`);
      }
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) roots.push(element.shadowRoot);
        for (const name of SHOWN) {
          const text = element.getAttribute(name) ?? '';
          if (BAD.test(text)) found.push(`${name}: ${text}`);
        }
      }
    }
    return found;
  });

/** Opens whatever can be opened. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
}

/** A page shows each of the fields as it was written, and has nothing that was made of it. */
async function showsAsText(page: Page, fields: readonly string[]): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
  await unfold(page);
  const seen = new Set<string>();
  const missing = async (): Promise<readonly string[]> => {
    const tabs = await page.getByRole('tab').count();
    for (let tab = 0; tab <= tabs; tab++) {
      const text = await textOf(page);
      for (const field of fields) {
        if (text.includes(markup(field))) seen.add(field);
      }
      expect(await injected(page), page.url()).toEqual([]);
      expect(await invisible(page), page.url()).toEqual([]);
      await page.evaluate((at) => document.querySelectorAll<HTMLElement>('[role=tab]')[at]?.click(), tab);
    }
    return fields.filter((field) => !seen.has(field));
  };
  await expect.poll(missing, { message: `fields on ${page.url()}` }).toEqual([]);
  expect(await injected(page), page.url()).toEqual([]);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
}

describe('hostile texts', () => {
  test('are text on every page that shows them', async () => {
    const world = await hostileWorld();
    const { ids } = world;
    const pages: readonly (readonly [path: string, fields: readonly string[]])[] = [
      ['/dashboard/events', ['type', 'channel', 'rule', 'transform', 'tag']],
      [`/dashboard/events/${ids.event}`, ['type', 'channel', 'rule', 'body', 'member', 'tag', 'endpoint']],
      [`/dashboard/events/${ids.html}`, ['html', 'channel']],
      ['/dashboard/rules', ['rule', 'transform']],
      [`/dashboard/rules/${ids.rule}`, ['rule', 'description']],
      [`/dashboard/rules/${ids.transform}`, ['transform']],
      ['/dashboard/endpoints', ['endpoint']],
      [`/dashboard/endpoints/${ids.endpoint}`, ['endpoint']],
      [`/dashboard/receivers/${ids.receiver}`, ['receiver']],
      ['/dashboard/dead-letters', ['type', 'endpoint']],
      ['/dashboard/channels', ['channel']],
      [`/dashboard/channels/${ids.channel}`, ['channel']],
      ['/dashboard/clients', []],
      ['/dashboard/project', ['project', 'key']],
      [
        '/dashboard/audit',
        ['project', 'key', 'channel', 'endpoint', 'rule', 'description', 'transform', 'tag', 'set'],
      ],
    ];
    for (const [path, fields] of pages) {
      const page = await signedIn(world, { path });
      await showsAsText(page, fields);
      await page.close();
    }
  });

  test('stay text in what is opened: replies, headers, the answer of a receiver, kept requests', async () => {
    const world = await hostileWorld();
    const event = await signedIn(world, { path: `/dashboard/events/${world.ids.event}` });
    await showsAsText(event, ['header', 'agent', 'reply']);
    const endpoint = await signedIn(world, { path: `/dashboard/endpoints/${world.ids.endpoint}` });
    await endpoint.getByRole('button', { name: 'Send a test' }).click();
    await endpoint.getByRole('button', { name: 'Send test' }).click();
    await expect.poll(() => textOf(endpoint)).toContain('HTTP 500');
    await showsAsText(endpoint, ['endpoint']);
  });

  test.for(['events', 'dead-letters', 'audit'])('are text in the address of %s', async (name) => {
    const world = await worldWithPages();
    const query = new URLSearchParams({
      ...{ type: hostile('condition'), tag: hostile('condition'), resource: hostile('condition') },
      ...{
        status: hostile('status'),
        since: '__proto__',
        failure: 'constructor',
        status_from: hostile('least'),
      },
    });
    const page = await signedIn(world, { path: `/dashboard/${name}?${query.toString()}` });
    await showsAsText(page, ['condition']);
  });

  test.for(['javascript:hit()', 'data:text/html,<script>hit()</script>', '//example.com', '/\\example.com'])(
    'are not followed after signing in: %s',
    async (to) => {
      const world = await worldWithPages();
      const path = `/sign-in?${new URLSearchParams({ to }).toString()}`;
      const page = await signedOut(world, { path });
      await page.getByLabel('Key').fill(world.key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${world.url}/dashboard/**`);
      expect(await page.evaluate(() => 'hit' in window)).toBe(false);
    },
  );

  test('are refused as the URL of an endpoint', async () => {
    const world = await worldWithPages();
    const refused = await world.call('POST', `/projects/${world.project}/endpoints`, {
      url: IN_PAYLOADS.link,
    });
    expect(refused.status).toBe(422);
  });
});
