/** Pieces of the sentences in issues. */

/** Text longer than this is cut in messages. */
const SHOWN = 40;

/** A value, short enough for a sentence. */
export function show(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return 'a bigint';
  return typeof value === 'object' && value !== null ? kindOfObject(value) : String(value);
}

/** Such as `an object`, `a Promise` or `a Map`. */
function kindOfObject(value: object): string {
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind === 'Object') return 'an object';
  return /^[AEIOU]/.test(kind) ? `an ${kind}` : `a ${kind.slice(0, SHOWN)}`;
}

/** What people write who come from elsewhere, by what it is called here. */
const ALIASES_OF: Readonly<Record<string, string>> = {
  eq: '= == === equals equal equalto is',
  neq: '!= !== <> ne notequal notequals notequalto isnot',
  gt: '> greater greaterthan morethan after above',
  gte: '>= => ge gteq greaterorequal greaterthanorequal greaterthanorequals greaterthanorequalto atleast min',
  lt: '< less lessthan fewerthan before below',
  lte: '<= =< le lteq lessorequal lessthanorequal lessthanorequals lessthanorequalto atmost max',
  matches: 'regex regexp like ~ =~ match test matchesregex',
  not_matches: '!~ notmatch notlike notregex doesnotmatch',
  contains: 'includes include has substring arraycontains',
  not_contains: 'notcontain doesnotcontain notincludes excludes hasnot',
  starts_with: 'startwith beginswith beginwith prefix hasprefix',
  ends_with: 'endwith suffix hassuffix',
  in: 'oneof anyof isin within memberof',
  not_in: 'nin noneof notoneof isnotin',
  exists: 'exist present defined isset haspath',
  missing: 'absent notexists notexist doesnotexist undefined notset ispresentnot',
  all: 'and && every allof must',
  any: 'or || some should',
  name: 'title',
  path: 'field key property',
  op: 'operator comparator condition',
  drop: 'block filter delete discard ignore reject',
  route_only: 'route forward routeto send deliver',
  tag: 'label tags addtag',
  transform: 'modify mutate change map rewrite',
  redact: 'replace mask hide censor scrub',
  set: 'assign put write overwrite',
  regex: 'pattern',
  replace: 'with replacement',
  deep: 'recursive nested',
  uppercase: 'upper toupper touppercase',
  lowercase: 'lower tolower tolowercase',
  trim: 'strip',
};

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES_OF).flatMap(([name, aliases]) => aliases.split(' ').map((alias) => [alias, name])),
);

const normalize = (word: string): string =>
  word
    .slice(0, 32)
    .toLowerCase()
    .replace(/[\s_-]/g, '');

/** The candidate that is most like a word: what it is called elsewhere, or the fewest edits away. */
export const nearest = (word: unknown, candidates: readonly string[]): string =>
  mostAlike(word, candidates).candidate;

/** A question that names the candidate most like a word; nothing where none is much like it. */
export function guess(word: unknown, candidates: readonly string[]): string {
  const { candidate, distance } = mostAlike(word, candidates);
  return distance <= candidate.length / 2 ? ` Did you mean ${candidate}?` : '';
}

function mostAlike(word: unknown, candidates: readonly string[]): { candidate: string; distance: number } {
  const normal = typeof word === 'string' ? normalize(word) : '';
  const alias = ALIASES.get(normal);
  const ranked = candidates.map((candidate) => ({
    candidate,
    distance: candidate === alias ? 0 : edits(normal, normalize(candidate)),
  }));
  return ranked.reduce((best, next) => (next.distance < best.distance ? next : best));
}

/** Insertions, deletions and substitutions that turn one word into the other. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substituted = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
