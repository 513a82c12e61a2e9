/** The strings at or below a value, and the value with other strings. Loops, no recursion. */
import { isContainer, shallowCopy } from '../../json.js';

type Container = Record<string, unknown>;

/** A member of a container. */
interface Holder {
  readonly container: Container;
  readonly key: string;
}

/** A container whose members are being visited. An array has no list of keys: it would take longer than the visit. */
interface Frame {
  readonly container: Container;
  readonly keys: readonly string[] | null;
  readonly length: number;
  at: number;
}

function frameOf(container: Container, containers: Containers): Frame {
  const keys = Array.isArray(container) ? null : containers.keysOf(container);
  return {
    container,
    keys,
    length: keys === null ? (container as unknown as unknown[]).length : keys.length,
    at: 0,
  };
}

/** The copies of containers made while an event changes. */
export interface Containers {
  /** Whether a container is a copy that may be written to. */
  owns(container: object): boolean;
  /** Notes that a container is such a copy. */
  own(container: object): void;
  /** The keys of the own members of an object. */
  keysOf(container: object): readonly string[];
}

/**
 * The strings at or below a value: the value itself, members of objects, elements of arrays, to any depth; keys never.
 * Each member is read once. A container that is met again, in a value made by hand that shares it or contains itself,
 * is visited once.
 */
export class Strings {
  /** In document order. */
  readonly texts: string[] = [];
  /** Values that were visited, containers among them. */
  visited = 1;
  readonly #root: unknown;
  readonly #containers: Containers;
  readonly #isClosed: (container: object) => boolean;
  /** Copies by original; a container that may be written to is its own copy. */
  readonly #copies = new Map<Container, Container>();
  /** The container of each text, and its key there. Empty if the root is a string. */
  readonly #parents: Container[] = [];
  readonly #keys: string[] = [];
  /** Whether every container has one holder; a copy that has two must not be written to. */
  #isTree = true;
  /** The holders of each container; there may be more than one. */
  readonly #holders = new Map<Container, Holder[]>();

  /**
   * @param containers - Notes which containers are copies.
   * @param isClosed - Whether nothing at or below a container is to be visited. @defaultValue nothing is left out
   */
  constructor(root: unknown, containers: Containers, isClosed: (container: object) => boolean = () => false) {
    this.#root = root;
    this.#containers = containers;
    this.#isClosed = isClosed;
    if (typeof root === 'string') this.texts.push(root);
    else if (isContainer(root) && !isClosed(root)) this.#visit(root);
  }

  #visit(root: Container): void {
    const open: Frame[] = [];
    const enter = (container: Container, holders: Holder[]): void => {
      this.#holders.set(container, holders);
      open.push(frameOf(container, this.#containers));
    };
    enter(root, []);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const { container, keys, length } = frame;
      if (frame.at === length) {
        open.pop();
        continue;
      }
      // An index serves as a key; only the types differ.
      const key = (keys === null ? frame.at : keys[frame.at]) as string;
      frame.at++;
      this.visited++;
      const value = container[key];
      if (typeof value === 'string') {
        this.texts.push(value);
        this.#parents.push(container);
        this.#keys.push(key);
      } else if (isContainer(value) && !this.#isClosed(value)) {
        const known = this.#holders.get(value);
        if (known === undefined) enter(value, [{ container, key }]);
        else {
          known.push({ container, key });
          this.#isTree = false;
        }
      }
    }
  }

  /** The containers that were visited, as they are now. */
  *containers(): Iterable<object> {
    for (const container of this.#holders.keys()) yield this.#copies.get(container) ?? container;
  }

  /**
   * The value with other texts. Each container on the way to a text that changes is copied, unless it may be written
   * to; all others are shared.
   *
   * @param texts - One for each of {@link texts}.
   * @returns The very same value where no text changes, or nothing had to be copied.
   */
  with(texts: readonly string[]): unknown {
    if (!isContainer(this.#root)) return texts[0] ?? this.#root;
    const copies = this.#copies;
    for (let i = 0; i < texts.length; i++) {
      if (texts[i] === this.texts[i]) continue;
      const parent = this.#parents[i] as Container;
      this.#copy(parent);
      (copies.get(parent) as Container)[this.#keys[i] as string] = texts[i];
    }
    for (const [original, copy] of copies) {
      if (copy === original) continue;
      for (const { container, key } of this.#holders.get(original) as readonly Holder[]) {
        (copies.get(container) as Container)[key] = copy;
      }
    }
    return copies.get(this.#root) ?? this.#root;
  }

  /** Copies a container and its ancestors. The ancestors of one that may be written to may be written to as well. */
  #copy(container: Container): void {
    const copies = this.#copies;
    const pending = [container];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (copies.has(next)) continue;
      if (this.#containers.owns(next)) {
        copies.set(next, next);
        continue;
      }
      const copy = shallowCopy(next) as Container;
      if (this.#isTree) this.#containers.own(copy);
      copies.set(next, copy);
      for (const holder of this.#holders.get(next) as readonly Holder[]) pending.push(holder.container);
    }
  }
}
