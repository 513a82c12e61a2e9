/** Steps of people who use the keyboard alone. */
import type { Frame, Locator, Page } from 'playwright-core';
import { pageOf } from './browser.js';

/** More steps of Tab than any page has stops. */
const MOST_STEPS = 120;

/** True if a key would go to an element: it has the focus of its document, and its document has that of the browser. */
export const hasFocus = (of: Locator): Promise<boolean> =>
  of.evaluateAll((all) => document.hasFocus() && all.some((element) => element === document.activeElement));

/** Goes to an element as people do, and fails where Tab does not lead there. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let step = 0; step < MOST_STEPS; step++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target.toString()} is not reached by ${key}`);
}

/** Goes to a button, and presses it. */
export async function press(of: Page | Frame, name: string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  const page = pageOf(of);
  await tabTo(page, of.getByRole('button', { name, exact: true }));
  await page.keyboard.press(key);
}

/** Runs a command of the palette. */
export async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to a page, or do something' }).waitFor();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: text }).first().waitFor();
  await page.keyboard.press('Enter');
}
