/** Proofs of a change: the saved rules against the same rules after it, on all events. */
import { compileRules, type Event, type Rule } from 'headgate';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { makeProject, tagRule } from '../rules/served.js';
import { openRuleTrials } from './served.js';

describe.each(databases())('a proof in $name', ({ open }) => {
  const begin = async () => {
    const db = await open();
    const ask = openRuleTrials(db, await makeProject(db));
    const { body } = await ask('POST', '/rules', tagRule('one', 1));
    return { ask, id: String(body.id) };
  };

  test('that a change of the name or of the order of conditions decides nothing differently', async () => {
    const { ask, id } = await begin();
    const rule = { ...tagRule('one', 7), name: 'Renamed', match: { all: [tagRule('one').match] } };
    const { status, body } = await ask('POST', '/rules/proof', { id, rule });
    expect([status, body]).toEqual([
      200,
      { answer: 'same', reason: null, event: null, before: null, after: null },
    ]);
    const off = await ask('POST', '/rules/proof', { id, rule, enabled: false });
    expect(off.body).toMatchObject({ answer: 'differs', after: { tags: [] } });
  });

  test('gives an event on which a change or a new rule makes a difference, and both decisions of it', async () => {
    const { ask, id } = await begin();
    const saved: Rule = { ...tagRule('one', 1), id };
    const rule = { ...tagRule('one', 1), match: { path: 'type', op: 'in', value: ['one', 'two'] } } as const;
    const { body } = await ask('POST', '/rules/proof', { id, rule });
    expect(body).toMatchObject({ answer: 'differs', before: { tags: [] }, after: { tags: ['one'] } });
    const event = body.event as Event;
    expect(compileRules([saved]).evaluate(event).tags).toEqual([]);
    expect(compileRules([{ ...rule, id }]).evaluate(event).tags).toEqual(['one']);
    const drop = { ...tagRule('one', 0), action: { type: 'drop' } };
    const added = await ask('POST', '/rules/proof', { rule: drop });
    expect(added.body).toMatchObject({ before: { outcome: 'deliver' }, after: { outcome: 'drop' } });
  });

  test('refuses a rule that is not valid', async () => {
    const { ask, id } = await begin();
    for (const rule of [undefined, 5, { ...tagRule('one'), match: { all: [] } }]) {
      const { status, body } = await ask('POST', '/rules/proof', { id, rule });
      expect([status, body.code]).toEqual([422, 'invalid_rule']);
    }
  });
});
