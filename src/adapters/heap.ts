/** A binary heap whose items know their index, so that any of them can be moved or removed in O(log n). */

/** An item of a heap; it is in one heap at a time. */
export interface HeapItem {
  /** Index in the heap; -1 while in none. Only the heap writes it. */
  heapIndex: number;
}

/** A heap with the first item by `before` on top. Stores in memory and in SQL keep their queues in heaps. */
export class Heap<Item extends HeapItem> {
  readonly #items: Item[] = [];
  readonly #before: (a: Item, b: Item) => boolean;

  constructor(before: (a: Item, b: Item) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The top item, which stays. */
  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  pop(): Item | undefined {
    const top = this.#items[0];
    if (top !== undefined) this.remove(top);
    return top;
  }

  /** Removes an item that is in this heap. */
  remove(item: Item): void {
    const { heapIndex } = item;
    const last = this.#items.pop();
    item.heapIndex = -1;
    if (last === undefined || last === item) return;
    this.#put(last, heapIndex);
    this.update(last);
  }

  /** Restores the order after an item in this heap has changed. */
  update(item: Item): void {
    this.#rise(item, item.heapIndex);
    this.#sink(item, item.heapIndex);
  }

  #put(item: Item, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }

  #rise(item: Item, from: number): void {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = this.#items[above];
      if (parent === undefined || !this.#before(item, parent)) break;
      this.#put(parent, index);
      index = above;
    }
    this.#put(item, index);
  }

  #sink(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const below = this.#firstChild(index);
      if (below === undefined || !this.#before(below, item)) break;
      const next = below.heapIndex;
      this.#put(below, index);
      index = next;
    }
    this.#put(item, index);
  }

  /** The child of an item that goes before the other. */
  #firstChild(index: number): Item | undefined {
    const left = this.#items[2 * index + 1];
    const right = this.#items[2 * index + 2];
    if (left === undefined || right === undefined) return left;
    return this.#before(right, left) ? right : left;
  }
}
