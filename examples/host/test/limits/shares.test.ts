/** Shares of what is bounded: an owner that takes all it may leaves some to the others, however many do so. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHeld } from '../../src/deciding/held.js';
import { type Charge, createLedger } from '../../src/limits/ledger.js';
import { createMemory, readersOf, strangersAt } from '../../src/limits/memory.js';

const LIMIT = 10_000;

/** How much each owner gets that asks for units of one size until it is refused. */
function greedily(owners: number, hasRoom: (owner: string) => boolean): readonly number[] {
  return Array.from({ length: owners }, (_, i) => {
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

describe('a ledger', () => {
  test('gives each owner no more than it leaves to the others', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (owners) => {
        const ledger = createLedger(LIMIT);
        assertShared(greedily(owners, (owner) => ledger.take(owner, 1) !== null));
      }),
    );
  });

  test('counts what its charges have, whatever is asked for, and is empty once they are closed', () => {
    const step = fc.record({
      what: fc.constantFrom('open' as const, 'set' as const, 'force' as const, 'close' as const),
      owner: fc.constantFrom('a', 'b', 'c'),
      which: fc.nat(20),
      amount: fc.integer({ min: 0, max: LIMIT }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ledger = createLedger(LIMIT);
        const all: { owner: string; charge: Charge }[] = [];
        const sum = (owner?: string): number =>
          all.reduce(
            (total, one) => total + (owner === undefined || one.owner === owner ? one.charge.amount : 0),
            0,
          );
        for (const { what, owner, which, amount } of steps) {
          const known = all[which % Math.max(1, all.length)];
          if (what === 'open' || known === undefined) all.push({ owner, charge: ledger.open(owner) });
          else if (what === 'force') known.charge.force(amount);
          else if (what === 'close') known.charge.close();
          else {
            const before = known.charge.amount;
            const isGranted = known.charge.set(amount);
            if (!isGranted) expect([amount > before, known.charge.amount]).toEqual([true, before]);
            else if (amount > before && known.charge.amount > 0) {
              expect(sum(known.owner)).toBeLessThanOrEqual(LIMIT - sum());
            }
          }
          expect(ledger.taken).toBe(sum());
        }
        for (const { charge } of all) charge.close();
        expect(ledger.taken).toBe(0);
      }),
    );
  });

  test('says how many units an owner gets, one after the other', () => {
    const amounts = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(LIMIT)), { maxLength: 6 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: LIMIT }), (all, most) => {
        const ledger = createLedger(LIMIT, () => most);
        for (const [owner, amount] of all) ledger.add(owner, amount);
        const room = ledger.roomFor('a');
        let count = 0;
        for (; ledger.mayTake('a', 1); count++) ledger.add('a', 1);
        expect(count).toBe(room);
      }),
    );
  });

  test('knows what an owner has after another of its charges was closed twice', () => {
    const ledger = createLedger(LIMIT);
    const twice = ledger.open('a');
    ledger.take('a', LIMIT * 0.4);
    twice.close();
    twice.close();
    expect(ledger.take('a', LIMIT * 0.2)).toBeNull();
  });

  test('forgets owners that have nothing any more', () => {
    let asked = 0;
    const ledger = createLedger(LIMIT, () => {
      asked++;
      return LIMIT;
    });
    for (let i = 0; i < 3; i++) ledger.take('a', 1)?.close();
    expect(asked).toBe(3);
    for (const more of [5, -5, 5]) ledger.add('a', more);
    expect([asked, ledger.takenBy('a'), ledger.taken]).toEqual([5, 5, 5]);
  });
});

test('strangers have an eighth of the memory at each door, and projects what is left', () => {
  const memory = createMemory(LIMIT);
  const doors = ['/session', '/openapi.json'].map(
    (door) => greedily(1, () => memory.take(strangersAt(door), 1) !== null)[0],
  );
  expect(doors).toEqual([LIMIT / 8, LIMIT / 8]);
  expect(memory.take('project', (LIMIT * 3) / 8)).not.toBeNull();
});

test('what SDK clients have not read is a quarter of the memory, and their project may still take as much', () => {
  const memory = createMemory(LIMIT);
  const [unread] = greedily(1, () => memory.take(readersOf('project'), 1) !== null);
  expect(unread).toBe(LIMIT / 4);
  expect(memory.take('project', LIMIT / 4)).not.toBeNull();
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
        return held.add(event as never);
      };
      assertShared(greedily(projects, enters));
    }),
  );
});
