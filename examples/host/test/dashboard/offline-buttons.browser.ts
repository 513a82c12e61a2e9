/** Every button of every page, pressed without a network: it does what it says, or the page says why not. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedIn } from './browser.js';
import { type Furnished, furnishedWorld } from './furnished.js';

/** A page, and the field whose change gives it something to save. */
interface Visit {
  /** `{events}` stands for the id of the first event, and so on. */
  readonly path: string;
  readonly field?: string;
}

const MATCH = '{"path":"data.body.kind","op":"exists"}';
const VISITS: readonly Visit[] = [
  { path: 'start' },
  { path: 'events' },
  { path: `events?${new URLSearchParams({ match: MATCH }).toString()}` },
  { path: 'events/{events}' },
  { path: 'rules' },
  { path: 'rules/new', field: 'Name' },
  { path: 'rules/{rules}', field: 'Name' },
  { path: 'endpoints' },
  { path: 'endpoints/{endpoints}' },
  { path: 'endpoints/{endpoints}?tab=deliveries' },
  { path: 'endpoints/{endpoints}?tab=verify' },
  { path: 'endpoints/{endpoints}?tab=settings', field: 'Name' },
  { path: 'receivers/{receivers}' },
  { path: 'dead-letters' },
  { path: 'channels' },
  { path: 'channels/{channels}', field: 'Name' },
  { path: 'clients' },
  { path: 'project', field: 'Name' },
  { path: 'audit' },
];

async function urlOf(world: Furnished, path: string): Promise<string> {
  const list = /\{(\w+)\}/.exec(path)?.[1];
  if (list === undefined) return `${world.url}/dashboard/${path}`;
  const { json } = await world.call('GET', `/projects/${world.project}/${list}`);
  return `${world.url}/dashboard/${path.replace(`{${list}}`, json.items[0].id as string)}`;
}

/** Everything by which a page answers: its address, its texts, what is open or chosen, what is in its fields. */
const answerOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    // Times go on by themselves, and so does the badge of the live list.
    const isSteady = (element: Element): boolean => element.closest('time, [role=status]') === null;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen: string[] = [location.href];
    while (texts.nextNode() !== null) {
      const { parentElement, data } = texts.currentNode as Text;
      if (parentElement?.checkVisibility() === true && isSteady(parentElement)) seen.push(data);
    }
    const marks = ['aria-expanded', 'aria-checked', 'aria-pressed', 'aria-selected', 'open'];
    for (const one of document.querySelectorAll(marks.map((mark) => `[${mark}]`).join())) {
      seen.push(marks.map((mark) => one.getAttribute(mark) ?? '').join());
    }
    // A button that has copied a text says so in its name.
    for (const one of document.querySelectorAll('button[aria-label]')) seen.push(one.ariaLabel ?? '');
    for (const one of document.querySelectorAll('input, textarea, select')) {
      seen.push((one as HTMLInputElement).value);
    }
    return seen.join('\n');
  });

async function load(page: Page, url: string, field: string | undefined): Promise<void> {
  await page.context().setOffline(false);
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByLabel('Loading').count()).toBe(0);
  if (field !== undefined) {
    const box = page.locator('#main').getByRole('textbox', { name: field, exact: true }).first();
    await box.fill('Another name');
  }
  await page.context().setOffline(true);
  await page.getByText('The service cannot be reached.').first().waitFor();
}

const buttonsOf = (page: Page): Locator =>
  page.locator('#main :is(button, [role=switch]):enabled:visible:not([aria-selected=true])');

/** A handle is picked up, moved and put down by keys. */
async function press(page: Page, button: Locator, name: string): Promise<void> {
  if (!name.startsWith('Move ')) return button.click();
  await button.focus();
  const key = name.endsWith('Tag large amounts') ? 'Home' : 'End';
  for (const pressed of [' ', key, ' ']) await page.keyboard.press(pressed);
}

/** The names of the buttons that are answered with silence. */
async function silentButtons(page: Page, url: string, field?: string): Promise<readonly string[]> {
  const silent: string[] = [];
  await load(page, url, field);
  const count = await buttonsOf(page).count();
  for (let i = 0; i < count; i++) {
    if (i > 0) await load(page, url, field);
    const button = buttonsOf(page).nth(i);
    const name = await button.evaluate((one) => one.ariaLabel ?? one.textContent);
    const before = await answerOf(page);
    await press(page, button, name);
    const isAnswered = await expect
      .poll(() => answerOf(page), { timeout: 60_000 })
      .not.toBe(before)
      .then(
        () => true,
        () => false,
      );
    if (!isAnswered) silent.push(name);
  }
  return silent;
}

test.each(VISITS)('no button of $path is answered with silence', async ({ path, field }) => {
  const world = await furnishedWorld(8);
  await world.call('POST', `/projects/${world.project}/receivers`, { name: 'Mine' });
  const page = await signedIn(world, { path: '/dashboard/nowhere', expects: [0] });
  await page.context().grantPermissions(['clipboard-write']);
  // No visit begins with what the one before has written.
  await page.addInitScript(() => sessionStorage.clear());
  expect(await silentButtons(page, await urlOf(world, path), field)).toEqual([]);
});
