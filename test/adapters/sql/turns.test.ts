/** The order of turns among due deliveries. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candidate, type Due, takeTurns, withinBytes } from '../../../src/adapters/sql/turns.js';
import { ByteRoom } from '../../../src/delivery/byte-budget.js';

const endpoint = () => fc.constantFrom('a', 'b', 'c', 'd', 'e');
/** Rows in the order of `due_at` within each endpoint, and as a whole or not. */
const due = () =>
  fc
    .tuple(
      fc.array(fc.record({ endpoint_id: endpoint(), due_at: fc.nat(30) }), { maxLength: 30 }),
      fc.boolean(),
    )
    .map(([rows, isByEndpoint]) =>
      rows
        .sort((a, b) => a.due_at - b.due_at)
        .sort((a, b) => (isByEndpoint ? a.endpoint_id.localeCompare(b.endpoint_id) : 0))
        .map((row, id): Due => ({ id, ...row })),
    );

/** The definition of turns: one slot after another, each to the endpoint whose turn it is. */
function oneByOne(rows: readonly Due[], perEndpoint: number, inFlight: ReadonlyMap<string, number>): Due[] {
  const load = new Map(inFlight);
  const loadOf = ({ endpoint_id }: Due) => load.get(endpoint_id) ?? 0;
  const left = [...rows];
  const taken: Due[] = [];
  for (;;) {
    const [best] = left
      .filter((one) => loadOf(one) < perEndpoint)
      .sort((a, b) => loadOf(a) - loadOf(b) || a.due_at - b.due_at || Number(a.id) - Number(b.id));
    if (best === undefined) return taken;
    left.splice(left.indexOf(best), 1);
    load.set(best.endpoint_id, loadOf(best) + 1);
    taken.push(best);
  }
}

test('turns are what one gets by giving out one slot after another', () => {
  fc.assert(
    fc.property(
      due(),
      fc.integer({ min: 1, max: 5 }),
      fc.dictionary(endpoint(), fc.nat(6)),
      (rows, perEndpoint, busy) => {
        const inFlight = new Map(Object.entries(busy));
        expect(takeTurns(rows, { perEndpoint, inFlight })).toEqual(oneByOne(rows, perEndpoint, inFlight));
      },
    ),
  );
});

const candidates = () =>
  fc
    .array(fc.record({ endpoint_id: endpoint(), due_at: fc.nat(30), body: fc.nat(6), weight: fc.nat(50) }), {
      maxLength: 30,
    })
    .map((rows) => rows.map((row, id): Candidate => ({ id, ...row, bytes: (row.body * 7919) % 50 })));
const budgets = () =>
  fc.record({
    max: fc.integer({ min: 1, max: 200 }),
    perEndpoint: fc.integer({ min: 1, max: 100 }),
    inFlight: fc.nat(150),
    inFlightByEndpoint: fc
      .dictionary(endpoint(), fc.integer({ min: 1, max: 60 }))
      .map((bytes) => new Map(Object.entries(bytes))),
  });

/** Bytes of bodies, each once. */
const weigh = (rows: readonly Candidate[]) =>
  Array.from(new Map(rows.map(({ body, bytes }) => [body, bytes])).values()).reduce((a, b) => a + b, 0);

test('what is within the bytes is as much of what was in turn as there is room for, and one body at least', () => {
  fc.assert(
    fc.property(candidates(), budgets(), fc.nat(40), (rows, budget, most) => {
      const room = new ByteRoom(budget);
      const taken = withinBytes(rows, room, most);
      expect(rows.filter((one) => taken.includes(one))).toEqual(taken);
      const isAlone =
        budget.inFlight === 0 &&
        new Set(taken.filter(({ bytes }) => bytes > 0).map(({ body }) => body)).size <= 1;
      if (!isAlone && weigh(taken) > 0) {
        expect(budget.inFlight + weigh(taken)).toBeLessThanOrEqual(budget.max);
      }
      for (const id of new Set(taken.map(({ endpoint_id }) => endpoint_id))) {
        const mine = taken.filter((one) => one.endpoint_id === id && one.bytes > 0);
        const before = budget.inFlightByEndpoint.get(id) ?? 0;
        const bytes = mine.reduce((sum, one) => sum + one.bytes, before);
        if (before > 0 || mine.length > 1) {
          expect(bytes).toBeLessThanOrEqual(Math.max(before, budget.perEndpoint));
        }
      }
      if (budget.inFlight === 0 && budget.inFlightByEndpoint.size === 0 && most > 0) {
        expect(taken.length > 0).toBe(rows.length > 0);
      }
      // Left out are all after the cut, and all of an endpoint from its first body without room.
      const left = rows.filter((one) => !taken.includes(one));
      if (taken.length < most && !room.isCut) {
        for (const one of left) expect(room.isClosed(one.endpoint_id)).toBe(true);
      }
      for (const one of taken) {
        const earlier = left.filter((other) => rows.indexOf(other) < rows.indexOf(one));
        expect(earlier.map(({ endpoint_id }) => endpoint_id)).not.toContain(one.endpoint_id);
      }
    }),
    { numRuns: 1_000 },
  );
});
