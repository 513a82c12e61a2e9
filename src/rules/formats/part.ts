/**
 * Conditions of other systems, taken apart node by node and put together as a match tree: by a loop, to any depth. A
 * format says how one node is read; it never leaves out a part of a condition.
 */
import type { IssueList, Location } from '../issues/index.js';
import type { Match } from '../rule.js';

/** Names from the event's root; `null` stands for every element of an array. */
export type Steps = readonly (string | null)[];

/** A part of a condition that is still to be read. */
export interface Part {
  readonly node: unknown;
  readonly location: Location;
  /** Whether it must not hold. */
  readonly negated: boolean;
  /** The value that it is about. */
  readonly steps: Steps;
  /** How the format reads it, if it has several kinds of nodes. */
  readonly kind?: string;
  /** Present in a condition on the elements of an array, which one of them must meet; negated: none. */
  readonly some?: { readonly negated: boolean };
}

/** Facts that the caller knows of all events. */
export interface Context {
  /** Every value is of the kind that it is compared with, or `null`, or absent. */
  readonly kinds: boolean;
  /** Names are only read from objects. */
  readonly objects: boolean;
  /** The steps that lead to the document that conditions are about. */
  readonly root: Steps;
}

/** Says why a part has no equal here. */
export interface Refusal {
  readonly refused: string;
  /** @defaultValue the location of the part */
  readonly location?: Location;
}

/** A part that consists of others. */
export interface Parts {
  readonly join: 'all' | 'any';
  readonly parts: readonly Part[];
}

/** A tree that says the same, or the one answer for all events; or a refusal. */
export type Answer = Match | boolean | Refusal;

/** Reads one node. */
export type Read = (part: Part, context: Context) => Answer | Parts;

export const refuse = (refused: string, location?: Location): Refusal =>
  location === undefined ? { refused } : { refused, location };

export const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'refused' in answer;

/** The location of a member. */
export const below = (location: Location, ...keys: readonly (string | number)[]): Location =>
  keys.reduce<Location>((parent, key) => ({ parent, key }), location);

/** Parts of which all must hold, or any; the other way around if the part is negated. */
export const joined = ({ negated }: Part, join: 'all' | 'any', parts: readonly Part[]): Parts => ({
  join: negated === (join === 'all') ? 'any' : 'all',
  parts,
});

/** A group whose parts are read so far. */
interface Frame {
  readonly join: 'all' | 'any';
  /** Last part first. */
  readonly pending: Part[];
  readonly done: Match[];
  /** Whether a part decides the group alone. */
  decided: boolean;
}

const frameOf = ({ join, parts }: Parts): Frame => ({
  join,
  pending: parts.toReversed(),
  done: [],
  decided: false,
});

/** The tree that says the same as a condition; `null` if it was refused, and then the issues say why. */
export function convert(read: Read, root: Part, context: Context, issues: IssueList): Match | null {
  const frames = [frameOf({ join: 'all', parts: [root] })];
  for (let frame = frames.at(-1); frame !== undefined && !issues.done; frame = frames.at(-1)) {
    const part = frame.pending.pop();
    if (part === undefined) {
      frames.pop();
      const around = frames.at(-1);
      if (around === undefined) return finish(combine(frame), root, issues);
      add(around, combine(frame));
      continue;
    }
    const reading = read(part, context);
    if (typeof reading === 'boolean' || !('parts' in reading)) {
      if (!isRefusal(reading)) add(frame, reading);
      else issues.add('not_convertible', reading.location ?? part.location, reading.refused);
    } else if (reading.join === frame.join) {
      for (const inner of reading.parts.toReversed()) frame.pending.push(inner);
    } else {
      frames.push(frameOf(reading));
    }
  }
  return null;
}

function add(frame: Frame, answer: Match | boolean): void {
  if (typeof answer !== 'boolean') frame.done.push(answer);
  else if (answer === (frame.join === 'any')) frame.decided = true;
}

const combine = ({ join, done, decided }: Frame): Match | boolean =>
  decided ? join === 'any' : group(join, done);

/** A group of trees: the tree itself if it is the only one, and the answer if there is none. */
export function group(join: 'all' | 'any', trees: readonly Match[]): Match | boolean {
  const [first] = trees;
  if (first === undefined) return join === 'all';
  if (trees.length === 1) return first;
  return join === 'all' ? { all: trees } : { any: trees };
}

function finish(tree: Match | boolean, { location }: Part, issues: IssueList): Match | null {
  if (!issues.none) return null;
  if (typeof tree !== 'boolean') return tree;
  const answer = tree ? 'holds for every event' : 'holds for no event';
  issues.add('not_convertible', location, `this ${answer}, and a rule has no such condition; leave it out`);
  return null;
}
