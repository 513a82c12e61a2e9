/** Room in the process: whoever takes all that they may leaves some to the others, however many do so. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeld } from '../../src/deciding/held.js';
import { createAdmission } from '../../src/ingest/admission.js';

const LIMIT = 10_000;

/** How much each project gets that asks for units of one size until it is refused. */
function greedily(projects: number, hasRoom: (project: string) => boolean): readonly number[] {
  return Array.from({ length: projects }, (_, i) => {
    let count = 0;
    while (hasRoom(`p${i}`)) count++;
    return count;
  });
}

const assertShared = (taken: readonly number[]): void => {
  const total = taken.reduce((sum, count) => sum + count, 0);
  expect(taken[0]).toBeGreaterThanOrEqual(LIMIT / 2 - 1);
  expect(LIMIT - total).toBeGreaterThanOrEqual(Math.floor(LIMIT / 2 ** taken.length) - 1);
  expect(Math.min(...taken)).toBeGreaterThan(0);
};

test('requests and bytes: each project leaves to the others as much as it takes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.boolean(), (projects, isOfBytes) => {
      const admission = createAdmission({
        requests: isOfBytes ? Infinity : LIMIT,
        bytes: isOfBytes ? LIMIT : Infinity,
      });
      const enters = (project: string): boolean => {
        try {
          admission.enter(project, 1);
          return true;
        } catch {
          return false;
        }
      };
      assertShared(greedily(projects, enters));
    }),
  );
});

test('events that are held: each project leaves to the others as much as it takes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.boolean(), (projects, isOfUnits) => {
      const held = createHeld({
        events: isOfUnits ? Infinity : LIMIT,
        units: isOfUnits ? LIMIT : Infinity,
      });
      let id = 0;
      const enters = (project: string): boolean => {
        if (!held.hasRoom(project, 1)) return false;
        const event = { id: `${id++}`, project, data: '1', rawPayload: null };
        held.add({ event: event as never, units: 1, asked: null, isAnswered: false });
        return true;
      };
      assertShared(greedily(projects, enters));
    }),
  );
});
