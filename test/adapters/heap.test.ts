/** The heap of the stores. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap, type HeapItem } from '../../src/adapters/heap.js';

interface Item extends HeapItem {
  key: number;
}
const item = (key: number): Item => ({ key, heapIndex: -1 });
const drain = (heap: Heap<Item>): number[] => {
  const keys: number[] = [];
  for (let top = heap.pop(); top !== undefined; top = heap.pop()) keys.push(top.key);
  return keys;
};

test('a heap gives everything back in order, however its items moved and went', () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.option(fc.integer({ min: 0, max: 50 }))));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), changes, (keys, edits) => {
      const heap = new Heap<Item>((a, b) => a.key < b.key);
      const items = keys.map(item);
      for (const each of items) heap.push(each);
      for (const [which, key] of edits) {
        const each = items[which % (items.length || 1)];
        if (each === undefined) continue;
        if (key === null) {
          heap.remove(each);
          items.splice(items.indexOf(each), 1);
          expect(each.heapIndex).toBe(-1);
        } else {
          each.key = key;
          heap.update(each);
        }
      }
      expect(heap.size).toBe(items.length);
      expect(drain(heap)).toEqual(items.map(({ key }) => key).sort((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});
