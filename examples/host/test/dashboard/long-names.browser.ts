/** Names as long as they may be and without a space: no page is wider than the window, and nothing leaves it. */
import { createClient } from 'headgate/client';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type HostWorld, receiver } from '../world.js';
import { signedIn } from './browser.js';
import { worldWithPages } from './furnished.js';
import { settled } from './looks.js';

/** @param start - Tells the names apart. */
const long = (start: string, length = 200): string => start + 'W'.repeat(length - start.length);

/** A project in which everything that can have a name has a long one; gives the paths of its pages. */
async function longWorld(): Promise<{ readonly world: HostWorld; readonly paths: readonly string[] }> {
  const world = await worldWithPages();
  const home = `/projects/${world.project}`;
  const made = async (path: string, body: object, method = 'POST'): Promise<{ readonly id: string }> => {
    const answer = await world.call(method, home + path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json as { readonly id: string };
  };
  await made('', { name: long('project', 100) }, 'PATCH');
  const channel = await world.channel({ name: long('channel') });
  const [bad, good] = [await receiver(400), await receiver()];
  const url = `${bad.url}/${long('path')}`;
  const endpoint = await world.endpoint({ ...bad, url }, { name: long('endpoint'), retry_max_attempts: 1 });
  const other = await world.endpoint(good, { name: long('other') });
  const kept = await made('/receivers', { name: long('receiver') });
  await made('/keys', { name: long('key', 100), scopes: ['read'] });
  const match = { path: `data.body.${long('member')}`, op: 'eq', value: long('value') };
  const rules = [
    { type: 'tag', tags: [long('tag', 100)] },
    { type: 'route_only', endpoint_ids: [endpoint.id, other.id] },
    { type: 'transform', ops: [{ op: 'set', path: `data.body.${long('made')}`, value: long('set') }] },
  ];
  const ids: string[] = [];
  for (const [index, action] of rules.entries()) {
    const rule = {
      name: long(`rule-${index}`),
      description: long('text'),
      stage: 'deliver',
      priority: index,
    };
    ids.push((await made('/rules', { ...rule, match, action })).id);
  }
  await connectClient(world);
  const sent = await world.send(
    channel.url,
    { [long('member')]: long('value') },
    { 'x-long': long('header') },
  );
  await expect.poll(async () => (await world.call('GET', `${home}/dead-letters/count`)).json.count).toBe(1);
  const paths = ['start', 'events', 'rules', 'rules/new', 'endpoints', 'dead-letters', 'channels', 'clients'];
  const tabs = ['', '?tab=deliveries', '?tab=verify', '?tab=settings'];
  return {
    world,
    paths: [
      ...[...paths, 'project', 'audit', `events/${sent.json.id}`, `receivers/${kept.id}`],
      ...ids.map((id) => `rules/${id}`),
      ...tabs.map((tab) => `endpoints/${endpoint.id}${tab}`),
      `channels/${channel.id}`,
    ],
  };
}

/** A name of an SDK client is at most a hundred characters. */
async function connectClient({ url, project, key }: HostWorld): Promise<void> {
  const client = createClient({ url, project, key, name: long('client', 100) });
  onTestFinished(() => client.close());
  client.on('event', () => undefined);
  await expect.poll(() => client.state).toBe('open');
}

/** Elements that stick out of the window, but for the contents of frames that scroll or cut. */
const outside = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isFramed = (element: Element): boolean => {
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== 'visible' && at !== document.body) return at.id !== 'main';
      }
      return false;
    };
    return [...document.body.querySelectorAll('*')]
      .filter(
        (one) => one.checkVisibility() && one.getBoundingClientRect().right > width + 1 && !isFramed(one),
      )
      .map((one) => `${one.tagName} ${one.getAttribute('class') ?? ''} ${one.textContent.slice(0, 20)}`)
      .slice(0, 3);
  });

test('names of 200 characters without a space make no page wider than the window', async () => {
  const { world, paths } = await longWorld();
  const page = await signedIn(world);
  const found: Record<string, readonly string[]> = {};
  for (const path of paths) {
    await page.goto(`${world.url}/dashboard/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
    for (const width of [360, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      const needed = await page.evaluate(() => document.documentElement.scrollWidth);
      const sticking = await outside(page);
      if (needed > width || sticking.length > 0) found[`${path}, ${width}`] = [`${needed}`, ...sticking];
    }
  }
  expect(found).toEqual({});
});
