/**
 * Reading one path in many events, nearly as fast as access written by hand.
 *
 * Asking whether a container itself has a member takes longer than taking the member. So the member is taken first,
 * once, and is asked about only if there is one.
 */
import { owns, readPath, type Path, type Segment } from '../path.js';

/** An object, with members of its own and inherited ones, or an array. */
export type Container = Readonly<Record<string, unknown>>;

/** Whether a value can have anything below it. */
export const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null;

/** Makes a function that reads a path, as {@link readPath} does. */
export function readerOf(path: Path): (root: unknown) => unknown {
  const [a, b, c] = path;
  if (a === undefined) return (root) => root;
  if (b === undefined) return (root) => first(root, a);
  if (c === undefined) return (root) => second(first(root, a), b);
  if (path.length === 3) return (root) => third(second(first(root, a), b), c);
  const rest = path.slice(3);
  return (root) => readPath(third(second(first(root, a), b), c), rest);
}

// JavaScript engines remember for each line of the source which shapes and keys it met, and are fast if they are few.
// So each of the first levels has a function of its own, alike but for its name.

function first(parent: unknown, segment: Segment): unknown {
  if (!isContainer(parent)) return undefined;
  const member = parent[segment.key];
  return member === undefined || isOwn(parent, segment, PLAIN[segment.key]) ? member : undefined;
}

function second(parent: unknown, segment: Segment): unknown {
  if (!isContainer(parent)) return undefined;
  const member = parent[segment.key];
  return member === undefined || isOwn(parent, segment, PLAIN[segment.key]) ? member : undefined;
}

function third(parent: unknown, segment: Segment): unknown {
  if (!isContainer(parent)) return undefined;
  const member = parent[segment.key];
  return member === undefined || isOwn(parent, segment, PLAIN[segment.key]) ? member : undefined;
}

const PLAIN = Object.prototype as unknown as Container;

/** Whether a container has Object.prototype for its prototype, as all that JSON.parse makes from `{…}` do. */
export const isPlain = (container: object): boolean => Object.getPrototypeOf(container) === PLAIN;

/** Whether plain objects inherit a member: `constructor`, or what a program has put there. */
export const isInherited = (key: string): boolean => PLAIN[key] !== undefined;

/** Whether a member that was found is the container's own. */
const isOwn = (container: object, segment: Segment, inherited: unknown): boolean =>
  (inherited === undefined && isPlain(container)) || owns(container, segment);
