/** Edits of nested conditions: they lose nothing and stay within the levels that the builder shows. */
import fc from 'fast-check';
import { stringifyJson } from 'headgate/slim';
import { createArbitraries } from 'headgate/testing';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../dashboard/parts/rule-editor/model/form.js';
import {
  addGroup,
  addLeaf,
  isSpare,
  joinBy,
  leavesIn,
  mayNest,
  moveIn,
  moveOut,
  moveWithin,
  nameIn,
  neighbourOf,
  nodesIn,
  outlineOf,
  parentOf,
  remove,
  unwrap,
  wrap,
} from '../../../dashboard/parts/rule-editor/model/match-edits.js';
import {
  type GroupForm,
  type MatchForm,
  MOST_LEVELS,
  type NodeForm,
  printMatch,
  readMatch,
} from '../../../dashboard/parts/rule-editor/model/match-form.js';
import { readSource } from '../../../dashboard/parts/rule-editor/model/source.js';

function formOf(match: unknown): MatchForm {
  const source = readSource(stringifyJson(match));
  const form = readMatch(source, source.nodes[0]!);
  if (isRefusal(form)) throw new Error(form.why);
  return form;
}

const forms = createArbitraries(fc).match().map(formOf);
const matchOf = (form: MatchForm): unknown => JSON.parse(printMatch(form).text);
/** A form with any node of it. */
const nodes = forms.chain((form) => fc.tuple(fc.constant(form), fc.constantFrom(...nodesIn(form))));

const leaf = (path: string) => ({ path, op: 'exists' });
const named = (form: MatchForm, path: string): number =>
  leavesIn(form).find((one) => one.path === path)?.id ?? -1;
const groupsIn = (form: MatchForm): readonly GroupForm[] => [
  form,
  ...nodesIn(form).filter((node): node is GroupForm => node.kind === 'group'),
];

const levelsOf = (node: NodeForm): number =>
  node.kind === 'leaf' ? 0 : 1 + Math.max(0, ...node.children.map(levelsOf));
const pathsIn = (form: MatchForm): readonly string[] =>
  leavesIn(form)
    .map((one) => printMatch({ ...form, isBare: true, children: [one] }).text)
    .sort();

function assertSound(form: MatchForm): void {
  const ids = [form.id, ...nodesIn(form).map(({ id }) => id)];
  expect(new Set(ids).size).toBe(ids.length);
  expect(levelsOf(form)).toBeLessThanOrEqual(MOST_LEVELS);
}

type Deed = (form: MatchForm, node: NodeForm, group: GroupForm) => MatchForm | null;
const MOVES: readonly Deed[] = [
  (form, { id }) => moveIn(form, id),
  (form, { id }) => moveOut(form, id),
  (form, { id }) => wrap(form, id),
  (form, { id }) => unwrap(form, id),
  (form, _, group) => moveWithin(form, group, 0, group.children.length - 1),
  (form, _, group) => joinBy(form, group, group.join === 'all' ? 'any' : 'all'),
];

test('after any moves, all leaves are there, none has more levels than the builder shows, and no group is empty', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...MOVES), fc.nat(), fc.nat()), { maxLength: 60 });
  fc.assert(
    fc.property(forms, steps, (first, all) => {
      let form = first;
      for (const [deed, nth, other] of all) {
        const inside = nodesIn(form);
        const groups = groupsIn(form);
        form = deed(form, inside[nth % inside.length]!, groups[other % groups.length]!) ?? form;
        assertSound(form);
      }
      expect(pathsIn(form)).toEqual(pathsIn(first));
      expect(groupsIn(form).every(({ children }) => children.length > 0)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

describe('a node', () => {
  test('that went into the group before it and out again is where it was', () => {
    fc.assert(
      fc.property(nodes, ([form, { id }]) => {
        const parent = parentOf(form, id)!;
        const before = parent.children[parent.children.findIndex((one) => one.id === id) - 1];
        const inside = moveIn(form, id);
        if (inside === null || before?.kind !== 'group') return;
        expect(parentOf(inside, id)?.id).toBe(before.id);
        expect(moveOut(inside, id)).toEqual(form);
      }),
      { numRuns: 300 },
    );
  });

  test('that was put into a group of its own and taken out of it is where it was', () => {
    fc.assert(
      fc.property(nodes, ([form, { id }]) => {
        const wrapped = wrap(form, id)!;
        const { id: group, join } = parentOf(wrapped, id)!;
        expect(join).not.toBe(parentOf(form, id)!.join);
        expect(unwrap(wrapped, group)).toEqual(form);
        expect(matchOf(moveOut(wrapped, id)!)).toEqual(matchOf(form));
      }),
    );
  });

  test('that is added and removed again leaves the match as it was, with the same objects', () => {
    fc.assert(
      fc.property(forms, fc.nat(), (form, nth) => {
        const groups = groupsIn(form);
        const group = groups[nth % groups.length]!;
        for (const added of [addLeaf(form, group), addGroup(form, group)]) {
          assertSound(added);
          const more = nodesIn(added).find(({ id }) => !nodesIn(form).some((one) => one.id === id))!;
          expect(parentOf(added, more.id)?.id).toBe(group.id);
          expect(remove(added, more.id)).toEqual(form);
          for (const child of form.children) {
            if (child.id !== group.id && !(child.kind === 'group' && parentOf(child, more.id))) {
              const same = added.children.find(({ id }) => id === child.id);
              if (child.kind === 'leaf' || parentOf(child, group.id) === null) expect(same).toBe(child);
            }
          }
        }
      }),
    );
  });

  test('that is removed takes the groups with it that it leaves empty, and another one gets the focus', () => {
    const form = formOf({ all: [leaf('a'), { any: [{ all: [leaf('b')] }] }, leaf('c')] });
    expect(matchOf(remove(form, named(form, 'b')))).toEqual({ all: [leaf('a'), leaf('c')] });
    expect(neighbourOf(form, named(form, 'b'))).toBe(named(form, 'c'));
    expect(neighbourOf(form, named(form, 'c'))).toBe(form.children[1]!.id);
    expect(isSpare(form, form.children[1]!)).toBe(true);
    const only = formOf({ all: [{ any: [leaf('b')] }] });
    expect(isSpare(only, only.children[0]!)).toBe(false);
  });
});

test.for([
  {
    what: 'goes to the end of the group before it',
    match: { all: [{ any: [leaf('a')] }, leaf('x'), { any: [leaf('b')] }] },
    in: { all: [{ any: [leaf('a'), leaf('x')] }, { any: [leaf('b')] }] },
    out: null,
  },
  {
    what: 'goes to the front of the group after it, if there is none before it',
    match: { any: [leaf('a'), leaf('x'), { all: [leaf('b')] }] },
    in: { any: [leaf('a'), { all: [leaf('x'), leaf('b')] }] },
    out: null,
  },
  {
    what: 'comes out behind its group',
    match: { all: [{ any: [leaf('a'), leaf('x'), leaf('b')] }, leaf('c')] },
    in: null,
    out: { all: [{ any: [leaf('a'), leaf('b')] }, leaf('x'), leaf('c')] },
  },
  {
    what: 'comes out in the place of its group, if that is empty then',
    match: { all: [leaf('a'), { any: [leaf('x')] }, leaf('c')] },
    in: null,
    out: { all: [leaf('a'), leaf('x'), leaf('c')] },
  },
])('a condition $what', ({ match, in: inside, out }) => {
  const form = formOf(match);
  const [moved, left] = [moveIn(form, named(form, 'x')), moveOut(form, named(form, 'x'))];
  expect(moved && matchOf(moved)).toEqual(inside);
  expect(left && matchOf(left)).toEqual(out);
});

test(`no edit makes more than ${MOST_LEVELS} levels`, () => {
  let match: object = leaf('x');
  for (let level = 0; level < MOST_LEVELS; level++) match = { all: [match, leaf(`b${level}`)] };
  const form = formOf(match);
  const innermost = parentOf(form, named(form, 'x'))!;
  expect(mayNest(form, innermost)).toBe(false);
  expect(mayNest(form, parentOf(form, innermost.id)!)).toBe(true);
  expect(wrap(form, named(form, 'x'))).toBeNull();
  expect(wrap(form, innermost.id)).toBeNull();
  // A group beside the outermost one but one: what has as many levels as that has room for does not fit into it.
  const tall = formOf({ all: [{ any: [leaf('a')] }, (match as { all: object[] }).all[0]!] });
  expect(moveIn(tall, tall.children[1]!.id)).toBeNull();
  expect(moveIn(tall, tall.children[0]!.id)).not.toBeNull();
});

test('nodes are named by their numbers', () => {
  const form = formOf({ all: [leaf('a'), { any: [leaf('b'), { all: [leaf('c')] }] }] });
  expect(nodesIn(form).map(({ id }) => nameIn(form, id))).toEqual([
    ...['condition 1', 'group 2', 'condition 2.1', 'group 2.2', 'condition 2.2.1'],
  ]);
  expect(outlineOf(form, form.id)).toBe('');
});
