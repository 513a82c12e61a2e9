/** Members that many kinds of objects have: paths, patterns, values, names out of a closed list. */
import { whyNotJson } from '../../json.js';
import { checkPattern } from '../../patterns/check.js';
import { guess, type IssueList, type Location, show } from '../issues/index.js';
import { parsePath, type Path } from '../path.js';

/** An object that is being checked. */
export type Node = Readonly<Record<string, unknown>>;

/** The message for an unknown name, with the known name that it is most like. */
export function unknownName(kind: string, word: unknown, known: readonly string[]): string {
  const meant = guess(word, known).replace(' Did', '; did');
  return `unknown ${kind} ${show(word)}${meant === '' ? '.' : meant} Known: ${known.join(', ')}`;
}

/** Adds an issue for a value that JSON cannot represent. A missing value is reported elsewhere. */
export function checkJson(value: unknown, location: Location, issues: IssueList): void {
  const count = (units: number): boolean => issues.takes(units, location);
  const reason = value === undefined ? null : whyNotJson(value, count);
  if (reason !== null) issues.add('invalid_value', location, `value must be JSON, but it holds ${reason}`);
}

/**
 * Adds an issue for a pattern that is not RE2, too long or too costly. A value that is not a string is reported
 * elsewhere.
 */
export function checkRegex(source: unknown, location: Location, issues: IssueList): void {
  const problem = typeof source === 'string' ? checkPattern(source) : null;
  if (problem !== null) issues.add(problem.code, location, problem.message);
}

/**
 * Adds an issue for a path that cannot be parsed. A value that is not a string is reported elsewhere.
 *
 * @returns The parsed path; `null` if the text is not a path.
 */
export function checkPath(path: unknown, location: Location, issues: IssueList): Path | null {
  if (typeof path !== 'string' || !issues.takes(path.length, location)) return null;
  const parsed = parsePath(path);
  if (typeof parsed !== 'string') return parsed;
  issues.add('invalid_path', location, parsed);
  return null;
}
