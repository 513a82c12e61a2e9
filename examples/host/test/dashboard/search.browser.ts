/** The search of payloads in a real browser: its conditions, its progress, its end, and the ways that lead to it. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axe, signedIn } from './browser.js';
import { copyWithPayloads } from './copies.js';
import { type Furnished, furnishedWorld, worldWithPages } from './furnished.js';
import { assertLooks } from './looks.js';

const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('listitem');
const bar = (page: Page) => page.getByRole('group', { name: 'Search', exact: true });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search payloads' });
const matchOf = (page: Page): unknown =>
  JSON.parse(new URL(page.url()).searchParams.get('match') ?? 'null') as unknown;
const addressOf = (match: object): string =>
  `/dashboard/events?${new URLSearchParams({ match: JSON.stringify(match) }).toString()}`;

const LARGE = { path: 'data.body.amount', op: 'gt', value: 500 };

describe('conditions', () => {
  test('are set in the builder, are in the address, and are changed there', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world);
    await expect.poll(() => rows(page).count()).toBe(8);
    await page.keyboard.press('/');
    const path = dialog(page).getByRole('combobox', { name: 'Path of condition 1' });
    await path.waitFor();
    await dialog(page).getByRole('button', { name: 'Search' }).click();
    await dialog(page).getByText('Choose a path, or write one.').waitFor();
    await path.fill('data.body.amount');
    await dialog(page).getByRole('option', { name: 'data.body.amount' }).click();
    await dialog(page).getByRole('combobox', { name: 'Operator of condition 1' }).selectOption('gt');
    await dialog(page).getByLabel('Value of condition 1', { exact: true }).fill('500');
    await assertLooks(page, 'search-conditions');
    await dialog(page).getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => matchOf(page)).toEqual(LARGE);
    await bar(page).getByText('Searched 8 events · 2 found').waitFor();
    expect(await rows(page).count()).toBe(2);
    await assertLooks(page, 'search');

    await page.reload();
    await bar(page).getByText('Searched 8 events · 2 found').waitFor();
    await bar(page).getByRole('button', { name: 'data.body.amount is greater than 500' }).click();
    await dialog(page).getByLabel('Value of condition 1', { exact: true }).fill('5000');
    await page.keyboard.press('Enter');
    await page.getByText('No events match these filters').waitFor();
    await bar(page).getByText('Searched 8 events · 0 found').waitFor();
    await page.goBack();
    await bar(page).getByText('2 found').waitFor();
    await bar(page).getByRole('button', { name: 'Remove the condition Payload' }).click();
    await expect.poll(() => rows(page).count()).toBe(8);
    expect(await bar(page).count()).toBe(0);
  });

  test('have their JSON as a second view, which says what is wrong with its text', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: addressOf({ all: [LARGE, { path: 'type', op: 'exists' }] }) });
    await bar(page)
      .getByRole('button', { name: /^data\.body\.amount is greater than 500 and/ })
      .click();
    await dialog(page).getByRole('tab', { name: 'JSON' }).click();
    const editor = dialog(page).getByRole('textbox', { name: 'Conditions as JSON' });
    await expect.poll(() => editor.innerText()).toContain('"gt"');
    const write = async (text: string): Promise<void> => {
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
    };
    await write('{"path": "data.body.amount", "op": "gt"');
    await dialog(page)
      .getByRole('list', { name: 'What is wrong' })
      .getByText('Line 1', { exact: true })
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Search' }).click();
    await axe(page);
    await dialog(page).getByRole('tab', { name: 'Builder' }).click();
    await dialog(page)
      .getByText(/The builder cannot show this\. The text stops being JSON/)
      .waitFor();
    await write('{"path": "data.body.amount", "op": "lt", "value": 100}');
    await dialog(page).getByRole('tab', { name: 'Builder' }).click();
    expect(await dialog(page).getByLabel('Value of condition 1', { exact: true }).inputValue()).toBe('100');
    await dialog(page).getByRole('button', { name: 'Search' }).click();
    await expect.poll(() => matchOf(page)).toEqual({ path: 'data.body.amount', op: 'lt', value: 100 });
    await bar(page).getByText('1 found').waitFor();
  });
});

describe('a search among many events', () => {
  const COPIES = 100_000;

  test('shows how far it is and what it finds, stops, continues, and finds the one', async () => {
    const world = await worldWithPages();
    const { url } = await world.channel({ name: 'Shop' });
    const { id } = (await world.send(url, { kind: 'order.created' })).json as { readonly id: string };
    const event = async () => (await world.call('GET', `/projects/${world.project}/events/${id}`)).json;
    await expect.poll(async () => (await event()).status as string).toBe('processed');
    await copyWithPayloads(world.db, id, COPIES, ['order.created', 'needle']);
    await world.db.run('update event_minutes set events = events + $2 where project_id = $1', [
      ...[world.project, COPIES],
    ]);
    const page = await signedIn(world, {
      path: addressOf({ path: 'data.body.kind', op: 'eq', value: 'needle' }),
    });
    // At once: the rest of the search takes some seconds.
    await bar(page).getByRole('button', { name: 'Stop' }).press('Enter');
    const go = bar(page).getByRole('button', { name: 'Continue' });
    await go.waitFor();
    const text = /Searched [\d,]+ of about 100,000 events · back to \d\d:\d\d:\d\d · 0 found/;
    await bar(page).getByText(text).waitFor();
    const stopped = await bar(page).innerText();
    await assertLooks(page, 'search-stopped');
    expect(await page.getByRole('status').allInnerTexts()).toContainEqual(expect.stringMatching(/^Searched/));
    // The service has nothing more to do for it: another search of the project ends meanwhile.
    const body = { match: { path: 'id', op: 'exists' }, limit: 1 };
    const other = await world.call('POST', `/projects/${world.project}/events/search`, body);
    expect(other.status).toBe(200);
    expect(await bar(page).innerText()).toBe(stopped);
    await page.keyboard.press('s');
    await bar(page).getByText('Searched 100,001 events · 1 found').waitFor();
    expect(await rows(page).count()).toBe(1);
    expect(await bar(page).getByRole('progressbar').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Repeat');
  });
});

describe('the values of an event', () => {
  const LONG = '12345678901234567890';

  async function opened(text: string): Promise<{ world: Furnished; page: Page; id: string }> {
    const world = await furnishedWorld(4);
    const { id } = (await world.send(world.addresses.Shop, text)).json as { readonly id: string };
    const event = async () => (await world.call('GET', `/projects/${world.project}/events/${id}`)).json;
    await expect.poll(async () => (await event()).status as string).not.toBe('received');
    return { world, id, page: await signedIn(world, { path: `/dashboard/events/${id}` }) };
  }
  const menu = (page: Page, path: string) =>
    page.getByRole('button', { name: `The value of ${path}`, exact: true });

  test('lead to the other events that have them', async () => {
    const { page } = await opened('{"kind": "order.paid", "number": 77}');
    await page.getByRole('group', { name: 'Data' }).getByText('"order.paid"').hover();
    await menu(page, 'data.body.kind').click();
    await assertLooks(page, 'value-menu');
    await page.getByRole('menuitem', { name: 'Find others with this value' }).click();
    await bar(page).getByText('Searched 5 events · 2 found').waitFor();
    expect(matchOf(page)).toEqual({ path: 'data.body.kind', op: 'eq', value: 'order.paid' });
    await page.goBack();
    await menu(page, 'data.body.kind').waitFor();
  });

  test('are reached by keyboard, one stop for all, and become a rule with all digits', async () => {
    const { page, id } = await opened(`{"kind": "a", "list": [{"n": ${LONG}}]}`);
    const first = menu(page, 'data.body.kind');
    await first.waitFor();
    const stops = await page
      .getByRole('button', { name: /^The value of/ })
      .evaluateAll((all) => all.map((one) => (one as { tabIndex?: number }).tabIndex));
    expect(stops.filter((index) => index === 0)).toHaveLength(1);
    await first.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Find others with this value' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([...searchParams]).toEqual([
      ['match', `{"path":"data.body.list.0.n","op":"eq","value":${LONG}}`],
      ['event', id],
    ]);
    const value = page.getByLabel('Value of condition 1', { exact: true });
    await expect.poll(() => value.inputValue()).toBe(LONG);
    await page
      .getByText(/has more digits than a number holds/)
      .first()
      .waitFor();
  });

  test('of a folded part are left out, and Tab leads to another', async () => {
    const { page } = await opened('{"kind": "a", "more": {"n": 1}}');
    await menu(page, 'data.body.more.n').focus();
    await page.getByRole('button', { name: 'Close data.body.more' }).click();
    expect(await menu(page, 'data.body.more.n').count()).toBe(0);
    expect(await menu(page, 'data.body.kind').getAttribute('tabindex')).toBe('0');
  });

  test('that transforms changed have none as delivered', async () => {
    const { page } = await opened('{"kind": "order.paid", "card": "4242 4242 4242 4242"}');
    await menu(page, 'data.body.kind').waitFor();
    expect(await menu(page, 'data.body.card').count()).toBe(0);
    await page.getByRole('tab', { name: 'As received' }).click();
    await menu(page, 'data.body.card').waitFor();
  });
});
