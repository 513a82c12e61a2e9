/** Events that no JSON text makes: they may fail, and nothing of them is left behind. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMatch, compileRules, type Event, type Json, type Rule } from '../../src/index.js';
import * as arbitrary from './arbitraries.js';
import { expectSame } from './rule-index/same.js';

/** The event, which throws when it is looked at for the nth time, at any depth. */
function failing(event: Event, looks: { left: number }): Event {
  const look = <T>(answer: T): T => {
    if (looks.left-- === 0) throw new Error('the database is away');
    return (typeof answer === 'object' && answer !== null ? watched(answer) : answer) as T;
  };
  const watched = (target: object): object =>
    new Proxy(Array.isArray(target) ? [...target] : { ...target }, {
      get: (object, key, receiver) => look(Reflect.get(object, key, receiver) as unknown),
      has: (object, key) => look(Reflect.has(object, key)),
      ownKeys: (object) => look(Reflect.ownKeys(object)).filter(() => true),
    });
  return watched(event) as Event;
}

describe('an event that throws while it is read', () => {
  test('leaves the rules as they were: the next event is decided as by a fresh set', () => {
    fc.assert(
      fc.property(arbitrary.encounter(6), fc.nat(60), ([rules, events], looks) => {
        const set = compileRules(rules);
        const [first, ...others] = events;
        try {
          set.evaluate(failing(first as Event, { left: looks }));
        } catch {
          // It may.
        }
        for (const event of [...others, first as Event]) {
          expectSame(event, set.evaluate(event), compileRules(rules).evaluate(event));
        }
      }),
      { numRuns: 600 },
    );
  });

  const rule = (id: string, path: string, value: Json): Rule => ({
    id,
    name: id,
    stage: 'deliver',
    match: { path, op: 'eq', value },
    action: { type: 'tag', tags: [id] },
    priority: 0,
  });
  const rules = [rule('deep', 'data.a.b', 1), rule('wide', 'data.c.d', 2), rule('flat', 'type', 't')];
  const clean: Event = { id: 'evt_2', type: 'other', data: { c: {} } };

  test.for(['type', 'data'])('a lazy %s', (field) => {
    const set = compileRules(rules);
    const lazy = Object.defineProperty(
      { id: 'evt_1', type: 't', data: { a: { b: 1 }, c: { d: 2 } } },
      field,
      {
        enumerable: true,
        get: () => {
          throw new Error('the database is away');
        },
      },
    );
    expect(() => set.evaluate(lazy)).toThrow('the database is away');
    expect(set.evaluate(clean).tags).toEqual([]);
    expect(set.evaluate({ ...clean, data: { c: { d: 2 } } }).tags).toEqual(['wide']);
  });

  test('a field that evaluates another event by the same rules', () => {
    const set = compileRules(rules);
    const inner: string[][] = [];
    const outer = Object.defineProperty({ id: 'evt_1', type: 't', data: {} }, 'data', {
      enumerable: true,
      get: () => {
        inner.push([...set.evaluate({ ...clean, data: { c: { d: 2 } } }).tags]);
        return { a: { b: 1 } };
      },
    });
    expect(set.evaluate(outer).tags).toEqual(['deep', 'flat']);
    expect(inner[0]).toEqual(['wide']);
    expect(set.evaluate(clean).tags).toEqual([]);
  });
});

/** A copy in which each member of the event and of its data does something before it is read. */
function eager(event: Event, act: () => void): Event {
  const copyOf = (members: object): object => {
    const copy = {};
    for (const [key, value] of Object.entries(members)) {
      const get = (): unknown => (act(), value as unknown);
      Object.defineProperty(copy, key, { enumerable: true, configurable: true, get });
    }
    return copy;
  };
  return copyOf({ ...event, data: copyOf(event.data) }) as Event;
}

test('whichever members evaluate another event by the same rules, both are decided as alone', () => {
  fc.assert(
    fc.property(arbitrary.encounter(8), ([some, events]) => {
      const rules = some.map((one) => ({ ...one, action: { type: 'tag' as const, tags: [one.id] } }));
      const set = compileRules(rules);
      const [first, last] = [events[0]!, events.at(-1)!];
      const alone = (event: Event) => compileRules(rules).evaluate(event).tags;
      const inner = new Set<string>();
      set.evaluate(last); // what it borrowed is there again
      const outer = eager(first, () => void inner.add(JSON.stringify(set.evaluate(last).tags)));
      expect(set.evaluate(outer).tags).toEqual(alone(first));
      expect([...inner].filter((tags) => tags !== JSON.stringify(alone(last)))).toEqual([]);
    }),
    { numRuns: 600 },
  );
});

describe('an event that contains itself', () => {
  const ring: unknown[] = [1];
  ring.push(ring);
  const loop: Record<string, unknown> = { k: 1 };
  loop.self = loop;
  const ops = ['eq', 'neq', 'contains', 'not_contains'] as const;
  const values: Json[] = [[1, [1]], { k: 1, self: { k: 1 } }, [1], 1, 'x'];

  test.for(ops.flatMap((op) => values.map((value) => ({ op, value }))))(
    '$op $value is decided',
    ({ op, value }) => {
      const match = { path: 'data.a', op, value };
      for (const a of [ring, loop, [ring], [loop, loop]]) {
        const event: Event = { id: 'evt_1', type: 't', data: { a } };
        const set = compileRules([{ ...rule, match, id: 'r' }]);
        expect(set.evaluate(event).tags.length === 1).toBe(compileMatch(match)(event));
      }
    },
  );

  const rule = {
    name: 'r',
    stage: 'deliver',
    action: { type: 'tag', tags: ['seen'] },
    priority: 0,
  } as const;
});
