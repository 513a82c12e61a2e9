/** Rules are ordered, imported and exported; documents of any depth pass through all of it unchanged. */
import { exportRules, importRules, type RuleDocument, stringifyJson } from 'headgate';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { type Answered, makeProject, serveRules, tagRule } from './served.js';

const idsOf = ({ body }: Answered): string[] => (body.items as { id: string }[]).map(({ id }) => id);

/** A match tree with this many groups around a leaf, as text. */
const deepMatch = (groups: number): string =>
  `${'{"all":['.repeat(groups)}{"path":"type","op":"exists"}${']}'.repeat(groups)}`;

describe.each(databases())('the rules of a project in $name', ({ name, open }) => {
  const openProject = async (plan?: string, parts?: Parameters<typeof serveRules>[2]) => {
    const db = await open();
    const project = await makeProject(db, plan);
    return { project, ...serveRules(db, project, parts) };
  };

  test('are listed in evaluation order, page by page', async () => {
    const { ask } = await openProject();
    for (const priority of [3, -1, 2, 2, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
      await ask('POST', '/rules', tagRule('a', priority));
    }
    const all = await ask('GET', '/rules');
    const priorities = (all.body.items as RuleDocument[]).map(({ priority }) => priority);
    expect(priorities).toEqual([-(2 ** 53 - 1), -1, 2, 2, 3, 2 ** 53 - 1]);
    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = await ask('GET', `/rules?limit=2${cursor}`);
      paged.push(...idsOf(page));
      if (page.body.next === null) break;
      cursor = `&cursor=${page.body.next as string}`;
    }
    expect(paged).toEqual(idsOf(all));
  });

  test('get a new order in one edit, and only those that moved a new version', async () => {
    const { ask, rules, project } = await openProject();
    for (const name of ['a', 'b', 'c']) await ask('POST', '/rules', tagRule(name, 10));
    const list = await ask('GET', '/rules');
    const [a, b, c] = idsOf(list) as [string, string, string];
    const ordered = await ask(
      'PUT',
      '/rules/order',
      { ids: [a, c, b] },
      { 'if-match': list.headers.get('etag')! },
    );
    expect(ordered.status).toBe(200);
    expect(ordered.body).toEqual({
      version: 4,
      items: [
        { id: a, priority: 10, version: 1 },
        { id: c, priority: 20, version: 2 },
        { id: b, priority: 30, version: 2 },
      ],
    });
    expect(idsOf(await ask('GET', '/rules'))).toEqual([a, c, b]);
    expect((await rules.current(project)).rules.map(({ id }) => id)).toEqual([a, c, b]);
    const late = await ask(
      'PUT',
      '/rules/order',
      { ids: [a, b, c] },
      { 'if-match': list.headers.get('etag')! },
    );
    expect(late).toMatchObject({
      status: 412,
      body: { code: 'version_conflict', current: { ids: [a, c, b] } },
    });
  });

  test('keep their order where the list is not all of them', async () => {
    const { ask, rules, project } = await openProject();
    for (const name of ['a', 'b', 'c']) await ask('POST', '/rules', tagRule(name));
    const [a, b, c] = idsOf(await ask('GET', '/rules')) as [string, string, string];
    const stranger = a.replace(/^..../, '0000');
    const { status, body } = await ask('PUT', '/rules/order', { ids: [a, a, b, stranger] });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'conflict', missing: [c], unknown: [stranger], repeated: [a] });
    expect((await rules.current(project)).version).toBe(3);
  });

  test('go from one project to another as a file', async () => {
    const { ask, fetch } = await openProject();
    const sent = [
      tagRule('a', 5),
      { ...tagRule('b', 1), description: 'two\nlines "and" \ud800' },
      tagRule('c', 6),
    ];
    for (const rule of sent) await ask('POST', '/rules', rule);
    const file = await fetch('GET', '/rules/export');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="rules.json"');
    const text = await file.text();
    expect(JSON.parse(text)).toEqual([sent[1], sent[0], sent[2]]);
    const other = await openProject();
    const imported = await other.ask('POST', '/rules/import', text, { 'content-type': 'text/plain' });
    expect(imported.body).toMatchObject({
      imported: 3,
      skipped: 0,
      errors: [],
      rules: [{ name: 'b' }, { name: 'a' }, { name: 'c' }],
    });
    expect(await (await other.fetch('GET', '/rules/export')).text()).toBe(text);
  });

  test.for<[what: string, file: string | Uint8Array]>([
    ['text that is not JSON', '{"name":'],
    ['an empty file', ''],
    ['a number', '17'],
    ['UTF-16', Buffer.from('\ufeff[]', 'utf16le')],
    ['a byte order mark', `\ufeff${JSON.stringify(tagRule('bom'))}`],
    ['entries of which some are not valid', JSON.stringify([tagRule('a'), { name: 'b' }, 3, tagRule('c')])],
  ])('are imported as the library does: %s', async ([, file]) => {
    const { fetch } = await openProject();
    const response = await fetch('POST', '/rules/import', file, {
      'content-type': 'application/octet-stream',
    });
    expect(response.status).toBe(200);
    const { rules, ...summary } = (await response.json()) as Record<string, unknown>;
    const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
    const expected = importRules(bytes);
    expect(summary).toEqual({ ...expected.summary, errors_left_out: 0 });
    expect((rules as { name: string }[]).map(({ name }) => name)).toEqual(
      expected.rules.map(({ name }) => name),
    );
  });

  test('that cannot be read in time are to be imported again: none of them is saved', async () => {
    const { ask } = await openProject('scale', { importDeadline: () => AbortSignal.abort() });
    const response = await ask('POST', '/rules/import', [tagRule('a')]);
    expect(response).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect((await ask('GET', '/rules')).body.items).toEqual([]);
  });

  test('are imported up to the quota, and the others are named', async () => {
    const { ask, rules, project } = await openProject('hacker');
    await ask('POST', '/rules', tagRule('first'));
    const file = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => tagRule(name));
    const { body } = await ask('POST', '/rules/import', file);
    expect(body).toMatchObject({ imported: 4, skipped: 2 });
    expect(body.errors).toMatchObject([
      { index: 4, name: 'e', code: 'quota_exceeded' },
      { index: 5, name: 'f', code: 'quota_exceeded' },
    ]);
    const current = await rules.current(project);
    expect(current.rules.map(({ name }) => name)).toEqual(['first', 'a', 'b', 'c', 'd']);
    expect(current.version).toBe(2);
    const more = await ask('POST', '/rules', tagRule('more'));
    expect(more).toMatchObject({ status: 402, body: { code: 'quota_exceeded', limit: 5, plan: 'hacker' } });
  });

  // How deep a tree may be depends on no database.
  const groups = name === 'SQLite' ? 100_000 : 10_000;
  test(`may have trees of ${groups} groups`, async () => {
    const { ask, fetch, rules, project } = await openProject();
    const match = deepMatch(groups);
    const { match: _, ...rest } = tagRule('deep');
    const text = `{"match":${match},${JSON.stringify(rest).slice(1)}`;
    const created = await fetch('POST', '/rules', text);
    expect(created.status).toBe(201);
    const { id } = JSON.parse(await created.text()) as { id: string };
    const read = await fetch('GET', `/rules/${id}`);
    expect((await read.text()).includes(`"match":${match},`)).toBe(true);
    expect((await fetch('PUT', `/rules/${id}`, text)).status).toBe(200);
    expect((await ask('PATCH', `/rules/${id}`, { name: 'deeper' })).status).toBe(200);
    const current = await rules.current(project);
    expect(stringifyJson(current.rules[0]!.match) === match).toBe(true);
    expect(current.text.includes(match)).toBe(true);
    const file = await (await fetch('GET', '/rules/export')).text();
    expect(file === `[\n${stringifyJson(exportRules(current.rules)[0]!)}\n]\n`).toBe(true);
    expect(await ask('POST', '/rules/import', file)).toMatchObject({ body: { imported: 1, errors: [] } });
    expect((await (await fetch('GET', '/rules')).text()).includes(match)).toBe(true);
    expect((await fetch('DELETE', `/rules/${id}`)).status).toBe(204);
  });

  test('are at most 10 MiB together', async () => {
    const { ask, rules, project } = await openProject();
    const large = { ...tagRule('large'), match: { path: 'type', op: 'eq', value: 'x'.repeat(1_000_000) } };
    const file = Array.from({ length: 10 }, () => large);
    expect(await ask('POST', '/rules/import', file)).toMatchObject({ status: 200, body: { imported: 10 } });
    expect(await ask('POST', '/rules', large)).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    expect(await ask('POST', '/rules/import', [large])).toMatchObject({ status: 413 });
    expect((await rules.current(project)).version).toBe(1);
    const { id } = (await rules.current(project)).rules[0]!;
    // A rule makes room for the one that replaces it.
    expect(await ask('PUT', `/rules/${id}`, large)).toMatchObject({ status: 200 });
    expect(await ask('PUT', `/rules/${id}`, tagRule('small'))).toMatchObject({ status: 200 });
    expect(await ask('POST', '/rules', large)).toMatchObject({ status: 201 });
  });
});
