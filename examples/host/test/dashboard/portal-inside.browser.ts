/** Every page of the portal within a frame of another site: axe, 360 pixels, and the whole way by keyboard alone. */
import type { Frame, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type HostWorld, receiver } from '../world.js';
import { axe } from './browser.js';
import { furnishedWorld } from './furnished.js';
import { framed, stage } from './portal-frame.js';
import { hasFocus, press, tabTo } from './steps.js';

/** Pixels of the narrowest frame. */
const WIDTH = 360;

/** A project with events, a dead letter and a replay. */
async function customers(): Promise<HostWorld> {
  const world = await furnishedWorld(8, await (await stage()).world());
  const under = `/projects/${world.project}`;
  await world.endpoint(await receiver(500), { name: 'Broken', retry_max_attempts: 1 });
  await world.event('Shop', { kind: 'invoice.sent' });
  await expect
    .poll(async () => (await world.call('GET', `${under}/dead-letters`)).json.items.length)
    .toBeGreaterThan(0);
  expect((await world.call('POST', `${under}/replays`, { filter: {} })).status).toBe(202);
  return world;
}

/** Opens a page by its address, and waits for a heading. */
async function show(frame: Frame, path: string, heading: string): Promise<void> {
  await frame.goto(`${(await stage()).host}/portal/${path}`);
  await frame.getByRole('heading', { name: heading }).first().waitFor();
}

/** The page that has the focus, with the element that has it. */
const held = (of: Frame | Page): Promise<string> =>
  of.evaluate(() => (document.hasFocus() ? (document.activeElement?.outerHTML.slice(0, 80) ?? '') : ''));

/** Fails unless what the frame shows is loaded, accessible and as narrow as the frame. */
async function assertFits(frame: Frame, name: string): Promise<void> {
  await expect.poll(() => frame.getByLabel('Loading').count()).toBe(0);
  await axe(frame);
  // Widths do not tell: a bar that scrolls the page down takes a part of them.
  const scrolled = await frame.evaluate(() => {
    scrollTo({ left: 1_000, behavior: 'instant' });
    return scrollX;
  });
  expect([name, scrolled]).toEqual([name, 0]);
}

test('every page is accessible and as narrow as its frame', async () => {
  const { page, frame } = await framed(await customers(), 'owner');
  await page.setViewportSize({ width: WIDTH, height: 740 });
  await expect.poll(() => frame.evaluate(() => innerWidth)).toBe(WIDTH);
  const idOf = async (link: Locator): Promise<string> =>
    (await link.getAttribute('href'))?.split('/').at(-1) ?? '';

  const endpoint = await idOf(frame.getByRole('link', { name: 'Orders service' }));
  await assertFits(frame, 'endpoints');
  await show(frame, `endpoints/${endpoint}`, 'Orders service');
  for (const tab of ['Overview', 'Deliveries', 'Verify signatures', 'Settings']) {
    await frame.getByRole('tab', { name: tab }).click();
    await assertFits(frame, tab);
  }
  await show(frame, 'events', 'Events');
  const event = await idOf(frame.getByRole('list', { name: 'Events' }).getByRole('link').first());
  await assertFits(frame, 'events');
  await show(frame, `events/${event}`, 'Deliveries');
  await assertFits(frame, 'event');
  await show(frame, 'dead-letters', 'Dead letters');
  await frame.getByRole('button', { name: 'Redeliver all…' }).click();
  await frame
    .getByRole('dialog')
    .getByRole('button', { name: /^Redeliver \d/ })
    .waitFor();
  await assertFits(frame, 'redeliver');
  await show(frame, 'replays', 'Replays');
  await frame.getByRole('list', { name: 'Replays' }).getByRole('listitem').first().waitFor();
  await assertFits(frame, 'replays');
});

test('the focus stays in the application while the portal opens, and goes in and out by Tab', async () => {
  const { page, frame } = await framed(await customers(), 'owner');
  const [before, after] = [page.getByLabel('Before'), page.getByRole('button', { name: 'After' })];
  expect(await hasFocus(before)).toBe(true);
  await page.keyboard.type('written meanwhile');
  expect(await before.inputValue()).toBe('written meanwhile');

  await page.keyboard.press('Tab');
  const skip = frame.getByRole('link', { name: 'Skip to the page' });
  expect(await hasFocus(skip), await held(frame)).toBe(true);
  await page.keyboard.press('Shift+Tab');
  expect(await hasFocus(before), await held(page)).toBe(true);
  await tabTo(page, after);
  expect(await held(frame)).toBe('');
  await page.keyboard.press('Shift+Tab');
  expect(await held(frame)).not.toBe('');
});

test('an owner opens an event, and opens and closes dialogs, by keyboard alone', async () => {
  const { page, frame } = await framed(await customers(), 'owner');
  await tabTo(page, frame.getByRole('link', { name: 'Events', exact: true }));
  await page.keyboard.press('Enter');
  await frame.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  // A reader goes on at the new page.
  await expect.poll(() => hasFocus(frame.getByRole('main'))).toBe(true);
  await tabTo(page, frame.getByRole('list', { name: 'Events' }).getByRole('link'));
  await page.keyboard.press('Enter');
  await frame.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();

  const replay = frame.getByRole('button', { name: 'Replay', exact: true });
  await press(frame, 'Replay');
  const dialog = frame.getByRole('dialog', { name: 'Replay this event' });
  await dialog.waitFor();
  await axe(frame);
  await tabTo(page, dialog.getByRole('radio'));
  await page.keyboard.press('ArrowDown');
  await dialog.getByRole('checkbox', { name: 'Broken' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(replay)).toBe(true);

  await page.keyboard.press('Control+k');
  const palette = frame.getByRole('combobox', { name: 'Go to a page, or do something' });
  await expect.poll(() => hasFocus(palette)).toBe(true);
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(replay)).toBe(true);

  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await frame.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
  await press(frame, 'New endpoint');
  const form = frame.getByRole('dialog', { name: 'New endpoint' });
  await expect.poll(() => hasFocus(form.getByLabel('URL'))).toBe(true);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'hidden' });
  const maker = frame.getByRole('button', { name: 'New endpoint' });
  await expect.poll(() => hasFocus(maker)).toBe(true);
});
