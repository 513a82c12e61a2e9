/** `starts_with`, `ends_with`, `matches` and its inverse: they look for a text, or a pattern, in a string. */
import type { AnyLeaf, Definition, Form, Test } from './operator.js';

/** Looks for a text, or an RE2 pattern of at most 200 code points, in the string at `path`. */
export interface TextLeaf extends AnyLeaf {
  readonly op: 'starts_with' | 'ends_with' | 'matches' | 'not_matches';
  readonly value: string;
}

export const textForm: Form<TextLeaf['op']> = {
  name: 'textLeaf',
  value: { type: 'string', description: 'a string' },
  operators: {
    starts_with: {
      aliases: 'startwith beginswith beginwith prefix hasprefix',
      insteadOfInverse: 'not_matches with ^…',
    },
    ends_with: { aliases: 'endwith suffix hassuffix', insteadOfInverse: 'not_matches with …$' },
    matches: { aliases: 'regex regexp like ~ =~ match test matchesregex', isPattern: true },
    not_matches: {
      negates: 'matches',
      aliases: '!~ notmatch notlike notregex doesnotmatch',
      isPattern: true,
    },
  },
};

const ofText =
  (holds: (subject: string) => boolean): Test =>
  (subject) =>
    typeof subject === 'string' && holds(subject);

export const textOperators: Readonly<Record<'starts_with' | 'ends_with' | 'matches', Definition<string>>> = {
  starts_with: {
    test: (prefix) => ofText((subject) => subject.startsWith(prefix)),
    demand: (text) => ({ kind: 'affix', end: 'start', text }),
  },
  ends_with: {
    test: (suffix) => ofText((subject) => subject.endsWith(suffix)),
    demand: (text) => ({ kind: 'affix', end: 'end', text }),
  },
  matches: {
    test: (source, compilePattern) => {
      const pattern = compilePattern(source);
      return (subject, account) => (typeof subject === 'string' ? pattern.test(subject, account) : false);
    },
    demand: (source) => ({ kind: 'pattern', source }),
  },
};
