/** Rules are saved, read, changed and deleted, with versions, quota and audit. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { makeProject, serveRules, tagRule } from './served.js';

describe.each(databases())('rules in $name', ({ open }) => {
  test('a rule that was saved is read as it was sent', async () => {
    const db = await open();
    const { ask } = serveRules(db, await makeProject(db));
    const sent = { ...tagRule('one', 7), description: 'a line\n\0\ud800' };
    const saved = await ask('POST', '/rules', sent);
    expect(saved.status).toBe(201);
    expect(saved.headers.get('etag')).toBe('"1"');
    expect(saved.body).toMatchObject({ ...sent, enabled: true, version: 1, warnings: [] });
    const read = await ask('GET', `/rules/${String(saved.body.id)}`);
    expect({ ...read.body, warnings: [] }).toEqual(saved.body);
    expect(read.headers.get('etag')).toBe('"1"');
    const put = await ask('PUT', `/rules/${String(saved.body.id)}`, read.body);
    expect(put.body).toMatchObject({ ...sent, version: 2 });
  });

  test('a change of null removes the description, and a change without it keeps it', async () => {
    const db = await open();
    const { ask } = serveRules(db, await makeProject(db));
    const saved = await ask('POST', '/rules', { ...tagRule('one'), description: 'why' });
    const path = `/rules/${String(saved.body.id)}`;
    expect((await ask('PATCH', path, { priority: 2 })).body).toMatchObject({
      description: 'why',
      priority: 2,
    });
    expect((await ask('PATCH', path, { description: 'because' })).body).toMatchObject({
      description: 'because',
    });
    expect((await ask('PATCH', path, { description: null })).body).not.toHaveProperty('description');
    expect((await ask('GET', path)).body).not.toHaveProperty('description');
  });

  test('all that is wrong with a rule is reported at once', async () => {
    const db = await open();
    const { ask } = serveRules(db, await makeProject(db));
    const { status, body } = await ask('POST', '/rules', {
      name: '',
      stage: 'ingest',
      enabled: 'yes',
      extra: 1,
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'invalid_rule' });
    const pointers = (body.issues as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers).toEqual(
      expect.arrayContaining(['/name', '/stage', '/match', '/action', '/priority', '/enabled', '/extra']),
    );
  });

  test('the rules of a project are current at once after an edit', async () => {
    const db = await open();
    const project = await makeProject(db);
    const { ask, rules } = serveRules(db, project);
    expect(await rules.current(project)).toMatchObject({ version: 0, rules: [], text: '[]' });
    const { body } = await ask('POST', '/rules', tagRule('one'));
    const first = await rules.current(project);
    expect(first).toMatchObject({ version: 1, rules: [{ id: body.id, ...tagRule('one'), enabled: true }] });
    expect(JSON.parse(first.text)).toEqual(first.rules);
    await ask('PATCH', `/rules/${String(body.id)}`, { enabled: false });
    expect(await rules.current(project)).toMatchObject({ version: 2, rules: [{ enabled: false }] });
    await ask('DELETE', `/rules/${String(body.id)}`);
    expect(await rules.current(project)).toMatchObject({ version: 3, rules: [] });
  });
});
