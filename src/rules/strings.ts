/** Every string at or below a value, and the value with others in their place. All of it by loops. */

type Container = Record<string, unknown>;

/** A member of a container. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/** A container whose members are being visited; an array has no list of keys, which would take longer than the rest. */
interface Frame {
  readonly container: Container;
  readonly keys: readonly string[] | null;
  readonly length: number;
  at: number;
}

function frameOf(container: Container): Frame {
  const keys = Array.isArray(container) ? null : Object.keys(container);
  return {
    container,
    keys,
    length: keys === null ? (container as unknown as unknown[]).length : keys.length,
    at: 0,
  };
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
  /** Where each text stands: its container and its key there. Empty when the root is a string. */
  readonly #parents: Container[] = [];
  readonly #keys: string[] = [];
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
      open.push(frameOf(container));
    };
    enter(root, []);
    for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
      const { container, keys, length } = frame;
      if (frame.at === length) {
        open.pop();
        continue;
      }
      // An index serves as a key; only its type is another.
      const key = (keys === null ? frame.at : keys[frame.at]) as string;
      frame.at++;
      this.visited++;
      const value = container[key];
      if (typeof value === 'string') {
        this.texts.push(value);
        this.#parents.push(container);
        this.#keys.push(key);
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
    for (let i = 0; i < texts.length; i++) {
      if (texts[i] === this.texts[i]) continue;
      const parent = this.#parents[i] as Container;
      this.#copy(parent, copies);
      (copies.get(parent) as Container)[this.#keys[i] as string] = texts[i];
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
