/**
 * Many edit the rules of a project at once: the quota holds, nobody overwrites unseen, and every rule set that is seen
 * is one edit's.
 */
import fc from 'fast-check';
import type { Rule } from 'headgate';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { databases } from '../db/databases.js';
import { makeProject, serveRules, type ServedRules, tagRule } from './served.js';

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** A database whose notifications are lost. */
const deaf = (db: Database): Database => ({ ...db, listen: () => () => undefined });

describe.each(databases())('many who edit rules in $name', ({ create }) => {
  /** Several processes on one database. */
  const processes = async (
    count: number,
    plan?: string,
  ): Promise<{ project: string; hosts: ServedRules[]; dbs: Database[] }> => {
    const connect = create();
    const dbs: Database[] = [];
    for (const _ of range(count)) dbs.push(await connect());
    const project = await makeProject(dbs[0]!, plan);
    return { project, dbs, hosts: dbs.map((db) => serveRules(db, project)) };
  };

  test('never exceed the quota, by creating or by importing', async () => {
    const { hosts, project } = await processes(3, 'pro');
    const file = range(4).map((i) => tagRule(`imported ${i}`));
    const creating = range(36).map((i) => hosts[i % 3]!.ask('POST', '/rules', tagRule(`created ${i}`)));
    const importing = hosts.map((served) => served.ask('POST', '/rules/import', file));
    const created = (await Promise.all(creating)).filter(({ status }) => status === 201).length;
    const imported = (await Promise.all(importing)).map(({ status, body }) =>
      status === 200 ? Number(body.imported) : 0,
    );
    const { rules } = await hosts[0]!.rules.current(project);
    expect(rules).toHaveLength(25);
    expect(created + imported.reduce((sum, one) => sum + one, 0)).toBe(25);
    const statuses = new Set((await Promise.all(creating)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([201, 402]);
  });

  test('see the version of a rule that they have not read, and overwrite nothing', async () => {
    const { hosts } = await processes(3);
    const { body } = await hosts[0]!.ask('POST', '/rules', tagRule('zero'));
    const path = `/rules/${String(body.id)}`;
    const edits = range(12).map((i) =>
      hosts[i % 3]!.ask('PATCH', path, { priority: i }, { 'if-match': '"1"' }),
    );
    const answers = await Promise.all(edits);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [won] = answers.filter(({ status }) => status === 200);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({ status: 412, body: { code: 'version_conflict', version: 2 } });
      expect(answer.body.current).toMatchObject({ id: body.id, version: 2, priority: won!.body.priority });
    }
  });

  test('leave rule sets of which every one that is seen is what an edit left', async () => {
    const { hosts, project, dbs } = await processes(3);
    const first = await Promise.all(
      range(4).map(async (i) => (await hosts[0]!.ask('POST', '/rules', tagRule(`r${i}`))).body),
    );
    const ids = first.map(({ id }) => String(id));
    // Each edit gives all rules one priority, so that half of an edit would show.
    const written = new Map<number, readonly (readonly [string, number])[]>();
    const seen: { version: number; rules: readonly Rule[] }[] = [];
    let isEditing = true;
    const watching = hosts.map(async ({ rules }) => {
      while (isEditing) {
        const { version, rules: set } = await rules.current(project);
        seen.push({ version, rules: set });
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    });
    for (const round of range(20)) {
      const order = round % 2 === 0 ? ids : ids.toReversed();
      const served = hosts[round % hosts.length]!;
      const answer = await served.ask('PUT', '/rules/order', { ids: order });
      const items = answer.body.items as { id: string; priority: number }[];
      written.set(
        Number(answer.body.version),
        items.map(({ id, priority }) => [id, priority] as const),
      );
      // In the process that took it, an edit holds with the next event.
      expect((await served.rules.current(project)).version).toBe(answer.body.version);
    }
    isEditing = false;
    await Promise.all(watching);
    expect(dbs).toHaveLength(3);
    const known = seen.filter(({ version }) => written.has(version));
    expect(known.length).toBeGreaterThan(0);
    for (const { version, rules } of known) {
      expect(rules.map(({ id, priority }) => [id, priority])).toEqual(written.get(version));
    }
  });

  test('are followed within two seconds where notifications are lost, with one statement for all projects', async () => {
    const connect = create();
    const db = await connect();
    const other = deaf(await connect());
    const projects = [await makeProject(db), await makeProject(db), await makeProject(db)];
    let statements = 0;
    const counted: Database = { ...other, all: (...given) => (statements++, other.all(...given)) };
    let time = 0;
    const follower = serveRules(counted, projects[0]!, { now: () => time }).rules;
    for (const project of projects) await follower.current(project);
    for (const project of projects) {
      expect(await serveRules(db, project).ask('POST', '/rules', tagRule('new'))).toMatchObject({
        status: 201,
      });
    }
    statements = 0;
    time = 999;
    for (const project of projects) expect((await follower.current(project)).version).toBe(0);
    expect(statements).toBe(0);
    time = 2_000;
    const followed = await Promise.all(projects.map((project) => follower.current(project)));
    expect(followed.map(({ version }) => version)).toEqual([1, 1, 1]);
    // One that compares the versions of all, and one for the rules of each.
    expect(statements).toBe(1 + projects.length);
    time = 3_500;
    await Promise.all(projects.map((project) => follower.current(project)));
    expect(statements).toBe(2 + projects.length);
  });

  test('do what a model says, with and without the versions that they have read', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const priority = fc.integer({ min: -2, max: 2 });
    const pick = fc.nat(9);
    const command = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), actor: fc.nat(1), name, priority }),
      fc.record({
        kind: fc.constant('replace' as const),
        actor: fc.nat(1),
        name,
        priority,
        pick,
        matches: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('toggle' as const), actor: fc.nat(1), pick, matches: fc.boolean() }),
      fc.record({ kind: fc.constant('delete' as const), actor: fc.nat(1), pick, matches: fc.boolean() }),
      fc.record({ kind: fc.constant('order' as const), actor: fc.nat(1), matches: fc.boolean() }),
      fc.record({ kind: fc.constant('read' as const), actor: fc.nat(1) }),
    );
    const connect = create();
    const dbs = [await connect(), await connect()];
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        const project = await makeProject(dbs[0]!, 'hacker');
        const hosts = dbs.map((db) => serveRules(db, project));
        /** The rules, and what each actor has read of them. */
        let model: { id: string; name: string; priority: number; enabled: boolean; version: number }[] = [];
        let setVersion = 0;
        const read: { set: number; versions: Map<string, number> }[] = hosts.map(() => ({
          set: 0,
          versions: new Map(),
        }));
        const sorted = (): typeof model =>
          model.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
        for (const one of commands) {
          const { ask } = hosts[one.actor]!;
          const { set, versions } = read[one.actor]!;
          if (one.kind === 'read') {
            read[one.actor] = {
              set: setVersion,
              versions: new Map(model.map(({ id, version }) => [id, version])),
            };
          } else if (one.kind === 'create') {
            const { status, body } = await ask('POST', '/rules', tagRule(one.name, one.priority));
            expect(status).toBe(model.length < 5 ? 201 : 402);
            if (status !== 201) continue;
            setVersion++;
            model.push({
              id: String(body.id),
              name: one.name,
              priority: one.priority,
              enabled: true,
              version: 1,
            });
          } else if (one.kind === 'order') {
            const ids = sorted()
              .map(({ id }) => id)
              .reverse();
            const headers = one.matches ? { 'if-match': `"${set}"` } : {};
            const { status } = await ask('PUT', '/rules/order', { ids }, headers);
            expect(status).toBe(one.matches && set !== setVersion ? 412 : 200);
            if (status !== 200) continue;
            setVersion++;
            for (const rule of model) {
              const priority = (ids.indexOf(rule.id) + 1) * 10;
              rule.version += rule.priority === priority ? 0 : 1;
              rule.priority = priority;
            }
          } else {
            const rule = model[one.pick];
            const id = rule?.id ?? project;
            const headers = one.matches ? { 'if-match': `"${versions.get(id) ?? 0}"` } : {};
            const body =
              one.kind === 'replace' ? tagRule(one.name, one.priority) : { enabled: rule?.enabled === false };
            const method = { replace: 'PUT', toggle: 'PATCH', delete: 'DELETE' }[one.kind];
            const given = one.kind === 'delete' ? undefined : body;
            const { status } = await ask(method, `/rules/${id}`, given, headers);
            const isStale = one.matches && versions.get(id) !== rule?.version;
            const success = one.kind === 'delete' ? 204 : 200;
            expect(status).toBe(rule === undefined ? 404 : isStale ? 412 : success);
            if (rule === undefined || status >= 300) continue;
            setVersion++;
            rule.version++;
            if (one.kind === 'delete') model = model.filter((other) => other !== rule);
            else if (one.kind === 'toggle') rule.enabled = !rule.enabled;
            else Object.assign(rule, { name: one.name, priority: one.priority });
          }
        }
        for (const served of hosts) {
          served.rules.close();
          const { body } = await served.ask('GET', '/rules');
          const items = body.items as typeof model;
          const shown = items.map(({ id, name, priority, enabled, version }) => ({
            id,
            name,
            priority,
            enabled,
            version,
          }));
          expect(shown).toEqual(sorted());
        }
        const audit = await dbs[0]!.all('select id from audit_log where project_id = $1', [project]);
        expect(audit).toHaveLength(setVersion);
      }),
      { numRuns: 15 },
    );
  });
});
