/** Walks the pages that the documents show; with `WRITE=1`, takes the pictures again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { furnishedWorld, worldWithPages } from './furnished.js';
import { settled } from './looks.js';

const DOCS = join(import.meta.dirname, '../../../../docs');
const [WIDTH, HEIGHT, SCALE] = [1_280, 800, 1.5];
/** A picture that weighs more keeps readers waiting. */
const MAX_BYTES = 120_000;

/** Width and height in the header of a WebP file of a browser. */
const sizeOf = (file: Buffer): readonly number[] => {
  const kind = file.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [24, 27].map((at) => file.readUIntLE(at, 3) + 1);
  expect(kind).toBe('VP8 ');
  return [26, 28].map((at) => file.readUInt16LE(at) & 0x3fff);
};

/** Compares the size of a picture with that of the page, so that no other picture takes its name. */
async function picture(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
  const session = await page.context().newCDPSession(page);
  const metrics = { width: WIDTH, height: HEIGHT, deviceScaleFactor: SCALE, mobile: false };
  await session.send('Emulation.setDeviceMetricsOverride', metrics);
  await settled(page);
  const path = join(DOCS, `${name}.webp`);
  if (env.WRITE === '1') {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    writeFileSync(path, Buffer.from(data, 'base64'));
  }
  const file = readFileSync(path);
  expect(sizeOf(file), name).toEqual([WIDTH * SCALE, HEIGHT * SCALE]);
  expect(file.byteLength, name).toBeLessThan(MAX_BYTES);
  expect(readFileSync(join(DOCS, 'dashboard.md'), 'utf8')).toContain(`(${name}.webp)`);
}

test('events, one of them, what was sent, a rule and the overview are shown in the documents', async () => {
  const world = await furnishedWorld(40, undefined, { topic_path: 'data.body.kind' });
  const order = { kind: 'order.paid', amount: 980, card: '4242 4242 4242 4242', customer: { name: 'Ada' } };
  const id = await world.event('Shop', order);
  const attempts = `/projects/${world.project}/events/${id}/attempts`;
  await expect.poll(async () => (await world.call('GET', attempts)).json.items.length).toBeGreaterThan(0);
  const page = await signedIn(world, { path: '/dashboard/overview' });
  await picture(page, 'dashboard-overview');
  await page.goto(`${world.url}/dashboard/events`);
  await page
    .getByRole('link', { name: /order\.paid/ })
    .first()
    .waitFor();
  await picture(page, 'dashboard-events');
  const match = JSON.stringify({ path: 'data.body.amount', op: 'gt', value: 500 });
  await page.goto(`${world.url}/dashboard/events?match=${encodeURIComponent(match)}`);
  await page.getByRole('button', { name: 'Repeat' }).waitFor();
  await picture(page, 'dashboard-search');
  await page.goto(`${world.url}/dashboard/events/${id}`);
  await page.getByRole('heading', { name: 'order.paid', level: 1 }).waitFor();
  await picture(page, 'dashboard-event');
  await page.getByRole('button', { name: 'Details of attempt 1' }).click();
  await page.getByRole('button', { name: 'Copy as curl' }).scrollIntoViewIfNeeded();
  await picture(page, 'dashboard-exchange');
  await page.goto(`${world.url}/dashboard/rules`);
  await page.getByRole('link', { name: 'Redact card numbers' }).click();
  await page.getByRole('heading', { name: 'Redact card numbers', level: 1 }).waitFor();
  await picture(page, 'dashboard-rule');
});

test('the guide is shown in the documents', async () => {
  const world = await worldWithPages();
  const page = await signedIn(world, { path: '/dashboard/' });
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await page.getByRole('button', { name: 'Create the channel' }).click();
  await page.getByRole('button', { name: 'Send sample' }).waitFor();
  await picture(page, 'dashboard-start');
});
