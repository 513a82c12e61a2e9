/** Every state of the pages of rules in light, dark and narrow: axe, no sideways scroll, and a picture to look at. */
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { signedIn } from './browser.js';
import { furnishedWorld } from './furnished.js';
import { assertLooks } from './looks.js';

const leaf = (path: string, op: string, value: unknown) => ({ path, op, value });
const NESTED = {
  all: [
    leaf('data.body.kind', 'starts_with', 'order'),
    {
      any: [
        leaf('data.body.amount', 'gt', 500),
        { all: [leaf('data.body.customer.country', 'eq', 'GB'), leaf('data.body.kind', 'matches', 'paid$')] },
      ],
    },
    leaf('data.body.card', 'exists', undefined),
  ],
};

/** A condition in groups within groups, for the address. */
function nestedIn(levels: number): string {
  let match: object = leaf('data.body.kind', 'eq', 'order.paid');
  for (let level = 0; level < levels; level++) match = { [level % 2 === 0 ? 'all' : 'any']: [match] };
  return encodeURIComponent(JSON.stringify(match));
}

/** The states, each brought about in an open page. */
const STATES: readonly (readonly [state: string, path: string, act: (page: Page) => Promise<unknown>])[] = [
  [
    'list',
    '/dashboard/rules',
    (page) =>
      page
        .getByText(/in 24 h/)
        .first()
        .waitFor(),
  ],
  [
    'templates',
    '/dashboard/rules',
    async (page) => {
      await page.getByRole('button', { name: 'Templates' }).click();
      await page
        .getByRole('link', { name: /API keys|mention/i })
        .first()
        .waitFor();
    },
  ],
  [
    'imported',
    '/dashboard/rules',
    async (page) => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Import…' }).click();
      await page
        .getByRole('textbox', { name: /paste/ })
        .fill(
          '[{"name":"Odd","stage":"deliver","match":{"all":[]}},{"name":"Good","stage":"deliver","match":{"path":"type","op":"eq","value":"x"},"action":{"type":"drop"},"priority":90}]',
        );
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('heading', { name: /1 rule imported/ }).waitFor();
    },
  ],
  [
    'new',
    '/dashboard/rules/new',
    (page) => page.getByRole('button', { name: 'Save', exact: true }).waitFor(),
  ],
  [
    'empty-fields',
    '/dashboard/rules/new',
    async (page) => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Choose a path, or write one.').waitFor();
    },
  ],
  [
    'proposals',
    '/dashboard/rules/new',
    async (page) => {
      await page.getByRole('combobox', { name: 'Path of condition 1' }).fill('amo');
      await page
        .getByRole('option', { name: /amount/ })
        .first()
        .waitFor();
    },
  ],
  [
    'redact',
    '/dashboard/rules',
    async (page) => {
      await page.getByRole('link', { name: 'Redact card numbers' }).click();
      await page.getByText('Try it on samples').click();
      await page
        .getByText(/becomes/)
        .first()
        .waitFor();
      await page.getByRole('list', { name: 'Changes' }).first().waitFor();
    },
  ],
  [
    'dry-run',
    '/dashboard/rules',
    async (page) => {
      await page.getByRole('link', { name: 'Redact card numbers' }).click();
      await page.getByRole('button', { name: 'Dry-run' }).click();
      await page
        .getByText(/of 24 events/)
        .first()
        .waitFor();
      await page.locator('.hg-sample > summary').first().click();
    },
  ],
  [
    'json',
    '/dashboard/rules/new?match=%7B%22all%22%3A%5B%7B%22any%22%3A%5B%7B%22path%22%3A%22data.body.kind%22%2C%22op%22%3A%22eqq%22%2C%22value%22%3A1%7D%5D%7D%5D%7D',
    async (page) => {
      await page.getByRole('tab', { name: 'JSON' }).click();
      await page.getByRole('textbox', { name: 'Rule as JSON' }).waitFor();
      await page
        .getByText(/unknown operator/)
        .first()
        .waitFor();
    },
  ],
  [
    'nested',
    `/dashboard/rules/new?match=${encodeURIComponent(JSON.stringify(NESTED))}`,
    (page) => page.getByRole('group', { name: 'Condition 2.2.1' }).waitFor(),
  ],
  [
    'deepest',
    `/dashboard/rules/new?match=${nestedIn(20)}`,
    (page) =>
      page
        .getByRole('group', { name: /^Condition 1/ })
        .first()
        .waitFor(),
  ],
  [
    'too-deep',
    `/dashboard/rules/new?match=${nestedIn(21)}`,
    (page) => page.getByText('is a group at level 21').waitFor(),
  ],
  [
    'delete',
    '/dashboard/rules',
    async (page) => {
      await page.getByRole('button', { name: 'Actions for Tag large amounts' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
];

test('every state is accessible and as wide as the window, in every look', async () => {
  const world = await furnishedWorld();
  for (const [state, path, act] of STATES) {
    const page = await signedIn(world, { path });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await act(page);
    await assertLooks(page, `rules-${state}`, { fullPage: true });
    await page.close();
  }
});
