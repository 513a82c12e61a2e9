/**
 * A project with a hundred thousand events: the list shows the first ones at once, and however far one scrolls, few
 * rows are in the page.
 */
import { expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { worldWithPages } from './furnished.js';
import { manyEvents } from './many-events.js';

const EVENTS = 100_000;
/** The rows for a window of 800 pixels: those in view, and some before and after. */
const MOST_ROWS = 40;
/** A page of the list has a hundred events; this many are read further. */
const READ = 2_000;

test('a hundred thousand events are scrolled with a few rows in the page', async () => {
  const world = await worldWithPages();
  await manyEvents(world, EVENTS);
  const page = await signedIn(world);
  const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await rows.first().waitFor();
  const read = async (): Promise<number> => Number(await rows.first().getAttribute('aria-setsize'));
  await page.mouse.move(600, 500);
  let most = 0;
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000);
      most = Math.max(most, await rows.count());
      return read();
    })
    .toBeGreaterThan(READ);
  expect(most).toBeLessThanOrEqual(MOST_ROWS);
  // Each row is another one, in the order of the list.
  const indices = await rows.evaluateAll((all) =>
    all.map((one) => Number(one.getAttribute('aria-posinset'))),
  );
  const inView = indices.slice(0, -1);
  expect(inView).toEqual(inView.map((_, index) => (inView[0] ?? 0) + index));
  await page.getByRole('list', { name: 'Events' }).getByRole('link').nth(10).focus();
  await page.keyboard.press('Home');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[role=listitem]')?.ariaPosInSet))
    .toBe('1');
});
