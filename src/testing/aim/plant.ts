/** Sets a value at a path. */
import { child, type Path, type Segment } from '../../rules/path.js';
import type { Answer } from './answers.js';

type Container = unknown[] | Record<string, unknown>;

/** A larger index makes an object instead of a long array. */
const MAX_INDEX = 20;

/**
 * A copy in which the value is at the path. Containers beside the path are shared. A scalar on the path is replaced by
 * a container.
 *
 * @param value - `undefined` removes the value at the path.
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

/** A copy of the value if it can have a child at the segment; otherwise a new container. */
function containerFor(value: unknown, { index }: Segment): Container {
  if (Array.isArray(value) && index >= 0 && index <= MAX_INDEX) return value.slice() as unknown[];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  return index === 0 ? [] : {};
}

/** Sets or removes an own member of any name. An array is filled with nulls up to its new element. */
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
