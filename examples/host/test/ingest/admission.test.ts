/** Room in the process: whoever takes all that they may leaves some to the others, however many do so. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeld } from '../../src/deciding/held.js';
import type { Problem } from '../../src/ground/problem.js';
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
      const limits = {
        requests: isOfBytes ? Infinity : LIMIT,
        bytes: isOfBytes ? LIMIT : Infinity,
        bytesPerSecond: Number.MAX_SAFE_INTEGER,
      };
      const admission = createAdmission(limits, () => 0);
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

test('bytes a second: whatever a project sends, it gets in what its bucket held and what has come since', () => {
  const requests = fc.array(
    fc.record({
      project: fc.constantFrom('a', 'b'),
      bytes: fc.integer({ min: 0, max: 5_000 }),
      waits: fc.integer({ min: 0, max: 3_000 }),
    }),
  );
  fc.assert(
    fc.property(requests, fc.integer({ min: 100, max: 2_000 }), (sent, perSecond) => {
      let at = 1_000;
      const limits = { requests: Infinity, bytes: Infinity, bytesPerSecond: perSecond };
      const admission = createAdmission(limits, () => at);
      const taken = new Map<string, number>();
      for (const { project, bytes, waits } of sent) {
        at += waits;
        try {
          admission.spend(project, bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'too_many_requests' });
          // The wait that the refusal names is enough.
          at += 1_000 * (error as Problem).details.retryAfter!;
          admission.spend(project, bytes);
        }
        // A body larger than the bucket counts as a whole one.
        taken.set(project, (taken.get(project) ?? 0) + Math.min(bytes, 2 * perSecond));
        expect(taken.get(project)).toBeLessThanOrEqual(
          2 * perSecond + (perSecond * (at - 1_000)) / 1_000 + 1e-6,
        );
      }
    }),
  );
});
