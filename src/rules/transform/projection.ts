/** The event as it leaves the rules: copied where it changes, shared where it does not. */
import { ownKeys, shallowCopy } from '../../json.js';
import { MAX_GROWTH } from '../../patterns/index.js';
import { child, findAll, isStarred, readPath, type Path, type Segment } from '../path.js';
import { isSame } from './same.js';
import type { Containers } from './strings.js';

/** Keys of an object from which on they are kept. */
const MANY_KEYS = 1_000;

type Container = Record<string, unknown>;

/**
 * An event under change. The original is never written to; each container on the way to a change is
 * copied once, however many changes pass through it.
 */
export class Projection<E> implements Containers {
  readonly #original: E;
  #root: E;
  readonly #copies = new Set<unknown>();
  /** Containers in which a redact without work left replaced every string; unchanged since then. */
  readonly #closed = new Set<object>();
  readonly #keys = new Map<object, readonly string[]>();
  #room = MAX_GROWTH;
  #visited = 0;

  /** @param event - Stays as it is, frozen or not. */
  constructor(event: E) {
    this.#original = event;
    this.#root = event;
  }

  /** The event with all changes; the very same object when there was none, or they undid each other. */
  get event(): E {
    return isSame(this.#original, this.#root) ? this.#original : this.#root;
  }

  /** UTF-16 units that redactions may still add. */
  get room(): number {
    return this.#room;
  }

  /** Subtracts the growth of a text from the room; one that shrinks gives nothing back. Returns the text after. */
  grown(before: string, after: string): string {
    this.#room -= Math.max(0, after.length - before.length);
    return after;
  }

  /** Values at paths with stars that were handed to ops. */
  get visited(): number {
    return this.#visited;
  }

  owns(container: object): boolean {
    return this.#copies.has(container);
  }

  own(container: object): void {
    this.#copies.add(container);
  }

  /** No op adds a key or removes one, so those of a large object are listed once. */
  keysOf(container: object): readonly string[] {
    const keys = this.#keys.get(container) ?? ownKeys(container);
    if (keys.length > MANY_KEYS) this.#keys.set(container, keys);
    return keys;
  }

  /** Whether the ops of the rule at hand had no work left for a container, and have replaced every string in it. */
  isClosed(container: object): boolean {
    return this.#closed.has(container);
  }

  close(container: object): void {
    this.#closed.add(container);
  }

  /** Forgets the closed containers: the next rule has a budget of its own. */
  reopen(): void {
    this.#closed.clear();
  }

  /**
   * Replaces each value at a path by the result of `change`; does nothing if the path is absent.
   *
   * @param isUnchanged - Whether the result equals the value before. @defaultValue {@link isSame}
   */
  change(path: Path, change: (value: unknown) => unknown, isUnchanged = isSame): void {
    if (!isStarred(path)) {
      this.#changeOne(path, change, isUnchanged);
      return;
    }
    // Ops add no element and remove none, so the indices found at the beginning stay.
    for (const found of findAll(this.#root, path)) {
      this.#visited++;
      this.#changeOne(found.path, change, isUnchanged);
    }
  }

  #changeOne(path: Path, change: (value: unknown) => unknown, isUnchanged: typeof isSame): void {
    const before = readPath(this.#root, path);
    if (before === undefined) return;
    const after = change(before);
    if (isUnchanged(before, after)) return;
    const last = path.length - 1;
    let parent = this.#own(this.#root);
    this.#root = parent as E;
    for (const step of path.slice(0, last)) {
      const owned = this.#own(child(parent, step));
      parent[step.key] = owned;
      parent = owned;
    }
    // The key is an own one of the copy, `__proto__` too, so that no setter of a prototype runs.
    parent[(path[last] as Segment).key] = after;
  }

  #own(container: unknown): Container {
    this.#closed.delete(container as object);
    if (this.#copies.has(container)) return container as Container;
    const copy = shallowCopy(container as object);
    this.#copies.add(copy);
    return copy as Container;
  }
}
