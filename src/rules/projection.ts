/** The event as it leaves the rules: copied where it changes, shared where it does not. */
import { jsonEquals } from '../json.js';
import { MAX_GROWTH } from '../patterns/index.js';
import { child, readPath, type Path, type Segment } from './path.js';

type Container = Record<string, unknown> | unknown[];

/**
 * An event under change. The original is never written to; each container on the way to a change is
 * copied once, however many changes pass through it.
 */
export class Projection<E> {
  readonly #original: E;
  #root: E;
  readonly #copies = new Set<unknown>();
  /** Where something was put; two events differ nowhere else. */
  readonly #places: Path[] = [];
  /** UTF-16 units that redactions may still add. */
  room = MAX_GROWTH;

  /** @param event - Stays as it is, frozen or not. */
  constructor(event: E) {
    this.#original = event;
    this.#root = event;
  }

  /** The event with all changes; the very same object when there was none, or they undid each other. */
  get event(): E {
    return this.#places.every((path) => this.#isAsItWas(path)) ? this.#original : this.#root;
  }

  /** What stands at a path now; `undefined` when it is absent. */
  read(path: Path): unknown {
    return readPath(this.#root, path);
  }

  /** Puts a value in place of what stands at a path, which must be present. */
  replace(path: Path, value: unknown): void {
    const last = path.length - 1;
    this.#places.push(path);
    let parent = (this.#root = this.#own(this.#root) as E) as Container;
    for (const step of path.slice(0, last)) {
      const owned = this.#own(child(parent, step));
      write(parent, step, owned);
      parent = owned;
    }
    write(parent, path[last] as Segment, value);
  }

  #isAsItWas(path: Path): boolean {
    const [before, after] = [readPath(this.#original, path), readPath(this.#root, path)];
    return typeof after === 'object' ? jsonEquals(before, after) : Object.is(before, after);
  }

  #own(container: unknown): Container {
    if (this.#copies.has(container)) return container as Container;
    const copy: Container = Array.isArray(container) ? container.slice() : { ...(container as object) };
    this.#copies.add(copy);
    return copy;
  }
}

/** The key is an own one of the copy, `__proto__` too, so that no setter of a prototype runs. */
function write(container: Container, { key, index }: Segment, value: unknown): void {
  if (Array.isArray(container)) container[index] = value;
  else container[key] = value;
}
