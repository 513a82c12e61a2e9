/** The values at all paths that rules name, read in one walk through the event. */
import { child, parsePath, type Path, type Segment } from '../path.js';
import { Stamps } from './stamps.js';

/** Children up to which each is looked for in the event; beyond, each member of the event is looked for among them. */
const FEW_CHILDREN = 4;

interface PathNode {
  readonly segment: Segment;
  /** The number of the path that ends here, or -1. */
  path: number;
  children: Map<string, PathNode> | null;
}

/** Paths by number, and the tree of their segments. */
export class PathTree {
  readonly #numbers = new Map<string, number>();
  readonly #root: PathNode = { segment: { key: '', index: -1 }, path: -1, children: null };

  get count(): number {
    return this.#numbers.size;
  }

  /** The number of a path. */
  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    let node = this.#root;
    for (const segment of parsePath(text) as Path) {
      node.children ??= new Map();
      let next = node.children.get(segment.key);
      if (next === undefined) node.children.set(segment.key, (next = { segment, path: -1, children: null }));
      node = next;
    }
    node.path = this.#numbers.size;
    this.#numbers.set(text, node.path);
    return node.path;
  }

  reader(): PathReader {
    return new PathReader(this.#root, this.count);
  }
}

/** Reads events, one at a time. */
export class PathReader {
  readonly #root: PathNode;
  readonly #present: Stamps;
  readonly #list: Int32Array;
  readonly #values: unknown[];
  #count = 0;
  /** Nodes still to be gone into, each with what the event has there. */
  readonly #pending: unknown[] = [];

  constructor(root: PathNode, paths: number) {
    this.#root = root;
    this.#present = new Stamps(paths);
    this.#list = new Int32Array(paths);
    this.#values = new Array<unknown>(paths).fill(undefined);
  }

  /** How many paths are present. */
  get count(): number {
    return this.#count;
  }

  /** One of the paths that are present. */
  at(index: number): number {
    return this.#list[index] as number;
  }

  has(path: number): boolean {
    return this.#present.has(path);
  }

  /** What stands at a path; `undefined` when it is absent. */
  value(path: number): unknown {
    return this.#values[path];
  }

  read(event: unknown): void {
    this.#visit(this.#root, event);
    while (this.#pending.length > 0) {
      const value = this.#pending.pop();
      this.#enter(this.#pending.pop() as PathNode, value as object);
    }
  }

  /** Lets go of the event. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#values[this.#list[i] as number] = undefined;
    this.#present.clear();
    this.#count = 0;
  }

  #visit(node: PathNode, value: unknown): void {
    if (node.path >= 0) {
      this.#present.add(node.path);
      this.#values[node.path] = value;
      this.#list[this.#count++] = node.path;
    }
    if (node.children !== null && typeof value === 'object' && value !== null) this.#pending.push(node, value);
  }

  #enter({ children }: PathNode, parent: object): void {
    const known = children as Map<string, PathNode>;
    if (known.size <= FEW_CHILDREN) {
      for (const node of known.values()) this.#descend(node, parent);
    } else if (Array.isArray(parent) && known.size < parent.length) {
      for (const node of known.values()) this.#descend(node, parent);
    } else {
      for (const key in parent) {
        const node = known.get(key);
        if (node !== undefined) this.#descend(node, parent);
      }
    }
  }

  #descend(node: PathNode, parent: object): void {
    const value = child(parent, node.segment);
    if (value !== undefined) this.#visit(node, value);
  }
}
