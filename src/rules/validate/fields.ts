/** Members that stand in many places: paths, patterns, values, names out of a closed list. */
import { whyNotJson } from '../../json.js';
import { checkPattern } from '../../patterns/index.js';
import { guess, type IssueList, type Place, show } from '../issues/index.js';
import { parsePath, type Path } from '../path.js';

/** An object that is being checked. */
export type Node = Readonly<Record<string, unknown>>;

/** A name that is none of those known, and the one that it is much like, if there is one. */
export function unknownName(kind: string, word: unknown, known: readonly string[]): string {
  const meant = guess(word, known).replace(' Did', '; did');
  return `unknown ${kind} ${show(word)}${meant === '' ? '.' : meant} Known: ${known.join(', ')}`;
}

/** What a value holds that JSON cannot; that it is missing is said elsewhere. */
export function checkJson(value: unknown, place: Place, issues: IssueList): void {
  const count = (units: number): boolean => issues.takes(units, place);
  const reason = value === undefined ? null : whyNotJson(value, count);
  if (reason !== null) issues.add('invalid_value', place, `value must be JSON, but it holds ${reason}`);
}

/** A pattern that is not of RE2's language, too long or too costly; that it is no string is said elsewhere. */
export function checkRegex(source: unknown, place: Place, issues: IssueList): void {
  const problem = typeof source === 'string' ? checkPattern(source) : null;
  if (problem !== null) issues.add(problem.code, place, problem.message);
}

/**
 * A path that cannot be parsed; that it is no string is said elsewhere.
 *
 * @returns The path, where it is one.
 */
export function checkPath(path: unknown, place: Place, issues: IssueList): Path | null {
  if (typeof path !== 'string' || !issues.takes(path.length, place)) return null;
  const parsed = parsePath(path);
  if (typeof parsed !== 'string') return parsed;
  issues.add('invalid_path', place, parsed);
  return null;
}
