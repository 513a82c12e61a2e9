/** The part of a rule that makes two lists of rules decide an event differently. */
import { stringifyJson } from '../../json-text.js';
import { budgetOf, type PatternOptions } from '../../patterns/index.js';
import { pointerTo } from '../issues/index.js';
import { MATCHED, holds, leafLocations, type Step } from '../match/index.js';
import type { Event, Rule } from '../rule.js';
import { Account } from '../values/index.js';
import { compileTree } from './condition.js';

/** A part of a rule. */
export interface Cause {
  /** The list that the rule is in. */
  readonly in: 'before' | 'after';
  readonly rule: Rule;
  /**
   * RFC 6901 pointer from the root of the rule: a leaf of its match, by which only one of two versions of the rule
   * matches, or by which a rule matches that only one list has; `/action` if both match; `/priority` if only the order
   * differs.
   */
  readonly pointer: string;
}

/** Two versions of a rule, or one that only one list has. */
interface Pair {
  readonly before: Rule | undefined;
  readonly after: Rule | undefined;
}

/** The first rule, in evaluation order, that makes a difference on an event. */
export function causeOf(
  before: readonly Rule[],
  after: readonly Rule[],
  event: Event,
  options: PatternOptions,
): Cause {
  for (const pair of pairsOf(before, after)) {
    const one = pair.before && run(pair.before, event, options);
    const other = pair.after && run(pair.after, event, options);
    if (one?.matches === true && other?.matches === true) {
      const [rule, version] = [pair.before as Rule, pair.after as Rule];
      if (contentOf({ ...rule, match: version.match }) !== contentOf(version)) {
        return { in: 'after', rule: version, pointer: '/action' };
      }
    } else if (one?.matches === true || other?.matches === true) {
      return leafBetween(
        { run: one, rule: pair.before, in: 'before' },
        { run: other, rule: pair.after, in: 'after' },
      );
    }
  }
  return { in: 'after', rule: firstMoved(before, after, event, options), pointer: '/priority' };
}

const contentOf = ({ match, action }: Rule): string => stringifyJson({ match, action });

/** The rules that are not the same in both lists; versions of one rule have the same id, else the same name. */
function pairsOf(before: readonly Rule[], after: readonly Rule[]): readonly Pair[] {
  const rest = new Map<string, Rule[]>();
  for (const rule of after) {
    const content = contentOf(rule);
    rest.set(content, [...(rest.get(content) ?? []), rule]);
  }
  const changed = before.filter((rule) => rest.get(contentOf(rule))?.shift() === undefined);
  const left = new Set(after.filter((rule) => rest.get(contentOf(rule))?.includes(rule)));
  const pairs = changed.map((rule): Pair => {
    const all = [...left];
    const version = all.find(({ id }) => id === rule.id) ?? all.find(({ name }) => name === rule.name);
    if (version !== undefined) left.delete(version);
    return { before: rule, after: version };
  });
  return [...pairs, ...[...left].map((rule) => ({ before: undefined, after: rule }))];
}

/** Leaves of a rule's tree with the results of trying them, as far as they were tried. */
interface Run {
  readonly matches: boolean;
  readonly leaves: readonly { readonly pointer: string; readonly text: string; readonly held: boolean }[];
}

function run({ match }: Rule, event: Event, options: PatternOptions): Run {
  const { program } = compileTree(match, options);
  const locations = leafLocations(match).reverse(); // in the order of the steps
  const account = new Account(budgetOf(options));
  const leaves: { pointer: string; text: string; held: boolean }[] = [];
  let at = program.length - 1;
  while (at >= 0) {
    const step = program[at] as Step;
    const held = holds(step, event, account) === true;
    const pointer = `/match${pointerTo(locations[at] ?? null)}`;
    leaves.push({ pointer, text: stringifyJson(step.leaf), held });
    at = held ? step.ifHeld : step.ifNot;
  }
  return { matches: at === MATCHED, leaves };
}

interface Version {
  readonly run: Run | undefined;
  readonly rule: Rule | undefined;
  readonly in: 'before' | 'after';
}

/** The leaf by which one of two versions matches and the other does not: best one that only one of them has. */
function leafBetween(one: Version, other: Version): Cause {
  const [matching, failing] = one.run?.matches === true ? [one, other] : [other, one];
  const pick = (version: Version, held: boolean, than: Version | null): Cause | undefined => {
    const known = new Set(than?.run?.leaves.map(({ text }) => text));
    const leaf = version.run?.leaves.findLast((each) => each.held === held && !known.has(each.text));
    return leaf && { in: version.in, rule: version.rule as Rule, pointer: leaf.pointer };
  };
  return (pick(failing, false, matching) ??
    pick(matching, true, failing) ??
    pick(failing, false, null) ??
    pick(matching, true, null) ?? {
      in: matching.in,
      rule: matching.rule as Rule,
      pointer: '/match',
    }) satisfies Cause;
}

/** The first rule that matches an event and runs at another time than in the other list. */
function firstMoved(
  before: readonly Rule[],
  after: readonly Rule[],
  event: Event,
  options: PatternOptions,
): Rule {
  const matching = (rules: readonly Rule[]): readonly Rule[] =>
    rules.filter((rule) => run(rule, event, options).matches);
  const [one, other] = [matching(before), matching(after)];
  const moved = other.find((rule, i) => one[i] === undefined || contentOf(one[i]) !== contentOf(rule));
  return moved ?? other[0] ?? (after[0] as Rule);
}
