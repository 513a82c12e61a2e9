/** The weight of the pages: how much script is loaded before the first of them shows something. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { furnishedWorld } from './furnished.js';

/** The size of a script, which the browser may have dropped by now. */
async function compressedSize(url: string): Promise<number> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return gzipSync(await response.arrayBuffer(), { level: 9 }).length;
}

test.for([
  ['the first page, from the first address', '/dashboard/', 46_080],
  ['the list of events', '/dashboard/events', 60_000],
] as const)('%s has a bounded weight of script, compressed', async ([, path, most]) => {
  const world = await furnishedWorld(4);
  const page = await signedIn(world, { path: '/dashboard/components' });
  // Nothing of the page before comes late.
  await page.goto('about:blank');
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url());
  });
  await page.goto(world.url + path);
  const shown = { '/dashboard/': page.getByRole('slider'), '/dashboard/events': page.getByRole('listitem') };
  await shown[path].first().waitFor();
  const sizes = await Promise.all([...scripts].map(compressedSize));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${path}: ${total} bytes of script in ${scripts.size} files`);
  expect(scripts.size).toBeGreaterThan(2);
  expect(total).toBeLessThanOrEqual(most);
});

test('the first events are asked for before the page that shows them is there', async () => {
  const world = await furnishedWorld(4);
  const page = await signedIn(world, { path: '/dashboard/components' });
  let show = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (show = resolve));
  await page.route('**/EventsPage-*.js', async (route) => {
    await isHeld;
    await route.continue();
  });
  let asked = 0;
  // Only the first request is answered, so it is this one that the list shows.
  await page.route('**/events?*', async (route) => {
    asked++;
    if (asked === 1) await route.continue();
  });
  await page.goto(`${world.url}/dashboard/events`, { waitUntil: 'commit' });
  await expect.poll(() => asked).toBe(1);
  show();
  await page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();
});

const ADDRESSES = [
  ...[
    '',
    'overview',
    'events',
    'events/$event',
    'replays',
    'rules',
    'rules/new',
    'endpoints',
    'endpoints/$endpoint',
  ],
  ...['dead-letters', 'alerts', 'channels', 'event-types', 'clients', 'project', 'audit'],
];

test.for(ADDRESSES)('the HTML of /dashboard/%s names all scripts of its page', async (address) => {
  const world = await furnishedWorld(4);
  const itemsOf = async (list: string) =>
    (await world.call('GET', `/projects/${world.project}/${list}`)).json.items as { id: string }[];
  const [event, endpoint] = await Promise.all(['events', 'endpoints'].map(itemsOf));
  const path = `/dashboard/${address.replace('$event', event![0]!.id).replace('$endpoint', endpoint![0]!.id)}`;
  const named = await (await fetch(world.url + path)).text();
  const page = await signedIn(world, { path: '/dashboard/components' });
  await page.goto('about:blank');
  const late = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (['script', 'stylesheet'].includes(request.resourceType()) && !named.includes(pathname)) {
      late.add(pathname);
    }
  });
  await page.goto(world.url + path);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  expect([...late]).toEqual([]);
});
