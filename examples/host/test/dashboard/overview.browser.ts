/** The overview in a real browser: the first page after signing in, its plots by every means, and where it leads. */
import { expect, test } from 'vitest';
import { axe, signedIn, signedOut } from './browser.js';
import { furnishedWorld } from './furnished.js';
import { receiver } from '../world.js';

const KINDS = ['order.created', 'ping', 'invoice.sent'] as const;

/** A project with 24 events, of which six are pings, and with an endpoint that has failed for good. */
async function overviewWorld() {
  const world = await furnishedWorld();
  const fails = await world.endpoint(await receiver(410), { name: '<b>Gone</b>', retry_max_attempts: 1 });
  for (const kind of KINDS) await world.event('Shop', { kind });
  const attention = async () => (await world.call('GET', `/projects/${world.project}/attention`)).json;
  await expect.poll(async () => (await attention()).failing_endpoints).toBe(2);
  await expect.poll(async () => (await attention()).dead_letters).toBeGreaterThan(0);
  const overview = async () => (await world.call('GET', `/projects/${world.project}/overview`)).json;
  await expect.poll(async () => (await overview()).rules.matched[0]?.matched).toBeGreaterThan(6);
  return { ...world, fails, overview };
}

test('is the first page of a project in use, and leads to all that it names', async () => {
  const world = await overviewWorld();
  const page = await signedOut(world);
  await page.getByLabel('Key').fill(world.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard/overview');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const numbers = page.getByRole('region', { name: 'In numbers' });
  await numbers.getByText('Pending', { exact: true }).waitFor();
  await axe(page);
  await numbers.getByRole('link', { name: '27', exact: true }).click();
  await page.waitForURL('**/dashboard/events?since=24h');

  await page.keyboard.press('g');
  await page.keyboard.press('o');
  const failing = page.getByRole('table', { name: 'Failing endpoints' });
  const gone = failing.getByRole('row').filter({ has: page.getByText('<b>Gone</b>', { exact: true }) });
  expect(await gone.getByRole('link').nth(1).getAttribute('href')).toMatch(/failure=\w+&tab=deliveries$/);
  await gone.getByRole('link').first().click();
  await page.waitForURL(`**/dashboard/endpoints/${world.fails.id}`);

  await page.goBack();
  const matched = page.getByRole('table', { name: 'Rules that matched most' }).getByRole('row');
  const [first] = (await world.overview()).rules.matched as { name: string; matched: number }[];
  await matched.filter({ hasText: first!.name }).getByRole('link').last().click();
  await page.waitForURL(/\/dashboard\/events\?rule=.*&since=24h$/);
  await expect
    .poll(() => page.getByRole('list', { name: 'Events' }).getByRole('listitem').count())
    .toBe(first!.matched);
});

test('its plots say exact values by mouse, by keyboard and to screen readers', async () => {
  const world = await overviewWorld();
  const page = await signedIn(world, { path: '/dashboard/overview' });
  const plot = page.getByRole('slider', { name: 'Deliveries' });
  await plot.focus();
  await page.keyboard.press('End');
  const last = async () => ((await world.overview()).series as Record<string, number>[]).at(-1)!;
  const { delivered, retried, failed } = await last();
  const text = `${delivered} delivered, ${retried} retried, ${failed} failed for good`;
  await expect.poll(() => plot.getAttribute('aria-valuetext')).toContain(text);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => plot.getAttribute('aria-valuetext')).toContain('0 delivered, 0 retried');
  await page.keyboard.press('Home');
  expect(await plot.getAttribute('aria-valuenow')).toBe('0');
  const box = (await page.getByRole('slider', { name: 'Events per minute' }).boundingBox())!;
  await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2);
  await page.getByText(/: 0\.\d+ processed, 0\.\d+ dropped$/).waitFor();
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last hour' });
  await page.waitForURL('**/dashboard/overview?since=1h');
  await expect
    .poll(() => page.getByRole('slider', { name: 'Deliveries' }).getAttribute('aria-valuemax'))
    .toBe('59');
});

test('the navigation counts what needs attention by one request, and the page follows the events', async () => {
  const world = await overviewWorld();
  const page = await signedIn(world, { path: '/dashboard/components' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${world.url}/dashboard/overview?since=1h`);
  const nav = page.getByRole('navigation', { name: 'Main', exact: true });
  await nav.getByRole('link', { name: 'Endpoints 2 failing' }).waitFor();
  await nav.getByRole('link', { name: /^Dead letters \d+ to look at$/ }).waitFor();
  // The page may ask again meanwhile, for the same.
  expect(new Set(asked.filter((path) => /attention|alerts|dead-letters/.test(path))).size).toBe(1);
  const numbers = page.getByRole('region', { name: 'In numbers' });
  await numbers.getByRole('link', { name: '27', exact: true }).waitFor();
  await world.event('Shop', { kind: 'ping' });
  await numbers.getByRole('link', { name: '28', exact: true }).waitFor();
});
