/** The queue that is fair between projects. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/limits/fair-queue.js';

const operations = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        project: fc.constantFrom('a', 'b', 'c'),
        isFirst: fc.boolean(),
      }),
    },
    fc.record({
      kind: fc.constant('take' as const),
      count: fc.nat({ max: 5 }),
      size: fc.oneof(fc.constant(Infinity), fc.nat({ max: 8 })),
    }),
    fc.record({ kind: fc.constant('takeAllOf' as const), project: fc.constantFrom('a', 'b', 'c') }),
    fc.record({
      kind: fc.constant('takeOne' as const),
      may: fc.subarray(['a', 'b', 'c']),
    }),
    fc.record({
      kind: fc.constant('remove' as const),
      project: fc.constantFrom('a', 'b', 'c'),
      which: fc.nat(20),
    }),
  ),
  { maxLength: 400, size: 'max' },
);

const sizeOf = (n: number): number => n % 5;

test('each project has its turn, and its items come in their order', () => {
  fc.assert(
    fc.property(operations, (all) => {
      const queue = createFairQueue<number>();
      /** Projects in the order of their turns, each with its items. */
      const model: [project: string, items: number[]][] = [];
      const lineOf = (project: string) => model.findIndex(([name]) => name === project);
      for (const [n, operation] of all.entries()) {
        if (operation.kind === 'add') {
          const { project, isFirst } = operation;
          if (lineOf(project) < 0) model.push([project, []]);
          const [, items] = model[lineOf(project)]!;
          if (isFirst) items.unshift(n);
          else items.push(n);
          queue.add(project, n, isFirst);
        } else if (operation.kind === 'take') {
          let room = operation.size;
          const expected: number[] = [];
          for (let i = 0; i < operation.count && model.length > 0; i++) {
            room -= sizeOf(model[0]![1][0]!);
            if (i > 0 && room < 0) break;
            const [project, items] = model.shift()!;
            expected.push(items.shift()!);
            if (items.length > 0) model.push([project, items]);
          }
          expect(queue.take(operation.count, operation.size, sizeOf)).toEqual(expected);
        } else if (operation.kind === 'takeOne') {
          const at = model.findIndex(([project]) => operation.may.includes(project));
          const [project, items] = at < 0 ? ['', []] : model.splice(at, 1)[0]!;
          expect(queue.takeOne((one) => operation.may.includes(one))).toBe(items.shift());
          if (items.length > 0) model.push([project, items]);
        } else if (operation.kind === 'remove') {
          const { project, which } = operation;
          const at = lineOf(project);
          const items = model[at]?.[1] ?? [];
          const [item = -1] = items.splice(which % Math.max(1, items.length), 1);
          if (at >= 0 && items.length === 0) model.splice(at, 1);
          queue.remove(project, item);
        } else {
          const at = lineOf(operation.project);
          expect(queue.takeAllOf(operation.project)).toEqual(at < 0 ? [] : model.splice(at, 1)[0]![1]);
        }
        for (const project of ['a', 'b', 'c']) {
          expect(queue.countOf(project)).toBe(model[lineOf(project)]?.[1].length ?? 0);
        }
        expect(queue.size).toBe(model.reduce((sum, [, items]) => sum + items.length, 0));
      }
    }),
  );
});
