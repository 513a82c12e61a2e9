/**
 * The laws of the language, on random rules and events, and the library beside a third, naive evaluator.
 * `ORACLE_EVENTS=1000000` has rule sets decide about that many events, and prints the figures of docs/performance.md.
 */
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileMatch,
  compileRules,
  compileTransform,
  dryRun,
  explainMatch,
  exportRules,
  importRules,
  type Decision,
  type Event,
  type Leaf,
  type Match,
  type Rule,
  type TransformOp,
} from '../../src/index.js';
import { compileReferenceRules } from '../../src/testing/index.js';
import * as arbitrary from './arbitraries.js';
import * as oracle from './oracle.js';

/**
 * Events about which rule sets decide at least, in rounds of a thousand rule sets; where they are many, each set gets
 * more.
 */
const EVENTS = Number(process.env.ORACLE_EVENTS ?? 0);
const EVENTS_A_SET = EVENTS === 0 ? 6 : 60;

/** JSON text with sorted keys. Own keys named `__proto__` count, the sign of zero does not. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, at: unknown) =>
    typeof at === 'object' && at !== null && !Array.isArray(at)
      ? Object.fromEntries(Object.entries(at).sort(([a], [b]) => (a < b ? -1 : 1)))
      : at,
  );

const holds = (match: Match, event: unknown): boolean => compileMatch(match)(event);
const transform = <E extends Event>(ops: readonly TransformOp[], event: E): E => compileTransform(ops)(event);
const ops = (maxLength = 6) => fc.array(arbitrary.transformOp(), { minLength: 1, maxLength });

describe('the library equals the naive evaluator', () => {
  test('in what a rule set decides', { timeout: 6_000_000 }, async () => {
    const tried = { ruleSets: 0, events: 0, matched: 0 };
    const property = fc.property(arbitrary.encounter(8, EVENTS_A_SET), ([rules, events]) => {
      const frozen = arbitrary.deepFrozen(rules);
      const [set, plain] = [compileRules(frozen), compileReferenceRules(frozen)];
      for (const event of events) {
        const expected = oracle.decided(rules, event);
        for (const { limits, ...decision } of [set.evaluate(event), plain.evaluate(event)]) {
          expect(text(decision)).toBe(text(expected));
          expect(limits).toEqual([]);
        }
        tried.matched += Number(expected.matched.length > 0);
      }
      tried.ruleSets++;
      tried.events += events.length;
    });
    do {
      fc.assert(property, { numRuns: 500 });
      if (EVENTS > 0) console.log(tried);
      await setImmediate(); // prints
    } while (tried.events < EVENTS);
  });

  test('in what a leaf and a tree answer', () => {
    fc.assert(
      fc.property(arbitrary.question(), ([match, event]) => {
        expect(holds(match, event)).toBe(oracle.matches(match, event));
      }),
      { numRuns: 2_000 },
    );
  });

  test('in what ops make of an event', () => {
    fc.assert(
      fc.property(ops(), arbitrary.event(), (list, event) => {
        expect(text(transform(list, event))).toBe(text(oracle.transformed(list, event)));
      }),
      { numRuns: 1_500 },
    );
  });

  test('in what it explains, leaf by leaf', () => {
    fc.assert(
      fc.property(arbitrary.question(), ([match, event]) => {
        const { matched, leaves } = explainMatch(match, event);
        expect(matched).toBe(holds(match, event));
        expect(leaves.map(({ result }) => result)).toEqual(oracle.leafResults(match, event));
        expect(leaves.map(({ pointer }) => resolve(match, pointer))).toEqual(arbitrary.leavesOf(match));
        for (const [i, { path, present, actual, element, result }] of leaves.entries()) {
          const values = oracle.read(event, oracle.segmentsOf(path));
          expect(present).toBe(values.length > 0);
          const leaf = arbitrary.leavesOf(match)[i]!;
          if (!oracle.isStarred(path)) {
            expect(actual).toBe(values[0]);
            expect(element).toBe(undefined);
          } else if (element === undefined) {
            expect(actual).toBe(undefined);
            if (result !== 'not_reached' && present) {
              expect(result).toBe(oracle.isNegation(leaf) ? 'held' : 'not_held');
            }
          } else {
            // A value for which the leaf, taken alone, gives the answer; none before it does.
            const at = values.findIndex(
              (value) => oracle.holds({ ...leaf, path: 'at' }, { at: value }) !== oracle.isNegation(leaf),
            );
            expect(actual).toBe(values[at]);
            expect(oracle.read(event, oracle.segmentsOf(element))).toEqual([actual]);
            expect(result).toBe(oracle.isNegation(leaf) ? 'not_held' : 'held');
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('in what a dry-run reports', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary.rule(), history(), endpoints(), async (rule, [events, options], known) => {
        const { stage, match, action } = rule;
        const tried = { stage, match, action };
        const withEndpoints = known === null ? options : { ...options, endpoints: known };
        const report = await dryRun(tried, arbitrary.deepFrozen(events), withEndpoints);
        expect(text(report)).toBe(text(oracle.dryRunReport(tried, events, withEndpoints)));
      }),
      { numRuns: 500 },
    );
  });

  test('in what it exports', () => {
    fc.assert(
      fc.property(arbitrary.rules(), (rules) => {
        // The order of keys counts here.
        expect(JSON.stringify(exportRules(rules))).toBe(JSON.stringify(oracle.exported(rules)));
      }),
    );
  });
});

describe('match trees', () => {
  const inverse: Partial<Record<Leaf['op'], Leaf['op']>> = {
    eq: 'neq',
    contains: 'not_contains',
    in: 'not_in',
    matches: 'not_matches',
    exists: 'missing',
  };
  for (const [op, other] of Object.entries(inverse)) inverse[other] = op as Leaf['op'];

  function inverted(match: Match): Match {
    if ('all' in match) return { any: match.all.map(inverted) };
    if ('any' in match) return { all: match.any.map(inverted) };
    return { ...match, op: inverse[match.op] } as Leaf;
  }

  const leaf = arbitrary.leaf().filter(({ op }) => inverse[op] !== undefined);
  const onPresentPath = fc
    .tuple(leaf, fc.constantFrom('data.a', 'data.b'))
    .map(([one, path]): Leaf => ({ ...one, path }));
  const event = fc
    .record({ a: arbitrary.json(), b: arbitrary.json() })
    .map((data) => ({ id: 'evt_1', type: 't', data }));

  test('De Morgan holds on present paths', () => {
    fc.assert(
      fc.property(arbitrary.matchOf(onPresentPath), event, (match, one) => {
        expect(holds(inverted(match), one)).toBe(!holds(match, one));
      }),
      { numRuns: 1_000 },
    );
  });

  test('on an absent path every leaf is false, but missing', () => {
    fc.assert(
      fc.property(arbitrary.leaf(), (one) => {
        expect(holds({ ...one, path: 'data.absent' }, { data: { a: 1 } })).toBe(one.op === 'missing');
      }),
    );
  });

  test('the order of children changes no answer', () => {
    fc.assert(
      fc.property(fc.array(arbitrary.match(), { minLength: 1 }), arbitrary.event(), (children, one) => {
        const reversed = children.toReversed();
        expect(holds({ all: reversed }, one)).toBe(holds({ all: children }, one));
        expect(holds({ any: reversed }, one)).toBe(holds({ any: children }, one));
      }),
    );
  });
});

describe('transforms', () => {
  const settling = fc.oneof(
    fc.record({ op: fc.constant('set' as const), path: arbitrary.dataPath(), value: arbitrary.json() }),
    fc.record({
      op: fc.constantFrom('uppercase' as const, 'lowercase' as const, 'trim' as const),
      path: fc.constant('data.a'),
    }),
  );
  const wide = fc.tuple(arbitrary.event(), fc.string({ unit: 'grapheme' })).map(([event, a]) => ({
    ...event,
    data: { ...event.data, a },
  }));

  test('set, uppercase, lowercase and trim do nothing the second time', () => {
    fc.assert(
      fc.property(settling, fc.oneof(wide, arbitrary.event()), (op, event) => {
        // A set that puts its own container into itself goes one level down each time.
        fc.pre(op.op !== 'set' || typeof op.value !== 'object');
        const once = transform([op], event);
        expect(transform([op], once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  test('each op works on the result of the one before', () => {
    fc.assert(
      fc.property(ops(3), ops(3), arbitrary.event(), (first, second, event) => {
        const apart = transform(second, transform(first, event));
        expect(text(transform([...first, ...second], event))).toBe(text(apart));
      }),
      { numRuns: 1_000 },
    );
  });

  test('the event handed in stays as it was', () => {
    fc.assert(
      fc.property(arbitrary.encounter(), ops(), ([rules, events], list) => {
        const before = text(events);
        arbitrary.deepFrozen(events).forEach(compileTransform(list));
        events.forEach((event) => compileRules(rules).evaluate(event));
        expect(text(events)).toBe(before);
      }),
    );
  });

  test('what no op names is the very same object', () => {
    fc.assert(
      fc.property(ops(), arbitrary.event(), (list, event) => {
        expect(
          copied(
            event,
            transform(list, event),
            list.map(({ path }) => oracle.segmentsOf(path)),
          ),
        ).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('an event in which nothing changed is the very same object', () => {
    fc.assert(
      fc.property(ops(), arbitrary.event(), (list, event) => {
        const after = transform(list, event);
        if (isDeepStrictEqual(after, event)) expect(after).toBe(event);
      }),
      { numRuns: 1_500 },
    );
  });

  test('raw_payload never changes, also where it is the object that data holds', () => {
    fc.assert(
      fc.property(ops(), arbitrary.event(), (list, { data, ...event }) => {
        expect(transform(list, { ...event, data, raw_payload: data }).raw_payload).toBe(data);
      }),
    );
  });

  test('no event shares what set puts in with the rule or with another event', () => {
    const value = { inner: { list: [1] } };
    const set = compileTransform([{ op: 'set', path: 'data.a', value }]);
    const [one, other] = [{}, {}].map(
      (a) => set({ id: 'evt_1', type: 't', data: { a } }).data.a as typeof value,
    );
    one!.inner.list.push(2);
    expect([value, other]).toEqual([{ inner: { list: [1] } }, { inner: { list: [1] } }]);
  });
});

describe('rule sets', () => {
  test('the order in which rules are handed in means nothing', () => {
    fc.assert(
      fc.property(arbitrary.encounter(), ([rules, events]) => {
        expect(text(decisions(rules.toReversed(), events))).toBe(text(decisions(rules, events)));
      }),
      { numRuns: 300 },
    );
  });

  test('a rule that does not match, or is disabled, changes nothing', () => {
    fc.assert(
      fc.property(arbitrary.encounter(), arbitrary.rule(), ([rules, events], extra) => {
        const idle: Rule[] = [
          { ...extra, id: 'idle-1', enabled: false },
          { ...extra, id: 'idle-2', enabled: true, match: { path: 'data.absent', op: 'exists' } },
        ];
        expect(text(decisions([...idle, ...rules], events))).toBe(text(decisions(rules, events)));
      }),
      { numRuns: 300 },
    );
  });

  test('exported and imported rules decide every event alike', () => {
    fc.assert(
      fc.property(arbitrary.encounter(), fc.boolean(), fc.boolean(), ([all, events], asText, descending) => {
        const rules = all.map(({ enabled: _, ...rule }, i) => ({ ...rule, name: `rule ${i}` }));
        const documents = exportRules(rules);
        let made = 0;
        const imported = importRules(asText ? JSON.stringify(documents) : documents, {
          newId: () => `id-${String(descending ? 999 - made++ : made++).padStart(3, '0')}`,
        });
        expect(imported.summary).toEqual({ imported: rules.length, skipped: 0, errors: [] });
        expect(text(withoutIds(decisions(imported.rules, events)))).toBe(
          text(withoutIds(decisions(rules, events))),
        );
      }),
      { numRuns: 500 },
    );
  });
});

const decisions = (rules: readonly Rule[], events: readonly Event[]): Decision[] => {
  const set = compileRules(rules);
  return events.map((event) => set.evaluate(event));
};

/** All of a decision, but of the rules only the names. */
const withoutIds = (all: readonly Decision[]) =>
  all.map(({ matched, droppedBy, ...rest }) => ({
    ...rest,
    droppedBy: droppedBy?.name,
    matched: matched.map(({ name }) => name),
  }));

/** Values that no path leads to or through and that are nevertheless not shared. */
function copied(before: unknown, after: unknown, paths: readonly (readonly string[])[], at = ''): string[] {
  if (Object.is(before, after) || paths.some(({ length }) => length === 0)) return [];
  if (paths.length === 0) return [at];
  return Object.entries(before as object).flatMap(([key, value]) => {
    const below = paths
      .filter(([first]) => first === key || first === oracle.STAR)
      .map((path) => path.slice(1));
    return copied(value, (after as Record<string, unknown>)[key], below, `${at}/${key}`);
  });
}

/** The value that an RFC 6901 pointer points at. */
function resolve(root: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((value, key) => (value as Record<string, unknown>)[key], root);
}

/** Events newest first, about the edges of the window, and the options that span it. */
function history() {
  const now = Date.UTC(2026, 0, 8);
  const windows = fc.constantFrom(1, 24, 168);
  const offsets = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(-1, 0, 1, 5)), { maxLength: 6 });
  return fc
    .tuple(windows, offsets, fc.array(arbitrary.event(), { minLength: 6, maxLength: 6 }))
    .map(([windowHours, edges, base]) => {
      const events = edges
        .map(([windowsBack, ms]) => now - windowsBack * windowHours * 3_600_000 + ms)
        .sort((a, b) => b - a)
        .map((at, i): Event => ({ ...base[i]!, received_at: new Date(at).toISOString() }));
      return [[...events, ...base.slice(5)], { windowHours, now }] as const;
    });
}

const endpoints = () =>
  fc.option(
    fc.array(
      fc.record({
        id: arbitrary.endpointId(),
        status: fc.constantFrom('active' as const, 'paused' as const),
      }),
      { maxLength: 3 },
    ),
  );
