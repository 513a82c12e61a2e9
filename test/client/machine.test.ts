/**
 * The client's machine against a model of the host: at least once, in order, none skipped, wherever the connection
 * breaks.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { World } from './world.js';

/** Something that may happen. Those that bring the world forward are more often drawn. */
const steps = {
  append: (world: World) => world.append(),
  open: (world: World) => world.open(),
  toClient: (world: World) => world.toClient(),
  toHost: (world: World) => world.toHost(),
  succeed: (world: World) => world.succeed(),
  fail: (world: World) => world.fail(),
  cut: (world: World) => world.cut(),
  stop: (world: World) => world.cut(4503),
  wait: (world: World) => world.wait(),
  expire: (world: World) => world.expire(),
  reply: (world: World) =>
    world.host.log.length > 0 && world.reply(world.host.log.at(-1) as string, `reply ${world.asked}`),
} as const;
type Step = keyof typeof steps;

const weighted = (weights: Readonly<Partial<Record<Step, number>>>): fc.Arbitrary<readonly Step[]> => {
  const pairs = Object.entries(weights) as [Step, number][];
  const one = fc.oneof(...pairs.map(([step, weight]) => ({ weight, arbitrary: fc.constant(step) })));
  return fc.array(one, { maxLength: 200, size: 'max' });
};

const anything = weighted({
  ...{ append: 6, open: 3, toClient: 12, toHost: 8, succeed: 8, fail: 2 },
  ...{ cut: 2, stop: 1, wait: 3, expire: 1, reply: 2 },
});

const worlds = fc.record({
  window: fc.integer({ min: 1, max: 8 }),
  isNamed: fc.constant(true),
  before: fc.integer({ min: 0, max: 20 }),
  fraction: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

interface WorldShape {
  readonly window: number;
  readonly isNamed: boolean;
  readonly before: number;
  readonly fraction: number;
}

const start = ({ fraction, ...shape }: WorldShape): World => {
  const world = new World({ ...shape, random: () => fraction });
  world.begin();
  return world;
};

/** Lets everything come to its end, with no further fault. */
function settle(world: World): void {
  for (let rounds = 0; rounds < 10_000; rounds++) {
    while (world.open() || world.toHost() || world.toClient() || world.succeed());
    if (world.isQuiet()) return;
    world.wait();
  }
  throw new Error('it never comes to rest');
}

/** Positions of gaps, one by one. */
const missing = (world: World): number[] =>
  world.gaps.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n));

const isAscending = (positions: readonly number[]): boolean =>
  positions.every((position, n) => n === 0 || position > (positions[n - 1] as number));

describe('whatever breaks, and wherever', () => {
  test('every event is handled or told of as a gap, each once and in order', () => {
    fc.assert(
      fc.property(worlds, anything, (shape, happens) => {
        const world = start(shape);
        for (const step of happens) steps[step](world);
        settle(world);
        const positions = world.handled.map(({ position }) => position);
        const all = world.host.log.map((_, n) => n + 1);
        expect(world.breaches).toEqual([]);
        expect([...positions, ...missing(world)].sort((a, b) => a - b)).toEqual(all);
        expect(isAscending(positions)).toBe(true);
        expect(world.handled.map(({ event }) => event.id)).toEqual(
          positions.map((position) => world.host.log[position - 1]),
        );
        expect(world.host.cursor).toBe(world.host.log.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an event is tried until its handler succeeds, and nothing is tried between', () => {
    fc.assert(
      fc.property(worlds, anything, (shape, happens) => {
        const world = start(shape);
        for (const step of happens) steps[step](world);
        settle(world);
        world.attempts.forEach(({ position, attempt }, n) => {
          const before = world.attempts[n - 1];
          if (attempt === 1) expect(position).toBeGreaterThan(before?.position ?? 0);
          else expect(before).toMatchObject({ position, attempt: attempt - 1 });
        });
      }),
    );
  });

  test('the cursor at the host is never beyond what is handled or told of as a gap', () => {
    fc.assert(
      fc.property(worlds, anything, (shape, happens) => {
        const world = start(shape);
        for (const step of happens) {
          steps[step](world);
          const handled = world.handled.at(-1)?.position ?? 0;
          const told = world.gaps.at(-1)?.to ?? 0;
          expect(world.host.cursor ?? 0).toBeLessThanOrEqual(Math.max(handled, told));
        }
      }),
    );
  });

  test('every reply is stored once, and answered once', () => {
    fc.assert(
      fc.property(worlds, anything, (shape, happens) => {
        const world = start(shape);
        for (const step of happens) steps[step](world);
        settle(world);
        expect(world.breaches).toEqual([]);
        expect([...world.answers.values()].filter((error) => error !== null)).toEqual([]);
        expect(world.host.replies.size).toBe(world.asked);
      }),
    );
  });

  test('a client without a name handles or tells of every event since its first welcome', () => {
    fc.assert(
      fc.property(worlds, anything, (shape, happens) => {
        const world = start({ ...shape, isNamed: false });
        for (const step of happens) steps[step](world);
        settle(world);
        const positions = world.handled.map(({ position }) => position);
        const first = world.states.find((change) => change.state === 'open');
        const all = world.host.log.map((_, n) => n + 1).slice(first?.position);
        expect(world.breaches).toEqual([]);
        expect([...new Set([...positions, ...missing(world)])].sort((a, b) => a - b)).toEqual(all);
        expect(isAscending(positions)).toBe(true);
      }),
    );
  });

  test('closing ends it within its bounds, and leaves nothing to wait for', () => {
    fc.assert(
      fc.property(worlds, anything, fc.nat(5_000), anything, (shape, happens, waitMs, then) => {
        const world = start(shape);
        for (const step of happens) steps[step](world);
        const closedAt = world.now;
        world.close(waitMs);
        for (const step of then) {
          if (step !== 'reply') steps[step](world);
        }
        while (world.machine.state() !== 'closed') world.wait();
        expect(world.now).toBeLessThanOrEqual(closedAt + waitMs + 2_000);
        expect(world.machine.wakeAt()).toBe(Infinity);
        expect(world.answers.size).toBe(world.asked);
        expect(world.states.filter(({ state }) => state === 'closed')).toEqual([
          { state: 'closed', reason: null },
        ]);
        expect(world.breaches).toEqual([]);
      }),
    );
  });
});
