/** The values of one event at all paths that rules name, read in one walk through it. */
import { ownKeys } from '../../../json.js';
import { child, type Segment } from '../../path.js';
import { ManyValues } from '../../values/index.js';
import type { PathNode } from '../layout/index.js';

/**
 * Children of a path up to which each is looked for in the event. If there are more, each member of the event is
 * looked for among them.
 */
const FEW_CHILDREN = 24;

/** A matcher has one. It is filled for each event by {@link EventValues.read}, and emptied after it. */
export class EventValues {
  readonly #root: PathNode;
  readonly #values: unknown[];
  readonly #present: Int32Array;
  #count = 0;
  /** Nodes still to be entered, each with the value that the event has there. */
  readonly #pending: unknown[] = [];

  constructor(root: PathNode, paths: number) {
    this.#root = root;
    this.#values = new Array<unknown>(paths).fill(undefined);
    this.#present = new Int32Array(paths);
  }

  /** How many paths are present. */
  get count(): number {
    return this.#count;
  }

  /** One of the paths that are present. */
  pathAt(index: number): number {
    return this.#present[index] as number;
  }

  /** The value at a path, or {@link ManyValues} at a path with stars; `undefined` if the path is absent. */
  at(path: number): unknown {
    return this.#values[path];
  }

  /** Releases the event. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#values[this.pathAt(i)] = undefined;
    this.#count = 0;
  }

  /** @returns Itself, filled. */
  read(event: unknown): this {
    this.#visit(this.#root, event);
    while (this.#pending.length > 0) {
      const parent = this.#pending.pop() as object;
      this.#enter(this.#pending.pop() as PathNode, parent);
    }
    return this;
  }

  /** Notes the value at a node, and goes on as long as there is only one way. */
  #visit(from: PathNode, found: unknown): void {
    let node = from;
    let value = found;
    while (value !== undefined) {
      if (node.path >= 0) this.#note(node, value);
      const { children, star } = node;
      if (typeof value !== 'object' || value === null) return;
      if (children.length > 1 || star !== null) {
        this.#pending.push(node, value);
        return;
      }
      if (children.length === 0) return;
      node = children[0] as PathNode;
      value = isPlain(value) ? plainChild(value, node.segment) : child(value, node.segment);
    }
  }

  #note({ path, isStarred }: PathNode, value: unknown): void {
    const before = this.#values[path];
    if (before === undefined) this.#present[this.#count++] = path;
    if (isStarred) {
      const values = (before as ManyValues | undefined) ?? new ManyValues();
      values.add(value);
      this.#values[path] = values;
    } else {
      this.#values[path] = value;
    }
  }

  /** Looks for the children in the event, or for the members of the event among the children, whichever are fewer. */
  #enter({ children, byKey, star }: PathNode, parent: object): void {
    if (star !== null && Array.isArray(parent)) {
      for (const element of parent as readonly unknown[]) this.#visit(star, element);
    }
    const read = isPlain(parent) ? plainChild : child;
    if (children.length <= FEW_CHILDREN || (Array.isArray(parent) && children.length < parent.length)) {
      for (const node of children) this.#visit(node, read(parent, node.segment));
      return;
    }
    for (const key of ownKeys(parent)) {
      const node = (byKey as ReadonlyMap<string, PathNode>).get(key);
      if (node !== undefined) this.#visit(node, read(parent, node.segment));
    }
  }
}

type Members = Readonly<Record<string, unknown>>;

const INHERITED = Object.prototype as unknown as Members;

/** Whether an object inherits nothing but members of `Object.prototype`. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === INHERITED || prototype === null;
}

/** As {@link child}, of a plain object: to read a member twice takes less time than to ask whether it is inherited. */
function plainChild(parent: object, segment: Segment): unknown {
  const value = (parent as Members)[segment.key];
  return value === undefined || INHERITED[segment.key] === undefined ? value : child(parent, segment);
}
