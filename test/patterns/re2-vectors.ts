/** The shape of test/vectors/re2.json, and how its matches read. */
import type { Match } from './engines.js';

/** The matches of RE2, by pattern and subject. */
export interface Re2Vectors {
  readonly refused: readonly string[];
  readonly groups: readonly {
    readonly about: string;
    readonly subjects: readonly string[];
    /** Pattern → for each subject its matches; `null` where RE2, which sees bytes, splits a character. */
    readonly cases: Readonly<Record<string, readonly (string | null)[]>>;
  }[];
}

/** `0,2,0,1,-` → start, end, text of group 1, nothing for group 2. */
export function readMatches(text: string, subject: string): readonly Match[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((match): Match => {
      const [start, end, ...rest] = match.split(',');
      const groups: (string | undefined)[] = [];
      for (let i = 0; i < rest.length; i++) {
        groups.push(rest[i] === '-' ? undefined : subject.slice(Number(rest[i]), Number(rest[++i])));
      }
      return [Number(start), Number(end), ...groups];
    });
}

/** The subject with each match in angle brackets. */
export function bracket(matches: readonly Match[], subject: string): string {
  let text = '';
  let kept = 0;
  for (const [start, end] of matches) {
    text += `${subject.slice(kept, start)}<${subject.slice(start, end)}>`;
    kept = end;
  }
  return text + subject.slice(kept);
}
