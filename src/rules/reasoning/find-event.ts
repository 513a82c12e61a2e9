/** An event that a tree matches. */
import { jsonSize, type Json } from '../../json.js';
import { budgetOf, type PatternOptions } from '../../patterns/index.js';
import { pointerTo } from '../issues/index.js';
import { leafLocations, runProgram, type Step } from '../match/index.js';
import type { Event, Leaf, Match } from '../rule.js';
import { Account } from '../values/index.js';
import { compileTree, type Tree } from './condition.js';
import { Effort } from './effort.js';
import { simplified } from './simplify.js';
import { search } from './search.js';

/** Why a question stays open: its work was used up, or the answer lies beyond what is decided. */
export type OpenReason = 'work_used_up' | 'not_decided';

/** An event that a tree matches, a proof that no event does, or neither. */
export type FoundEvent =
  | {
      readonly answer: 'found';
      /** As small and plain as it could be made. */
      readonly event: Event;
      /** Units of work. */
      readonly work: number;
    }
  | {
      readonly answer: 'impossible';
      /** RFC 6901 pointers into the tree: the leaves that exclude each other. */
      readonly leaves: readonly string[];
      readonly work: number;
    }
  | { readonly answer: 'unknown'; readonly reason: OpenReason; readonly work: number };

/** Units of work for one question, by default: up to half a second. */
export const MAX_WORK = 20_000_000;

/** Finds an event that a valid tree matches. */
export function eventFor(match: Match, options: PatternOptions, maxWork: number): FoundEvent {
  const effort = new Effort(maxWork);
  if (!effort.affords(jsonSize(match as unknown as Json, maxWork))) return unknown(effort);
  const tree = compileTree(match, options);
  const answer = search([{ tree, must: true }], effort);
  if (answer === null) return unknown(effort);
  if (!answer.found) {
    return { answer: 'impossible', leaves: pointersTo(tree, answer.leaves), work: effort.spent };
  }
  const isMatch = matcherOf(tree, options);
  if (!isMatch(answer.event)) return unknown(effort);
  const event = simplified(answer.event, isEventAnd(isMatch), effort);
  return { answer: 'found', event: event as unknown as Event, work: effort.spent };
}

const matcherOf =
  ({ program }: Tree, options: PatternOptions) =>
  (event: unknown): boolean =>
    runProgram(program, event, new Account(budgetOf(options)));

/** Whether a smaller event is still one. */
export const isEventAnd =
  (shows: (event: unknown) => boolean) =>
  (event: Json): boolean =>
    isEvent(event) && shows(event);

/** Whether a value has what every event has. */
function isEvent(value: Json): boolean {
  const { id, type, data } = value as { readonly [key: string]: Json | undefined };
  return typeof id === 'string' && typeof type === 'string' && typeof data === 'object' && data !== null;
}

export const unknown = (effort: Effort): Extract<FoundEvent, { answer: 'unknown' }> => ({
  answer: 'unknown',
  reason: effort.ranOut ? 'work_used_up' : 'not_decided',
  work: effort.spent,
});

/** Pointers to leaves of a tree, in document order. */
const pointersTo = ({ match, program }: Tree, leaves: ReadonlySet<Leaf>): readonly string[] =>
  leafLocations(match)
    .filter((_, i) => leaves.has((program[program.length - 1 - i] as Step).leaf))
    .map(pointerTo);
