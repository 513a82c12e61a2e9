/** The saved versions of a rule, small and large, of rules in service and of deleted ones. */
import type { RuleDocument } from 'headgate';
import { describe, expect, test } from 'vitest';
import { MOST_LARGE } from '../../src/rules/versions.js';
import { databases } from '../db/databases.js';
import { makeProject, serveRules, type ServedRules, tagRule } from './served.js';

interface Version {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly rule: (RuleDocument & { readonly enabled: boolean }) | null;
}

async function versionsOf({ ask }: ServedRules, rule: unknown, query = ''): Promise<Version[]> {
  const { status, body } = await ask('GET', `/rules/${String(rule)}/versions${query}`);
  expect(status).toBe(200);
  return body.items as Version[];
}

/** A rule whose document has more bytes than the audit log keeps whole. */
const largeRule = (name: string): RuleDocument => ({
  ...tagRule(name),
  match: { path: 'data.id', op: 'in', value: Array.from({ length: 4_000 }, (_, n) => `${name} ${n}`) },
});

/** Saves one after another, each in a millisecond of its own. */
function clocked() {
  let at = 1_700_000_000_000;
  return { now: () => (at += 10) };
}

describe.each(databases())('versions of rules in $name', ({ open }) => {
  const begin = async () => {
    const db = await open();
    const project = await makeProject(db);
    return { project, ...serveRules(db, project, clocked()) };
  };

  test('each save is one, newest first, with its author, and any of them can be saved again', async () => {
    const served = await begin();
    const { ask } = served;
    const first = { ...tagRule('one', 7), description: 'why\n\0\ud800' };
    const { body } = await ask('POST', '/rules', first);
    const path = `/rules/${String(body.id)}`;
    await ask('PATCH', path, { priority: 9 });
    await ask('PATCH', path, { enabled: false });
    await ask('POST', '/rules', tagRule('another'));
    const versions = await versionsOf(served, body.id);
    expect(versions.map(({ action, actor, rule }) => [action, actor, rule])).toEqual([
      ['updated', 'key:test', { ...first, priority: 9, enabled: false }],
      ['updated', 'key:test', { ...first, priority: 9, enabled: true }],
      ['created', 'key:test', { ...first, enabled: true }],
    ]);
    expect(versions[0]!.at > versions[1]!.at).toBe(true);
    const restored = await ask('PUT', path, versions[2]!.rule, { 'if-match': '"3"' });
    expect(restored.body).toMatchObject({ ...first, enabled: true, version: 4 });
    expect((await versionsOf(served, body.id))[0]!.rule).toEqual({ ...first, enabled: true });
  });

  test('a page goes on where the one before ended', async () => {
    const served = await begin();
    const { body } = await served.ask('POST', '/rules', tagRule('one'));
    for (const name of ['two', 'three', 'four']) {
      await served.ask('PATCH', `/rules/${String(body.id)}`, { name });
    }
    const names: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await served.ask('GET', `/rules/${String(body.id)}/versions?limit=2${query}`);
      names.push((page.body.items as Version[]).map(({ rule }) => rule?.name));
      cursor = page.body.next as string | null;
    }
    expect(names).toEqual([
      ['four', 'three'],
      ['two', 'one'],
    ]);
  });

  test('large ones are whole, too: created, changed in one member, made small, and imported', async () => {
    const served = await begin();
    const { ask } = served;
    const large = largeRule('large');
    const { body } = await ask('POST', '/rules', large);
    const path = `/rules/${String(body.id)}`;
    await ask('PATCH', path, { name: 'renamed' });
    await ask('PUT', path, tagRule('small'));
    await ask('PUT', path, tagRule('smaller'));
    expect((await versionsOf(served, body.id)).map(({ rule }) => rule)).toEqual([
      { ...tagRule('smaller'), enabled: true },
      { ...tagRule('small'), enabled: true },
      { ...large, name: 'renamed', enabled: true },
      { ...large, enabled: true },
    ]);
    const file = [tagRule('first'), largeRule('second'), tagRule('third')];
    const { body: imported } = await ask('POST', '/rules/import', JSON.stringify(file));
    for (const [index, { id }] of (imported.rules as { id: string }[]).entries()) {
      const [version] = await versionsOf(served, id);
      expect([version?.action, version?.rule]).toEqual(['imported', { ...file[index], enabled: true }]);
    }
  });

  test(`the last ${MOST_LARGE} large ones of a rule are whole, and older ones say that they are not`, async () => {
    const served = await begin();
    const { body } = await served.ask('POST', '/rules', largeRule('large'));
    const { body: other } = await served.ask('POST', '/rules', largeRule('other'));
    for (let nth = 0; nth < MOST_LARGE; nth++) {
      await served.ask('PATCH', `/rules/${String(body.id)}`, { priority: nth + 1 });
    }
    const versions = await versionsOf(served, body.id);
    expect(versions.map(({ rule }) => rule?.priority)).toEqual([
      ...Array.from({ length: MOST_LARGE }, (_, nth) => MOST_LARGE - nth),
      undefined,
    ]);
    expect((await versionsOf(served, other.id)).every(({ rule }) => rule !== null)).toBe(true);
  });

  test('those of a rule that was deleted are there, without the large ones', async () => {
    const served = await begin();
    const { body } = await served.ask('POST', '/rules', tagRule('small'));
    const { body: large } = await served.ask('POST', '/rules', largeRule('large'));
    await served.ask('DELETE', `/rules/${String(body.id)}`);
    await served.ask('DELETE', `/rules/${String(large.id)}`);
    const versions = await versionsOf(served, body.id);
    expect(versions.map(({ action, rule }) => [action, rule?.name])).toEqual([
      ['deleted', 'small'],
      ['created', 'small'],
    ]);
    expect((await versionsOf(served, large.id)).map(({ rule }) => rule)).toEqual([null, null]);
    expect(await served.db.all('select id from large_rule_versions')).toEqual([]);
  });

  test('a rule that the project never had has none, and neither has a rule of another project', async () => {
    const served = await begin();
    const { body } = await served.ask('POST', '/rules', tagRule('one'));
    const other = serveRules(served.db, await makeProject(served.db));
    for (const id of [body.id, '01890000-0000-7000-8000-000000000000']) {
      const { status } = await other.ask('GET', `/rules/${String(id)}/versions`);
      expect(status).toBe(404);
    }
  });
});
