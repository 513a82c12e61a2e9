import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Due, takeTurns } from '../../../src/adapters/sql/turns.js';

const endpoint = () => fc.constantFrom('a', 'b', 'c', 'd', 'e');
const due = () =>
  fc
    .array(fc.record({ endpoint_id: endpoint(), due_at: fc.nat(30) }), { maxLength: 30 })
    .map((rows) => rows.sort((a, b) => a.due_at - b.due_at).map((row, id): Due => ({ id, ...row })));

/** One slot after another, each to whoever has the best claim to it. */
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
