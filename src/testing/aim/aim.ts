/** Changes random events so that given rules match them, or nearly match them. */
import { compileMatch } from '../../default-engine.js';
import { STAR, parsePath, type Path } from '../../rules/path.js';
import type { Event, Leaf, Match, Rule } from '../../rules/rule.js';
import { answersTo, joinedText, type Answer } from './answers.js';
import { Choices } from './choices.js';
import { planted } from './plant.js';

/**
 * The event, changed towards up to three of the rules. One event in eight is not changed. Of the values that are set,
 * three in four are the best for the rule's leaves, and one in four is any value near them.
 *
 * @param numbers - The random choices; see {@link Choices}.
 */
export function aimed(rules: readonly Rule[], event: Event, numbers: readonly number[]): Event {
  const choices = new Choices(numbers);
  const targets = rules.length === 0 ? 0 : Math.ceil(choices.below(8) / 3);
  let result: unknown = event;
  for (let n = 0; n < targets; n++) result = aimedAt(choices.of(rules) as Rule, result, choices);
  return settled(result as Event, event);
}

/** A copy of the event in which each path that the tree needs has the best value for its leaves. */
function aimedAt({ match }: Rule, event: unknown, choices: Choices): unknown {
  let result = event;
  for (const [text, leaves] of byPath(neededLeaves(match, choices))) {
    result = planted(result, elementOf(parsePath(text) as Path, choices), answerTo(leaves, choices));
  }
  return result;
}

/** The path of one of the elements that the stars of a path stand for. */
const elementOf = (path: Path, choices: Choices): Path =>
  path.map((segment) => {
    if (segment !== STAR) return segment;
    const index = choices.below(3);
    return { key: String(index), index };
  });

/** Leaves which together make the tree match: of each `any`, those of one child. */
function neededLeaves(match: Match, choices: Choices): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const pending = [match];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ('all' in node) {
      for (const child of node.all) pending.push(child);
    } else if ('any' in node) pending.push(choices.of(node.any) as Match);
    else leaves.push(node);
  }
  return leaves;
}

/** Leaves by path, shorter paths first, so that values at longer paths are set within those at shorter ones. */
function byPath(leaves: readonly Leaf[]): readonly (readonly [string, readonly Leaf[]])[] {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const group = groups.get(leaf.path);
    if (group === undefined) groups.set(leaf.path, [leaf]);
    else group.push(leaf);
  }
  return [...groups].sort(([a], [b]) => a.length - b.length);
}

/** Most leaves on one path for which the best value is searched; further ones are ignored. */
const MAX_WEIGHED = 8;

function answerTo(all: readonly Leaf[], choices: Choices): Answer {
  const leaves = all.slice(0, MAX_WEIGHED);
  const answers = [...leaves.flatMap((leaf) => answersTo(leaf, choices)), joinedText(leaves)];
  if (choices.below(4) === 3) return choices.of(answers);
  const tests = leaves.map((leaf) => compileMatch({ ...leaf, path: 'at' }));
  const held = answers.map((at) => tests.filter((holds) => holds({ at })).length);
  const most = Math.max(...held);
  return choices.of(answers.filter((_, i) => held[i] === most));
}

type Shapes = { readonly [key in keyof Event]-?: (value: unknown) => boolean };

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types of the event's members that the library reads, where they are present. */
const SHAPES: Shapes = {
  id: isText,
  type: isText,
  topic: isText,
  data: isObject,
  channel: (value) => isObject(value) && 'type' in value && isText(value.type),
  raw_payload: () => true,
  status: isText,
  tags: (value) => Array.isArray(value) && value.every(isText),
  received_at: isText,
};

/** Restores members that the library reads, where aiming has removed them or changed their types. */
function settled(event: Event, before: Event): Event {
  const misshapen = Object.entries(SHAPES).filter(
    ([key, fits]) => Object.hasOwn(event, key) && !fits(event[key as keyof Event]),
  );
  const restored = misshapen.map(([key]) => [key, before[key as keyof Event]] as const);
  const needed = { id: before.id, type: before.type, data: before.data };
  const settled = { ...needed, ...event, ...Object.fromEntries(restored) };
  for (const [key, value] of restored) {
    if (value === undefined) delete settled[key as 'channel'];
  }
  return settled;
}
