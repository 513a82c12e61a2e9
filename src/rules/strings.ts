/** Every string at or below a value, and the value with others in their place. All of it by loops. */

type Container = Record<string, unknown>;

/** A member of a container. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/** A container whose members are being visited. */
interface Frame {
  readonly container: Container;
  readonly keys: readonly string[];
  at: number;
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

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
  /** Where each text stands; empty when the root is a string. */
  readonly #places: Place[] = [];
  /** Where each container stands, which may be in more than one place. */
  readonly #holders = new Map<Container, Place[]>();

  constructor(root: unknown) {
    this.#root = root;
    if (typeof root === 'string') this.texts.push(root);
    else if (isContainer(root)) this.#visit(root);
  }

  #visit(root: Container): void {
    const open: Frame[] = [];
    const enter = (container: Container, holders: Place[]): void => {
      this.#holders.set(container, holders);
      open.push({ container, keys: Object.keys(container), at: 0 });
    };
    enter(root, []);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const key = frame.keys[frame.at++];
      if (key === undefined) {
        open.pop();
        continue;
      }
      this.visited++;
      const { container } = frame;
      const value = container[key];
      if (typeof value === 'string') {
        this.texts.push(value);
        this.#places.push({ container, key });
      } else if (isContainer(value)) {
        const known = this.#holders.get(value);
        if (known === undefined) enter(value, [{ container, key }]);
        else known.push({ container, key });
      }
    }
  }

  /**
   * The value with other texts: a copy of each container on the way to one that changes, what it was everywhere else.
   *
   * @param texts - One for each of {@link texts}.
   * @returns The very same value where no text changes.
   */
  with(texts: readonly string[]): unknown {
    if (!isContainer(this.#root)) return texts[0] ?? this.#root;
    const copies = new Map<Container, Container>();
    for (const [i, text] of texts.entries()) {
      if (text === this.texts[i]) continue;
      const { container, key } = this.#places[i] as Place;
      this.#copy(container, copies);
      (copies.get(container) as Container)[key] = text;
    }
    for (const [original, copy] of copies) {
      for (const { container, key } of this.#holders.get(original) as readonly Place[]) {
        (copies.get(container) as Container)[key] = copy;
      }
    }
    return copies.get(this.#root) ?? this.#root;
  }

  /** Copies a container, and whatever leads to it. */
  #copy(container: Container, copies: Map<Container, Container>): void {
    const pending = [container];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (copies.has(next)) continue;
      copies.set(next, (Array.isArray(next) ? next.slice() : { ...next }) as Container);
      for (const holder of this.#holders.get(next) as readonly Place[]) pending.push(holder.container);
    }
  }
}
