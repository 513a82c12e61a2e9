/** Why each rule of today matches an event, or does not, beside what was recorded. */
import { compileRules, type Match, type Rule } from 'headgate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventIds } from '../../src/ids.js';
import { explanationOf } from '../../src/rule-trials/explaining.js';
import { databases } from '../db/databases.js';
import { storeAll, storeProject } from '../events/stored.js';
import { openRuleTrials } from './served.js';

const newEventId = createEventIds();

const leaf = (path: string, value: string): Match => ({ path, op: 'eq', value });
const event = { id: 'evt_1', type: 'order', data: { a: 'yes', b: 'no' } };

describe('the explanation of a match tree', () => {
  test('is the tree in document order, with the deciding leaf marked', () => {
    const match: Match = {
      all: [
        { any: [leaf('data.a', 'no'), leaf('data.a', 'yes'), leaf('data.b', 'no')] },
        leaf('data.c', 'x'),
      ],
    };
    const { matched, nodes, decided_by, is_cut } = explanationOf(match, event, undefined);
    expect([matched, is_cut]).toEqual([false, false]);
    expect(nodes.map(({ depth, kind, result, is_deciding }) => [depth, kind, result, is_deciding])).toEqual([
      [0, 'all', 'not_held', false],
      [1, 'any', 'held', false],
      [2, 'leaf', 'not_held', false],
      [2, 'leaf', 'held', false],
      [2, 'leaf', 'not_reached', false],
      [1, 'leaf', 'not_held', true],
    ]);
    expect(nodes[3]?.leaf?.found).toEqual({ kind: 'string', text: '"yes"', is_cut: false });
    expect(decided_by).toMatchObject({ path: 'data.c', found: { kind: 'missing', text: '' } });
  });

  const tree: fc.Arbitrary<Match> = fc.letrec<{ tree: Match }>((tie) => {
    const branches = fc.array(tie('tree'), { minLength: 1, maxLength: 4 });
    return {
      tree: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom('yes', 'no').map((value) => leaf('data.a', value)),
        branches.map((all) => ({ all })),
        branches.map((any) => ({ any })),
      ),
    };
  }).tree;
  const holds = (match: Match): boolean =>
    'all' in match ? match.all.every(holds) : 'any' in match ? match.any.some(holds) : match.value === 'yes';
  const groupsOf = (match: Match): Match[] => [
    match,
    ...('all' in match ? match.all : 'any' in match ? match.any : []).flatMap(groupsOf),
  ];

  test('gives each node that was reached the result that the node has alone', () => {
    fc.assert(
      fc.property(tree, (match) => {
        const { matched, nodes } = explanationOf(match, event, undefined);
        const all = groupsOf(match);
        expect(nodes).toHaveLength(all.length);
        expect(nodes[0]?.result).toBe(matched ? 'held' : 'not_held');
        expect(nodes.filter(({ is_deciding }) => is_deciding)).toHaveLength(1);
        nodes.forEach(({ result }, i) => {
          if (result !== 'not_reached') expect(result).toBe(holds(all[i] as Match) ? 'held' : 'not_held');
        });
      }),
    );
  });

  test('is bounded for a tree and values of any size', () => {
    let deep: Match = leaf('data', 'x');
    for (let i = 0; i < 50_000; i++) deep = { any: [deep] };
    const wide = Array.from({ length: 2_000 }, () => leaf('data', 'x'.repeat(4_000)));
    const large = {
      ...event,
      data: { text: '\u{1F600}'.repeat(100_000), list: Array.from({ length: 50_000 }, String) },
    };
    for (const match of [deep, { any: wide }]) {
      const explanation = explanationOf(match, large, undefined);
      expect(explanation).toMatchObject({ matched: false, is_cut: true });
      expect(explanation.nodes).toHaveLength(500);
      expect(explanation.decided_by?.found).toMatchObject({ kind: 'object', is_cut: true });
      expect(JSON.stringify(explanation).length).toBeLessThan(1_000_000);
    }
    const { decided_by } = explanationOf(leaf('data.text', 'x'), large, undefined);
    expect(decided_by?.found.text).not.toMatch(/\p{Cs}/u);
  });
});

describe.each(databases())('an explanation in $name', ({ open }) => {
  const rule = (
    name: string,
    priority: number,
    match: Match,
    action: object = { type: 'tag', tags: [name] },
  ) => ({
    ...{ name, stage: 'deliver', match, action, priority },
  });

  test('distinguishes what was recorded from what the rules of today do', async () => {
    const db = await open();
    const project = await storeProject(db);
    const ask = openRuleTrials(db, project);
    const make = async (...given: Parameters<typeof rule>): Promise<string> =>
      (await ask('POST', '/rules', rule(...given))).body.id as string;
    const matching = await make('matching', 10, leaf('data.body.a', 'yes'));
    const other = await make('other', 20, leaf('data.body.a', 'no'));
    const id = newEventId(Date.now());
    const decided = { status: 'processed', type: 'order', channel: null, tags: [], endpoints: [] } as const;
    const gone = 'gone';
    await storeAll(db, [{ id, project, ...decided, rules: [matching, gone], data: { body: { a: 'yes' } } }]);
    await db.run('update events set rules_version = 2 where id = $1', [id]);
    const path = `/events/${id}/explanation`;
    expect((await ask('GET', path)).body).toMatchObject({
      recorded: { rules_version: 2, dropped_by: null, matched: [{ id: matching }, { id: gone }] },
      today: { rules_version: 2, matched: [matching], dropped_by: null },
      have_rules_changed: false,
      items: [
        { id: matching, action: 'tag', outcome: 'applied', matched_then: true, changed_since: false },
        { id: other, outcome: 'not_matched', matched_then: false, explanation: { matched: false } },
      ],
      next: null,
    });
    const drop = await make('drop', 5, leaf('type', 'order'), { type: 'drop' });
    await ask('PATCH', `/rules/${other}`, { enabled: false });
    const { body } = await ask('GET', path);
    expect(body).toMatchObject({
      recorded: { rules_version: 2 },
      today: { rules_version: 4, matched: [drop], dropped_by: drop },
      have_rules_changed: true,
      items: [
        { id: drop, outcome: 'applied', matched_then: false, changed_since: true },
        { id: matching, outcome: 'behind_drop', matched_then: true, changed_since: false },
        { id: other, outcome: 'disabled', enabled: false, changed_since: true },
      ],
    });
    const first = await ask('GET', `${path}?limit=2`);
    const second = await ask('GET', `${path}?limit=2&cursor=${first.body.next as string}`);
    expect([...first.body.items, ...second.body.items]).toEqual(body.items);
    expect(second.body).toMatchObject({ next: null, today: { dropped_by: drop } });
  });

  test('shows an event that is not decided, by the rules of today alone', async () => {
    const db = await open();
    const project = await storeProject(db);
    const ask = openRuleTrials(db, project);
    await ask(
      'POST',
      '/rules',
      rule('matching', 10, { path: 'raw_payload.method', op: 'eq', value: 'POST' }),
    );
    const id = newEventId(Date.now());
    const waiting = {
      status: 'received',
      type: 'order',
      channel: null,
      tags: [],
      rules: [],
      endpoints: [],
    } as const;
    await storeAll(db, [{ id, project, ...waiting, rawPayload: { method: 'POST', body: 'x' } }]);
    expect((await ask('GET', `/events/${id}/explanation`)).body).toMatchObject({
      ...{ recorded: null, have_rules_changed: null },
      items: [{ outcome: 'applied', matched_then: null, changed_since: null }],
    });
  });

  test('agrees with the decision of the rule set', async () => {
    const db = await open();
    const project = await storeProject(db);
    const ask = openRuleTrials(db, project);
    const rules = ['a', 'b', 'c', 'd'].map((name, i) =>
      rule(name, i, leaf(`data.body.${name}`, 'yes'), name === 'c' ? { type: 'drop' } : undefined),
    );
    const ids: string[] = [];
    for (const one of rules) ids.push((await ask('POST', '/rules', one)).body.id as string);
    const set = compileRules(rules.map((one, i) => ({ ...one, id: ids[i] }) as Rule));
    for (let bits = 0; bits < 16; bits++) {
      const body = Object.fromEntries(
        rules.map(({ name }, i) => [name, (bits >> i) % 2 === 1 ? 'yes' : 'no']),
      );
      const id = newEventId(Date.now());
      const waiting = {
        status: 'received',
        type: 'order',
        channel: null,
        tags: [],
        rules: [],
        endpoints: [],
      } as const;
      await storeAll(db, [{ id, project, ...waiting, data: { body } }]);
      const { matched, droppedBy } = set.evaluate({ id, type: 'order', data: { body } });
      const answered = (await ask('GET', `/events/${id}/explanation`)).body;
      const items = answered.items as readonly { readonly id: string; readonly outcome: string }[];
      const applied = items.filter(({ outcome }) => outcome === 'applied');
      expect(applied.map(({ id: rule }) => rule)).toEqual(matched.map(({ id: rule }) => rule));
      expect(answered.today.dropped_by).toBe(droppedBy?.id ?? null);
    }
  });
});
