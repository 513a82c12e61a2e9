/** A first visit asks for each thing once: every page is opened, and no GET may be sent twice. */
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { type Furnished, furnishedWorld } from './furnished.js';

/** The pages of the navigation, and one of each thing that has a page. */
async function pathsOf(world: Furnished): Promise<readonly string[]> {
  const list = async (what: string): Promise<string> =>
    (await world.call('GET', `/projects/${world.project}/${what}`)).json.items[0].id as string;
  const receiver = await world.call('POST', `/projects/${world.project}/receivers`, { name: 'Mine' });
  const names = [
    'events',
    'rules',
    'endpoints',
    'channels',
    'clients',
    'dead-letters',
    'alerts',
    'project',
    'audit',
  ];
  const [event, rule, endpoint, channel] = await Promise.all(
    ['events', 'rules', 'endpoints', 'channels'].map(list),
  );
  return [
    '',
    ...names.map((name) => `/${name}`),
    ...['?status=dropped', '?tag=large&since=24h'].map((search) => `/events${search}`),
    `/events/${event}`,
    '/rules/new',
    `/rules/${rule}`,
    `/endpoints/${endpoint}`,
    `/endpoints/${endpoint}?tab=deliveries`,
    `/endpoints/${endpoint}?tab=settings`,
    `/channels/${channel}`,
    `/receivers/${receiver.json.id}`,
  ].map((path) => `/dashboard${path}`);
}

/** Requests of a first visit. What pages ask for again and again, they ask for by intervals, which do not run here. */
async function firstRequests(world: Furnished, page: Page, path: string): Promise<readonly string[]> {
  const asked: string[] = [];
  const record = (request: Request): void => {
    if (request.isNavigationRequest()) asked.length = 0;
    const { pathname, search } = new URL(request.url());
    const isOfPage = pathname.startsWith('/dashboard') || pathname.endsWith('/tail');
    if (request.method() === 'GET' && !isOfPage) asked.push(pathname + search);
  };
  page.on('request', record);
  await page.goto(world.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
  // With the second sign of life, whatever the first one has led to has been asked for.
  await page.evaluate(
    (project) =>
      new Promise<void>((resolve) => {
        let beats = 0;
        new BroadcastChannel(`headgate tail ${project}`).onmessage = ({
          data,
        }: MessageEvent<{ kind: string }>) => {
          if (data.kind === 'beat' && ++beats === 2) resolve();
        };
      }),
    world.project,
  );
  page.off('request', record);
  return asked;
}

/** Pages that are open at once: each waits for signs of life most of the time. */
const AT_ONCE = 6;

test('no page asks for anything twice on a first visit', async () => {
  const world = await furnishedWorld(12);
  const paths = [...(await pathsOf(world))];
  const twice: Record<string, readonly string[]> = {};
  const visit = async (path: string): Promise<void> => {
    const page = await signedIn(world, { path: '/dashboard/nowhere' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));
    const asked = await firstRequests(world, page, path);
    expect(asked.length, path).toBeGreaterThan(1);
    const again = asked.filter((url, index) => asked.indexOf(url) !== index);
    if (again.length > 0) twice[path] = again.map((url) => url.replace(world.project, '…'));
    await page.close();
  };
  const visitor = async (): Promise<void> => {
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) await visit(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  expect(twice).toEqual({});
});
