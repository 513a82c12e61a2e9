/**
 * Reading one path in many events, as fast as hand-written access.
 *
 * An engine remembers for each place in the source which shapes and keys it met there, and is quick where they are few. So
 * each of the first levels has a function of its own, alike but for that.
 */
import { child, readPath, type Path, type Segment } from '../path.js';

/** What reads a path; as {@link readPath} does. */
export function readerOf(path: Path): (root: unknown) => unknown {
  const [a, b, c] = path as readonly [Segment, Segment?, Segment?];
  if (b === undefined) return (root) => first(root, a);
  if (c === undefined) return (root) => second(first(root, a), b);
  if (path.length === 3) return (root) => third(second(first(root, a), b), c);
  const rest = path.slice(3);
  return (root) => readPath(third(second(first(root, a), b), c), rest);
}

const PLAIN = Object.prototype as unknown as Readonly<Record<string, unknown>>;

/** Whether a member that was found cannot be inherited: asking for ownership takes several times as long. */
const isOwn = (parent: object, inherited: unknown): boolean =>
  inherited === undefined && Object.getPrototypeOf(parent) === PLAIN;

function first(parent: unknown, segment: Segment): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  const member = (parent as Readonly<Record<string, unknown>>)[segment.key];
  if (member === undefined || isOwn(parent, PLAIN[segment.key])) return member;
  return child(parent, segment);
}

function second(parent: unknown, segment: Segment): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  const member = (parent as Readonly<Record<string, unknown>>)[segment.key];
  if (member === undefined || isOwn(parent, PLAIN[segment.key])) return member;
  return child(parent, segment);
}

function third(parent: unknown, segment: Segment): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  const member = (parent as Readonly<Record<string, unknown>>)[segment.key];
  if (member === undefined || isOwn(parent, PLAIN[segment.key])) return member;
  return child(parent, segment);
}
