/** Putting a value where a path leads. */
import { child, type Path, type Segment } from '../../rules/path.js';
import type { Answer } from './answers.js';

type Container = unknown[] | Record<string, unknown>;

/** An index further out than this makes an object rather than a long array. */
const MAX_INDEX = 20;

/**
 * A copy in which the path leads to the value; what lies beside the path is shared. What stands in the way, a
 * scalar say, gives way.
 *
 * @param value - `undefined` takes away what is there.
 */
export function planted(root: unknown, path: Path, value: Answer): unknown {
  const [first, ...rest] = path as [Segment, ...Segment[]];
  const copy = containerFor(root, first);
  let [at, segment] = [copy, first];
  for (const next of rest) {
    const inner = containerFor(child(at, segment), next);
    put(at, segment, inner);
    [at, segment] = [inner, next];
  }
  put(at, segment, value);
  return copy;
}

/** A copy of the value if it can have a child under the segment, else a new container that can. */
function containerFor(value: unknown, { index }: Segment): Container {
  if (Array.isArray(value) && index >= 0 && index <= MAX_INDEX) return value.slice() as unknown[];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  return index === 0 ? [] : {};
}

/** Sets an own member, whatever its name, or takes it away; an array is filled up to its new element. */
function put(container: Container, { key, index }: Segment, value: unknown): void {
  if (Array.isArray(container)) {
    while (container.length < index) container.push(null);
    if (value !== undefined) container[index] = value;
    else container.length = Math.min(container.length, index);
  } else if (value === undefined) {
    delete container[key];
  } else {
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
  }
}
