/** How each rule is found, and what lint says of it: one request for a page of rules. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { storeProject } from '../events/stored.js';
import { openRuleTrials } from './served.js';

describe.each(databases())('the analysis of rules in $name', ({ open }) => {
  test('shows how rules are found and what is odd about them', async () => {
    const db = await open();
    const ask = openRuleTrials(db, await storeProject(db));
    const make = async (
      name: string,
      priority: number,
      match: object,
      more: object = {},
    ): Promise<string> => {
      const rule = {
        name,
        stage: 'deliver',
        match,
        action: { type: 'tag', tags: [name] },
        priority,
        ...more,
      };
      return (await ask('POST', '/rules', rule)).body.id as string;
    };
    const found = await make('found', 1, { path: 'type', op: 'eq', value: 'order' });
    const tried = await make('tried', 2, { path: 'data.a', op: 'neq', value: 'x' });
    const never = await make('never', 3, {
      all: [
        { path: 'type', op: 'eq', value: 'a' },
        { path: 'type', op: 'eq', value: 'b' },
      ],
    });
    const off = await make('off', 4, { path: 'type', op: 'exists' }, { enabled: false });
    const { body, headers } = await ask('GET', '/rules/analysis');
    expect(headers.get('etag')).toBe('"4"');
    expect(body).toMatchObject({
      version: 4,
      next: null,
      items: [
        {
          rule_id: found,
          access: {
            tried: 'when_found',
            by: [
              {
                kind: 'value',
                leaves: [{ path: 'type', op: 'eq', value: { text: '"order"' } }],
                is_certain: true,
              },
            ],
          },
          warnings: [],
        },
        { rule_id: tried, access: { tried: 'always', by: [] } },
        { rule_id: never, warnings: [{ code: 'never_matches', related: [{ rule_id: never }] }] },
        { rule_id: off, access: null },
      ],
    });
    const first = await ask('GET', '/rules/analysis?limit=3');
    const second = await ask('GET', `/rules/analysis?limit=3&cursor=${first.body.next as string}`);
    expect([...first.body.items, ...second.body.items]).toEqual(body.items);
  });
});
