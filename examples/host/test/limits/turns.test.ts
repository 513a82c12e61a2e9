/**
 * Turns: never more at once than allowed, everything that was let in runs, and no project waits for all of another's.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurns } from '../../src/limits/turns.js';

const bounds = { atOnce: 3, ofProject: 2, waiting: 5, allWaiting: 8, of: 'pieces' };

test('no more runs at once than may, all that was let in runs, and the refused are those beyond the bounds', async () => {
  const project = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof({ weight: 3, arbitrary: project }, { weight: 2, arbitrary: fc.constant(null) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const turns = createTurns(bounds);
      const running: { readonly of: string; readonly end: () => void }[] = [];
      let [ran, refused, asked] = [0, 0, 0];
      const all: Promise<void>[] = [];
      for (const of of steps) {
        if (of === null) running.shift()?.end();
        else {
          asked++;
          const work = (): Promise<void> =>
            new Promise((end) => {
              ran++;
              running.push({ of, end });
            });
          all.push(turns.run(of, work).catch(() => void refused++));
        }
        await nextTurn();
        expect(running.length).toBeLessThanOrEqual(bounds.atOnce);
        for (const one of ['a', 'b', 'c', 'd']) {
          expect(running.filter((piece) => piece.of === one).length).toBeLessThanOrEqual(bounds.ofProject);
        }
        expect(asked - ran - refused).toBeLessThanOrEqual(bounds.allWaiting);
      }
      while (running.length > 0) {
        running.shift()?.end();
        await nextTurn();
      }
      await Promise.all(all);
      expect(ran + refused).toBe(asked);
    }),
  );
});

test('a project that comes late has its turn next, however much of another waits', async () => {
  const turns = createTurns({ ...bounds, atOnce: 1, ofProject: 1 });
  const order: string[] = [];
  const work = (name: string) => async (): Promise<void> => {
    order.push(name);
    await nextTurn();
  };
  const busy = ['1', '2', '3', '4'].map((name) => turns.run('busy', work(name)));
  await Promise.all([...busy, turns.run('late', work('late'))]);
  expect(order).toEqual(['1', '2', 'late', '3', '4']);
});

test('what fails gives its turn back, and refusals say when to come again', async () => {
  const turns = createTurns({ ...bounds, atOnce: 1, ofProject: 1, waiting: 1 });
  const failed = turns.run('a', () => Promise.reject(new Error('on purpose')));
  const second = turns.run('a', () => Promise.resolve('ran'));
  await expect(turns.run('a', () => Promise.resolve())).rejects.toMatchObject({
    code: 'too_many_requests',
    details: { retryAfter: 1 },
  });
  await expect(failed).rejects.toThrow('on purpose');
  expect(await second).toBe('ran');
});

test('work whose signal fires leaves the line while it waits, and makes room', async () => {
  const turns = createTurns({ ...bounds, atOnce: 1, ofProject: 1, waiting: 1, allWaiting: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  let end = (): void => undefined;
  const running = turns.run('a', () => new Promise<void>((resolve) => (end = resolve)), first.signal);
  const waiting = turns.run('a', () => Promise.resolve('never'), second.signal);
  first.abort();
  second.abort('left');
  await expect(waiting).rejects.toBe('left');
  const next = turns.run('a', () => Promise.resolve('ran'));
  end();
  await running;
  expect(await next).toBe('ran');
});

test('a turn that is taken at once counts beside those that run, is refused by reason, and lets the next one in', async () => {
  const turns = createTurns({ ...bounds, waiting: 1 });
  const ends = [turns.take('a'), turns.take('a')];
  expect(() => turns.take('a')).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  ends.push(turns.take('b'));
  expect(() => turns.take('c')).toThrow(expect.objectContaining({ code: 'overloaded' }));
  let hasRun = false;
  const waiting = turns.run('c', () => Promise.resolve((hasRun = true)));
  await nextTurn();
  expect(hasRun).toBe(false);
  ends.pop()?.();
  await waiting;
  expect(hasRun).toBe(true);
  turns.take('d')();
  for (const end of ends) end();
  expect([turns.take('a'), turns.take('a'), turns.take('b')]).toHaveLength(3);
});
