/** Pieces of the sentences in issues. */

/** Text longer than this is cut in messages. */
const SHOWN = 40;

/** A value, short enough for a sentence. */
export function show(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** What people write who come from elsewhere. */
const ALIASES: Readonly<Record<string, string>> = {
  '=': 'eq',
  '==': 'eq',
  '===': 'eq',
  equals: 'eq',
  equal: 'eq',
  is: 'eq',
  '!=': 'neq',
  '!==': 'neq',
  ne: 'neq',
  notequals: 'neq',
  '>': 'gt',
  '>=': 'gte',
  ge: 'gte',
  '<': 'lt',
  '<=': 'lte',
  le: 'lte',
  regex: 'matches',
  regexp: 'matches',
  like: 'matches',
  '~': 'matches',
  includes: 'contains',
  has: 'contains',
  nin: 'not_in',
  oneof: 'in',
  present: 'exists',
  absent: 'missing',
  and: 'all',
  every: 'all',
  or: 'any',
  some: 'any',
  title: 'name',
  field: 'path',
  operator: 'op',
  block: 'drop',
  filter: 'drop',
  route: 'route_only',
  label: 'tag',
  replace: 'redact',
  pattern: 'regex',
  with: 'replace',
  replacement: 'replace',
  recursive: 'deep',
  nested: 'deep',
  upper: 'uppercase',
  lower: 'lowercase',
};

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
  const alias = Object.hasOwn(ALIASES, normal) ? ALIASES[normal] : undefined;
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
