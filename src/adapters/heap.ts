/** A binary heap whose items know their place, so that any of them can be moved or removed in O(log n). */

/** An item of a heap; it is in one heap at a time. */
export interface HeapItem {
  /** Place in the heap; -1 while in none. Only the heap writes it. */
  slot: number;
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

  /** The top item, left in place. */
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
    const { slot } = item;
    const last = this.#items.pop();
    item.slot = -1;
    if (last === undefined || last === item) return;
    this.#place(last, slot);
    this.update(last);
  }

  /** Restores the order after an item in this heap has changed. */
  update(item: Item): void {
    this.#rise(item, item.slot);
    this.#sink(item, item.slot);
  }

  #place(item: Item, slot: number): void {
    this.#items[slot] = item;
    item.slot = slot;
  }

  #rise(item: Item, from: number): void {
    let slot = from;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const parent = this.#items[above];
      if (parent === undefined || !this.#before(item, parent)) break;
      this.#place(parent, slot);
      slot = above;
    }
    this.#place(item, slot);
  }

  #sink(item: Item, from: number): void {
    let slot = from;
    for (;;) {
      const below = this.#firstChild(slot);
      if (below === undefined || !this.#before(below, item)) break;
      const next = below.slot;
      this.#place(below, slot);
      slot = next;
    }
    this.#place(item, slot);
  }

  /** The child of a slot that goes before the other. */
  #firstChild(slot: number): Item | undefined {
    const left = this.#items[2 * slot + 1];
    const right = this.#items[2 * slot + 2];
    if (left === undefined || right === undefined) return left;
    return this.#before(right, left) ? right : left;
  }
}
