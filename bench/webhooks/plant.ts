/**
 * Changes an event so that a tree matches it: each kind of leaf knows a value that it holds on. A star is the first
 * element.
 */
import type { Leaf, Match } from '../../src/index.js';
import type { Draft } from './events.js';
import { word } from './names.js';
import type { Random } from './random.js';

/** Texts that a pattern matches, said by whoever made the pattern. */
export type Samples = ReadonlyMap<string, (random: Random) => string>;

/** Plants all that an `all` asks for and one branch of each `any`. */
export function plant(event: Draft, match: Match, samples: Samples, random: Random): void {
  if ('all' in match) {
    const bounds = match.all.filter((child) => child.op !== undefined && isBound(child));
    for (const child of match.all) if (!bounds.includes(child)) plant(event, child, samples, random);
    plantNumber(event, bounds as Leaf[]);
  } else if ('any' in match) {
    plant(event, random.pick(match.any), samples, random);
  } else if (isBound(match)) {
    plantNumber(event, [match]);
  } else {
    plantLeaf(event, match, samples, random);
  }
}

const isBound = ({ op, value }: Leaf): boolean => /^[gl]te?$/.test(op) && typeof value === 'number';

/** Between the bounds, which are all on one path; nearer to the lower one. */
function plantNumber(event: Draft, bounds: readonly Leaf[]): void {
  for (const path of new Set(bounds.map((leaf) => leaf.path))) {
    const values = (ops: string): number[] =>
      bounds
        .filter((leaf) => leaf.path === path && ops.includes(leaf.op[0]!))
        .map((leaf) => leaf.value as number);
    const [low] = values('g').sort((a, b) => b - a);
    const [high] = values('l').sort((a, b) => a - b);
    write(event, path, low === undefined ? high! - 1 : high === undefined ? low + 1 : (low + high) / 2);
  }
}

function plantLeaf(event: Draft, leaf: Leaf, samples: Samples, random: Random): void {
  const { path } = leaf;
  switch (leaf.op) {
    case 'eq':
      return write(event, path, leaf.value);
    case 'in':
      return write(event, path, random.pick(leaf.value));
    case 'starts_with':
      return write(event, path, `${leaf.value}${word(random.int(1_000))}/${random.int(9_000)}`);
    case 'ends_with':
      return write(event, path, word(random.int(1_000)) + leaf.value);
    case 'contains':
      return write(event, path, extended(read(event, path), leaf.value, random));
    case 'matches':
      return write(event, path, extended(undefined, samples.get(leaf.value)?.(random) ?? '', random));
    case 'exists':
      return write(event, path, read(event, path) ?? 1);
    case 'missing':
      return remove(event, path);
    case 'gt':
    case 'gte':
      return write(event, path, `${leaf.value}1`);
    case 'neq':
    case 'not_in':
    case 'not_contains':
    case 'not_matches':
      return write(event, path, read(event, path) ?? 'another');
    case 'lt':
    case 'lte':
      return write(event, path, '!');
  }
}

/** The value with a needle among its elements or its words. */
function extended(value: unknown, needle: unknown, random: Random): unknown {
  if (Array.isArray(value)) return [...value, needle];
  if (typeof value !== 'string') return needle;
  const words = value.split(' ');
  words.splice(random.int(words.length), 1, String(needle));
  return words.join(' ');
}

function parentOf(event: Draft, keys: readonly string[]): Draft {
  let parent = event;
  for (const [at, key] of keys.slice(0, -1).entries()) {
    parent = (parent[key] ??= keys[at + 1] === FIRST ? [] : {}) as Draft;
  }
  return parent;
}

const FIRST = '0';

const keysOf = (path: string): string[] => path.split('.').map((key) => (key === '*' ? FIRST : key));

function read(event: Draft, path: string): unknown {
  return keysOf(path).reduce<unknown>((value, key) => (value as Draft | null | undefined)?.[key], event);
}

function write(event: Draft, path: string, value: unknown): void {
  const keys = keysOf(path);
  parentOf(event, keys)[keys.at(-1)!] = value;
}

function remove(event: Draft, path: string): void {
  const keys = keysOf(path);
  delete parentOf(event, keys)[keys.at(-1)!];
}
