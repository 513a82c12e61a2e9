/** The values at all paths that rules name, read in one walk through the event. */
import { child, parsePath, type Path, type Segment } from '../path.js';

/** Children up to which each is looked for in the event; beyond, each member of the event is looked for among them. */
const FEW_CHILDREN = 6;

interface PathNode {
  readonly segment: Segment;
  /** The number of the path that ends here, or -1. */
  path: number;
  readonly children: PathNode[];
  byKey: Map<string, PathNode> | null;
}

const nodeOf = (segment: Segment): PathNode => ({ segment, path: -1, children: [], byKey: null });

/** Paths by number, and the tree of their segments. */
export class PathTree {
  readonly #numbers = new Map<string, number>();
  readonly #root = nodeOf({ key: '', index: -1 });

  get count(): number {
    return this.#numbers.size;
  }

  /** The number of a path. */
  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    let node = this.#root;
    for (const segment of parsePath(text) as Path) {
      node.byKey ??= new Map();
      let next = node.byKey.get(segment.key);
      if (next === undefined) {
        next = nodeOf(segment);
        node.byKey.set(segment.key, next);
        node.children.push(next);
      }
      node = next;
    }
    node.path = this.#numbers.size;
    this.#numbers.set(text, node.path);
    return node.path;
  }

  /** Makes readers of these paths; holds nothing else of the tree. */
  readers(): () => PathReader {
    const root = this.#root;
    const { count } = this;
    return () => new PathReader(root, count);
  }
}

/** Reads events, one at a time. */
export class PathReader {
  readonly #root: PathNode;
  readonly #values: unknown[];
  readonly #list: Int32Array;
  #count = 0;
  /** Whether what enumerates the members of a plain object would meet inherited ones. */
  #isPolluted = false;
  /** Nodes still to be gone into, each with what the event has there. */
  readonly #pending: unknown[] = [];

  constructor(root: PathNode, paths: number) {
    this.#root = root;
    this.#values = new Array<unknown>(paths).fill(undefined);
    this.#list = new Int32Array(paths);
  }

  /** How many paths are present. */
  get count(): number {
    return this.#count;
  }

  /** One of the paths that are present. */
  at(index: number): number {
    return this.#list[index] as number;
  }

  /** What stands at a path; `undefined` when it is absent. */
  value(path: number): unknown {
    return this.#values[path];
  }

  /** Lets go of the event. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#values[this.#list[i] as number] = undefined;
    this.#count = 0;
  }

  read(event: unknown): void {
    this.#isPolluted = false;
    for (const _ in Object.prototype) this.#isPolluted = true;
    this.#visit(this.#root, event);
    while (this.#pending.length > 0) {
      const parent = this.#pending.pop() as object;
      this.#enter(this.#pending.pop() as PathNode, parent);
    }
  }

  /** Notes what is at a node, and goes on as long as there is but one way. */
  #visit(from: PathNode, found: unknown): void {
    let node = from;
    let value = found;
    while (value !== undefined) {
      if (node.path >= 0) {
        this.#values[node.path] = value;
        this.#list[this.#count++] = node.path;
      }
      const { children } = node;
      if (children.length === 0 || typeof value !== 'object' || value === null) return;
      if (children.length > 1) {
        this.#pending.push(node, value);
        return;
      }
      node = children[0] as PathNode;
      value = child(value, node.segment);
    }
  }

  /** Takes the time of the fewer: of the children that rules ask for, or of the members that the event has. */
  #enter({ children, byKey }: PathNode, parent: object): void {
    if (children.length <= FEW_CHILDREN || (Array.isArray(parent) && children.length < parent.length)) {
      for (const node of children) this.#visit(node, child(parent, node.segment));
    } else {
      this.#look(byKey as ReadonlyMap<string, PathNode>, parent as Readonly<Record<string, unknown>>);
    }
  }

  #look(byKey: ReadonlyMap<string, PathNode>, parent: Readonly<Record<string, unknown>>): void {
    const hasOnlyOwn = !this.#isPolluted && Object.getPrototypeOf(parent) === Object.prototype;
    for (const key in parent) {
      const node = byKey.get(key);
      if (node === undefined) continue;
      this.#visit(node, hasOnlyOwn ? parent[key] : child(parent, node.segment));
    }
  }
}
