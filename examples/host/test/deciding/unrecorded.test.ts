/** The decisions that wait to be recorded: none is lost, and none is taken twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DecidedEvent } from '../../src/deciding/record.js';
import { MOST, Unrecorded } from '../../src/deciding/unrecorded.js';

const step = fc.record({
  kind: fc.constantFrom('add', 'take', 'take', 'written', 'setAside', 'setAside', 'takeAside', 'takeAside'),
  project: fc.constantFrom('a', 'b', 'c'),
  count: fc.nat({ max: 2 * MOST }),
});

test('a project that is set aside is taken on its own until none of its decisions wait', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (steps) => {
      const unrecorded = new Unrecorded();
      const [aside, taken] = [new Set<string>(), [] as number[]];
      let n = 0;
      const add = (project: string): void =>
        unrecorded.add({ event: { project }, decision: n++ } as unknown as DecidedEvent);
      const take = (batch: readonly DecidedEvent[]): void => {
        expect(batch.length).toBeLessThanOrEqual(MOST);
        taken.push(...batch.map(({ decision }) => decision as never));
      };
      const takeAside = (project: string): void => {
        const batch = unrecorded.takeAside(project);
        expect(batch.every(({ event }) => event.project === project)).toBe(true);
        if (batch.length === 0) aside.delete(project);
        take(batch);
      };
      const inFlight: (readonly DecidedEvent[])[] = [];
      for (const { kind, project, count } of steps) {
        const batch = inFlight[0] ?? [];
        if (kind === 'add') {
          Array.from({ length: count }, (_, i) => add(i % 2 === 0 ? project : 'a'));
        } else if (kind === 'takeAside') {
          takeAside(project);
        } else if (kind === 'take') {
          inFlight.push(unrecorded.take());
          expect(inFlight.at(-1)!.some(({ event }) => aside.has(event.project))).toBe(false);
        } else {
          const back = kind === 'written' ? [] : batch.filter(({ event }) => event.project === project);
          take(batch.filter((one) => !back.includes(one)));
          if (back.length > 0) expect(unrecorded.setAside(project, back)).toBe(!aside.has(project));
          if (back.length > 0) aside.add(project);
          inFlight.shift();
        }
      }
      inFlight.forEach(take);
      while (unrecorded.size > 0) take(unrecorded.take());
      for (const project of aside) {
        while (aside.has(project)) takeAside(project);
      }
      expect(taken.toSorted((one, other) => one - other)).toEqual(Array.from({ length: n }, (_, i) => i));
    }),
  );
});
