/** Rules as people make them: in the builder and as JSON, tried before they are saved, and then met by real events. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ADMIN_KEY, type Receiver, receiver } from '../world.js';
import { axe, signedIn } from './browser.js';
import { type Furnished, furnishedWorld } from './furnished.js';

/** Writes the first condition of the rule that is open: its path is chosen from the proposals. */
async function writeCondition(
  page: Page,
  typed: string,
  path: string,
  op: string,
  value: string,
): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Path of condition 1' });
  await field.fill(typed);
  await page.getByRole('option', { name: path }).first().click();
  expect(await field.inputValue()).toBe(path);
  await page.getByRole('combobox', { name: 'Operator of condition 1' }).selectOption({ label: op });
  await page.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill(value);
}

const chooseAction = (page: Page, name: string): Promise<void> => page.getByRole('radio', { name }).check();

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/\/dashboard\/rules\/[0-9a-f-]{36}$/);
}

const newRule = async (world: Furnished, name: string): Promise<Page> => {
  const page = await signedIn(world, { path: '/dashboard/rules/new' });
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  return page;
};

/** An event once it is decided. */
async function decided(world: Furnished, id: string) {
  const read = async () => (await world.call('GET', `/projects/${world.project}/events/${id}`)).json;
  await expect.poll(async () => (await read()).status).not.toBe('received');
  return read();
}

describe('a rule written in the builder', () => {
  test('drops real events', async () => {
    const world = await furnishedWorld(8);
    const page = await newRule(world, 'No refunds');
    await writeCondition(page, 'bkind', 'data.body.kind', 'is', 'order.refunded');
    await chooseAction(page, 'Drop');
    await save(page);
    expect((await decided(world, await world.event('Shop', { kind: 'order.refunded' }))).status).toBe(
      'dropped',
    );
    expect((await decided(world, await world.event('Shop', { kind: 'order.paid' }))).status).toBe(
      'processed',
    );
  });

  test('routes, redacts and tags real events', async () => {
    const world = await furnishedWorld(8);
    const goods: Receiver = await receiver();
    await world.endpoint(goods, { name: 'Goods' });

    const route = await newRule(world, 'Parcels to goods');
    await writeCondition(route, 'kind', 'data.body.kind', 'starts with', 'parcel');
    await chooseAction(route, 'Route');
    await route.getByRole('checkbox', { name: 'Goods' }).check();
    await save(route);

    const redact = await newRule(world, 'No phones');
    await writeCondition(redact, 'kind', 'data.body.kind', 'starts with', 'parcel');
    await chooseAction(redact, 'Transform');
    await redact.getByRole('button', { name: 'Redact' }).click();
    await redact.getByRole('combobox', { name: 'Path of operation 1' }).fill('data.body.phone');
    await redact.getByRole('textbox', { name: 'Pattern' }).fill('\\d');
    await redact.getByRole('textbox', { name: 'Replace by' }).fill('#');
    await save(redact);

    const tag = await newRule(world, 'Heavy');
    await writeCondition(tag, 'amount', 'data.body.amount', 'is at least', '100');
    await chooseAction(tag, 'Tag');
    await tag.getByRole('combobox', { name: 'Tags' }).fill('heavy');
    await tag.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await tag.getByRole('combobox', { name: 'Tags' }).fill('slow');
    await save(tag);

    const id = await world.event('Shop', { kind: 'parcel.sent', phone: '555-1234', amount: 100 });
    const event = await decided(world, id);
    expect(event.tags).toEqual(['heavy', 'slow']);
    await expect.poll(() => goods.got.length).toBe(1);
    expect(goods.got[0]!.event.data.body).toMatchObject({ phone: '###-####', amount: 100 });
  });
});

const rulesOf = async (world: Furnished) =>
  (await world.call('GET', `/projects/${world.project}/rules`)).json.items as readonly {
    readonly id: string;
    readonly name: string;
    readonly priority: number;
    readonly enabled: boolean;
    readonly version: number;
  }[];
const ruleNamed = async (world: Furnished, name: string) =>
  (await rulesOf(world)).find((rule) => rule.name === name)!;
const openRule = async (world: Furnished, name: string): Promise<Page> => {
  const { id } = await ruleNamed(world, name);
  return signedIn(world, { path: `/dashboard/rules/${id}` });
};
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

describe('two people who edit one rule', () => {
  test('both keep what each has changed, and choose where both have changed the same', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    const { id } = await ruleNamed(world, 'Tag large amounts');
    await nameField(page).fill('Tag huge amounts');
    await page.getByRole('textbox', { name: 'Priority' }).fill('45');
    const theirs = { name: 'Tag big amounts', description: 'for the book-keepers' };
    await world.call('PATCH', `/projects/${world.project}/rules/${id}`, theirs);
    await saveButton(page).click();

    const dialog = page.getByRole('dialog', { name: 'The rule was changed meanwhile' });
    await dialog.waitFor();
    await axe(page);
    const name = dialog.getByRole('group', { name: /Name/ });
    expect(await name.getByText('changed by both').count()).toBe(1);
    expect(await name.getByText('Tag huge amounts').count()).toBe(1);
    expect(await name.getByText('Tag big amounts').count()).toBe(1);
    await name.getByRole('radio', { name: /Theirs/ }).check();
    await dialog.getByRole('button', { name: 'Use this choice' }).click();
    await saveButton(page).click();

    await expect
      .poll(async () => (await world.call('GET', `/projects/${world.project}/rules/${id}`)).json)
      .toMatchObject({ ...theirs, priority: 45 });
  });

  test('what is half-written is not lost when all of mine is kept', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    const { id } = await ruleNamed(world, 'Tag large amounts');
    await page.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill('6e');
    await world.call('PATCH', `/projects/${world.project}/rules/${id}`, { priority: 41 });
    await page.reload();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    const value = page.getByRole('combobox', { name: 'Value of condition 1', exact: true });
    expect(await value.inputValue()).toBe('6e');
    await value.fill('6e3');
    await saveButton(page).click();
    const read = async () => (await world.call('GET', `/projects/${world.project}/rules/${id}`)).json;
    await expect.poll(async () => (await read()).match.value).toBe(6000);
    expect((await read()).priority).toBe(40);
  });
});

describe('what is written', () => {
  test('while the answer to a save is awaited is kept, and saved by the next one', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    let go = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/rules/*', async (route) => {
      if (route.request().method() === 'PUT') await isHeld;
      await route.continue();
    });
    await nameField(page).fill('First');
    await saveButton(page).click();
    await nameField(page).fill('Second');
    go();
    await page.getByText('The rule is saved').first().waitFor();
    expect(await nameField(page).inputValue()).toBe('Second');
    expect((await rulesOf(world)).map(({ name }) => name)).toContain('First');
    await saveButton(page).click();
    await expect.poll(async () => (await rulesOf(world)).map(({ name }) => name)).toContain('Second');
  });

  test('survives a reload, and an expired session', async () => {
    const world = await furnishedWorld(4);
    const page = await newRule(world, 'Half-written');
    await writeCondition(page, 'kind', 'data.body.kind', 'is', 'order.lost');
    await page.reload();
    expect(await nameField(page).inputValue()).toBe('Half-written');
    await chooseAction(page, 'Drop');
    await page.context().clearCookies();
    // A request of the page's own may have found out first that the session has ended.
    const trySave = (): Promise<void> => saveButton(page).click({ timeout: 2_000 });
    await trySave().catch(() => undefined);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill(world.key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect
      .poll(async () => {
        if (page.url().endsWith('/new')) await trySave().catch(() => undefined);
        return page.url();
      })
      .toMatch(/\/dashboard\/rules\/[0-9a-f-]{36}$/);
    expect((await ruleNamed(world, 'Half-written')).enabled).toBe(true);
  });

  test('is prompted to an upgrade where the plan has no room for it', async () => {
    const world = await furnishedWorld(4);
    await world.call('PUT', `/projects/${world.project}/plan`, { plan: 'hobby' }, { key: ADMIN_KEY });
    const page = await newRule(world, 'One too many');
    await writeCondition(page, 'kind', 'data.body.kind', 'is', 'x');
    await chooseAction(page, 'Drop');
    await saveButton(page).click();
    await page.getByText(/plan Hobby has room for 1 rule/).waitFor();
    await axe(page);
    expect(await page.getByRole('link', { name: 'See the plans' }).count()).toBe(1);
    expect(await nameField(page).inputValue()).toBe('One too many');
  });

  test('may begin from a condition in the address', async () => {
    const world = await furnishedWorld(4);
    const id = await world.event('Shop', { kind: 'order.lost', amount: 5 });
    await decided(world, id);
    const match = { all: [{ path: 'data.body.kind', op: 'eq', value: 'order.lost' }] };
    const query = new URLSearchParams({ match: JSON.stringify(match), event: id });
    const page = await signedIn(world, { path: `/dashboard/rules/new?${query.toString()}` });
    expect(await page.getByRole('combobox', { name: 'Path of condition 1' }).inputValue()).toBe(
      'data.body.kind',
    );
    await nameField(page).fill('Lost');
    await chooseAction(page, 'Drop');
    await page.getByText('It would be dropped.').waitFor();
  });
});

test('a pattern is tried on what recent events have, while it is written', async () => {
  const world = await furnishedWorld(4);
  const page = await newRule(world, 'Paid');
  await writeCondition(page, 'kind', 'data.body.kind', 'matches', 'p[ai]');
  await page.getByText('Try it on samples').click();
  const results = page.getByRole('list', { name: 'Results' });
  await results.getByText('no match').first().waitFor();
  expect(await results.locator('mark').allInnerTexts()).toEqual(expect.arrayContaining(['pa', 'pi']));
  await axe(page);
});

describe('the order of rules', () => {
  const ORDER = [
    'Drop health checks',
    'Redact card numbers',
    'Orders to the orders service',
    'Tag large amounts',
  ];
  const order = async (world: Furnished) => (await rulesOf(world)).map(({ name }) => name);

  test('changes by keyboard, which is told, and stays as it was on escape', async () => {
    const world = await furnishedWorld(4);
    expect(await order(world)).toEqual(ORDER);
    const page = await signedIn(world, { path: '/dashboard/rules' });
    const handle = page.getByRole('button', { name: 'Move Tag large amounts' });
    await handle.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.getByText('Tag large amounts, 2 of 4').waitFor({ state: 'attached' });
    await axe(page);
    await page.keyboard.press('Escape');
    await page.waitForTimeout(100);
    expect(await order(world)).toEqual(ORDER);
    await page.keyboard.press('Space');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    const moved = [ORDER[3]!, ORDER[0]!, ORDER[1]!, ORDER[2]!];
    await expect.poll(() => order(world)).toEqual(moved);
    expect(await handle.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('changes by dragging, and twice in a row', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: '/dashboard/rules' });
    const drag = async (name: string, to: string): Promise<void> => {
      const from = (await page.getByRole('button', { name: `Move ${name}` }).boundingBox())!;
      const target = (await page.getByRole('button', { name: `Move ${to}` }).boundingBox())!;
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(target.x + 8, target.y + target.height / 2 + (target.y > from.y ? 24 : -24), {
        steps: 8,
      });
      await page.mouse.up();
    };
    await drag(ORDER[0]!, ORDER[2]!);
    await expect.poll(() => order(world)).toEqual([ORDER[1], ORDER[2], ORDER[0], ORDER[3]]);
    await drag(ORDER[3]!, ORDER[1]!);
    await expect.poll(() => order(world)).toEqual([ORDER[3], ORDER[1], ORDER[2], ORDER[0]]);
  });

  test('that somebody else has changed is read again and not overwritten', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: '/dashboard/rules' });
    await page.getByRole('button', { name: 'Move Tag large amounts' }).focus();
    const ids = (await rulesOf(world)).map(({ id }) => id).reverse();
    await world.call('PUT', `/projects/${world.project}/rules/order`, { ids });
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await page.getByText('Somebody has changed the rules meanwhile').first().waitFor();
    expect(await order(world)).toEqual([...ORDER].reverse());
    await expect
      .poll(() =>
        page
          .getByRole('button', { name: /^Move / })
          .first()
          .getAttribute('aria-label'),
      )
      .toBe('Move Tag large amounts');
  });
});

describe('the list of rules', () => {
  test('enables and disables a rule, and deletes one', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: '/dashboard/rules' });
    const toggle = page.getByRole('switch', { name: 'Drop health checks is enabled' });
    await toggle.click();
    await expect.poll(async () => (await ruleNamed(world, 'Drop health checks')).enabled).toBe(false);
    await toggle.click();
    await expect.poll(async () => (await ruleNamed(world, 'Drop health checks')).enabled).toBe(true);
    await page.getByRole('button', { name: 'Actions for Tag large amounts' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the rule' }).click();
    await expect.poll(async () => (await rulesOf(world)).length).toBe(3);
    await expect.poll(() => page.getByRole('link', { name: 'Tag large amounts' }).count()).toBe(0);
  });

  test('exports a file that another project imports, entry by entry', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: '/dashboard/rules' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const file = await (await download).path();
    const other = await furnishedWorld(0);
    const theirs = await signedIn(other, { path: '/dashboard/rules' });
    await theirs.getByRole('button', { name: 'More', exact: true }).click();
    await theirs.getByRole('menuitem', { name: 'Import…' }).click();
    await theirs.getByLabel('File').setInputFiles(file);
    await theirs.getByRole('button', { name: 'Import', exact: true }).click();
    await theirs.getByRole('heading', { name: '4 rules imported, 0 skipped' }).waitFor();
    await theirs.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => theirs.getByRole('button', { name: /^Move / }).count()).toBe(8);
  });

  test('begins a rule with a template, which is not saved before one says so', async () => {
    const world = await furnishedWorld(4);
    const page = await signedIn(world, { path: '/dashboard/rules' });
    await page.getByRole('button', { name: 'Templates' }).click();
    await page.getByRole('dialog').getByRole('link').last().click();
    await page.waitForURL(/template=/);
    await expect.poll(() => nameField(page).inputValue()).not.toBe('');
    expect(await rulesOf(world)).toHaveLength(4);
    await save(page);
    expect(await rulesOf(world)).toHaveLength(5);
  });
});

describe('a dry-run', () => {
  test('shows what the rule would have done, and that the rule has changed since', async () => {
    const world = await furnishedWorld(24);
    const page = await openRule(world, 'Tag large amounts');
    await page.getByRole('combobox', { name: 'Events of' }).selectOption({ label: 'the last 7 days' });
    await page.getByRole('button', { name: 'Dry-run' }).click();
    await page.getByText('6 of 24 events', { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Events over the window' }).waitFor();
    const samples = page.getByRole('region', { name: 'Samples' });
    expect(await samples.getByRole('group').count()).toBe(6);
    expect(await page.getByText('The rule has changed since').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill('50');
    await page.getByText('The rule has changed since').waitFor();
  });

  test('can be stopped', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    // The answer never comes, as that of a very long one.
    await page.route('**/rules/dry-run', () => undefined);
    await page.getByRole('button', { name: 'Dry-run' }).click();
    await page.getByText('It begins…').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    expect(await page.getByRole('button', { name: 'Dry-run' }).isEnabled()).toBe(true);
  });
});

test('results of a trial go away when the next one is refused as too large', async () => {
  const world = await furnishedWorld(8);
  const { items } = (await world.call('GET', `/projects/${world.project}/rules`)).json;
  const page = await signedIn(world, { path: `/dashboard/rules/${items[0].id}` });
  await page.getByText(/^Matches \d of the newest 5\.$/).waitFor();
  const code = 'body_too_large';
  const detail = 'the body has more than 1,048,576 bytes';
  await page.route('**/rules/try', (route) =>
    route.fulfill({
      ...{ status: 413, contentType: 'application/problem+json' },
      body: JSON.stringify({ type: 'about:blank', title: 'Too large', status: 413, code, detail }),
    }),
  );
  await page.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill('pong');
  await page.getByText('The body has more than 1,048,576 bytes.').waitFor();
  expect(await page.getByText(/of the newest 5/).count()).toBe(0);
  await page.unroute('**/rules/try');
  await page.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill('ping');
  await page.getByText(/^Matches \d of the newest 5\.$/).waitFor();
});

describe('the JSON of a rule', () => {
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Rule as JSON' });
  const showJson = async (page: Page): Promise<void> => {
    await page.getByRole('tab', { name: 'JSON' }).click();
    await editor(page).waitFor();
  };

  test('completes names, operators, paths and values as one types, without a mouse', async () => {
    const world = await furnishedWorld(8);
    const page = await signedIn(world, { path: '/dashboard/rules/new' });
    await showJson(page);
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('{ "na');
    await page.getByRole('option', { name: /^name/ }).waitFor();
    await axe(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('By JSON');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type(', "stage": "deliver", "match": { "path": "amount');
    await page.getByRole('option', { name: /data\.body\.amount/ }).waitFor();
    // A list that has just opened takes no Enter: somebody who presses it then meant a new line.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await page.keyboard.type(', "op": "gte');
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    const text = await editor(page).innerText();
    expect(text).toContain('"name": "By JSON"');
    expect(text).toContain('"path": "data.body.amount"');
  });

  test('is edited and saved at any depth', async () => {
    const world = await furnishedWorld(1);
    const depth = 5_000;
    const leaf = '{"path":"data.body.kind","op":"eq","value":"deep"}';
    const match = `${'{"all":['.repeat(depth)}${leaf}${']}'.repeat(depth)}`;
    const rules = `/projects/${world.project}/rules`;
    const made = await world.call(
      'POST',
      rules,
      `{"name":"Low","stage":"deliver","priority":90,"match":${match},"action":{"type":"drop"}}`,
      { headers: { 'content-type': 'application/json' } },
    );
    expect(made.status, made.text.slice(0, 300)).toBe(201);
    const rule = `${rules}/${made.json.id as string}`;
    const page = await signedIn(world, { path: `/dashboard/rules/${made.json.id as string}` });
    const saved = async () => (await world.call('GET', rule)).json.name as string;
    await nameField(page).fill('Lowe');
    await saveButton(page).click();
    await expect.poll(saved).toBe('Lowe');
    await showJson(page);
    await editor(page).focus();
    for (const key of ['ControlOrMeta+Home', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft']) {
      await page.keyboard.press(key);
    }
    await page.keyboard.type('r');
    await saveButton(page).click();
    await expect.poll(saved).toBe('Lower');
    expect((await world.call('GET', rule)).text).toContain(match);
    await page.getByRole('heading', { level: 1, name: 'Lower' }).waitFor();
  });

  test('shows faults where they are, in a list that leads there', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    await showJson(page);
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(' {"name": "x",');
    await page
      .getByRole('list', { name: 'What is wrong' })
      .getByText(/this is not JSON/)
      .waitFor();
    await page.getByRole('tab', { name: 'Builder' }).click();
    await page
      .getByRole('tabpanel')
      .getByText(/The builder cannot show this. The text stops being JSON at line 1/)
      .waitFor();
    await axe(page);
    await page.getByRole('list', { name: 'What is wrong' }).getByRole('button').first().click();
    expect(await editor(page).evaluate((element) => element.getRootNode() instanceof ShadowRoot)).toBe(true);
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await editor(page).innerText()).toContain('data.body.amount');
  });

  test('is left by Escape and then Tab, while Tab alone indents', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    await showJson(page);
    await editor(page).focus();
    const isInside = () =>
      page.evaluate(
        () => document.activeElement?.shadowRoot?.activeElement?.getAttribute('role') === 'textbox',
      );
    await page.keyboard.press('Tab');
    expect(await isInside()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await isInside()).toBe(false);
  });

  test('and the builder hold the same rule, and nothing is lost between them', async () => {
    const world = await furnishedWorld(4);
    const page = await openRule(world, 'Tag large amounts');
    await showJson(page);
    const before = await editor(page).innerText();
    await page.getByRole('tab', { name: 'Builder' }).click();
    await page.getByRole('combobox', { name: 'Value of condition 1', exact: true }).fill('501');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByRole('combobox', { name: 'Path of condition 2' }).fill('num');
    await page.getByRole('option', { name: 'data.body.number' }).click();
    await page
      .getByRole('combobox', { name: 'Operator of condition 2' })
      .selectOption({ label: 'is one of' });
    await page.getByRole('combobox', { name: 'Value of condition 2' }).fill('01');
    await page.getByRole('combobox', { name: 'Value of condition 2' }).press('Enter');
    await page.getByRole('combobox', { name: 'Value of condition 2' }).fill('7');
    await page.getByRole('combobox', { name: 'Value of condition 2' }).press('Enter');
    await showJson(page);
    const after = await editor(page).innerText();
    expect(before).toContain('"value": 500');
    // Recent events have numbers there, so 7 is one; 01 is not.
    expect(after.replaceAll(/\s+/g, ' ')).toContain('"op": "in", "value": ["01", 7]');
    expect(after.replaceAll(/\s+/g, ' ')).toContain('"value": 501');
  });
});
