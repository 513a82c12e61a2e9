/** Ids: their forms, their times, and that they sort by them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventIds, firstEventIdAt, isEventId, isUuid, newId, timeOfEventId } from '../src/ids.js';

const newEventId = createEventIds();

const times = () => fc.integer({ min: 0, max: 2 ** 48 - 1 });
/** Times with many that are equal or close. */
const crowded = () => fc.oneof(times(), fc.integer({ min: 0, max: 40 }));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Random bytes that are always the same. */
const always = (byte: number) => (length: number) => new Uint8Array(length).fill(byte);
const NO_TIMES = [NaN, Infinity, -Infinity, -1, 0.5, 2 ** 48];

describe('UUIDv7', () => {
  test('the example of RFC 9562, A.6 comes out of its time and its random bits', () => {
    // rand_a is 0xcc3, rand_b is 0b01, 0x8c4dc0c0c07398f; the bits of version and variant are overwritten.
    const random = () => Uint8Array.from([0xfc, 0xc3, 0xd8, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
    expect(newId(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  test('its form, its version, its variant and its time are right for any time and any random bytes', () => {
    fc.assert(
      fc.property(times(), bytes(10), (at, random) => {
        const id = newId(at, () => random);
        expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(at);
        expect(isUuid(id)).toBe(true);
      }),
    );
  });

  test('the order of ids is the order of times', () => {
    fc.assert(
      fc.property(times(), times(), (a, b) => {
        fc.pre(a !== b);
        expect(newId(a) < newId(b)).toBe(a < b);
      }),
    );
  });

  test('all 74 random bits are used', () => {
    const differing = new Set<string>();
    for (let bit = 0; bit < 80; bit++) {
      const random = new Uint8Array(10);
      random[bit >> 3] = 128 >> (bit & 7);
      differing.add(newId(0, () => random));
    }
    // The six bits of version and variant give the id of no bits, and so does none of the others.
    expect(differing.size).toBe(75);
  });

  test('two of one millisecond differ', () => {
    const ids = Array.from({ length: 1_000 }, () => newId(1));
    expect(new Set(ids).size).toBe(1_000);
  });

  test.for(NO_TIMES)('%d is not a time', (at) => {
    expect(() => newId(at)).toThrow(RangeError);
  });

  test.for([
    ['017f22e2-79b0-7cc3-98c4-dc0c0c07398f', true],
    ['017F22E2-79B0-4CC3-98C4-DC0C0C07398F', true],
    ['017f22e2-79b0-7cc3-98c4-dc0c0c07398', false],
    ['017f22e2-79b0-7cc3-98c4-dc0c0c07398fa', false],
    ['017f22e279b07cc398c4dc0c0c07398f', false],
    ['017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n', false],
    ['g17f22e2-79b0-7cc3-98c4-dc0c0c07398f', false],
    ['', false],
  ] as const)('isUuid(%j) is %j', ([text, holds]) => {
    expect(isUuid(text)).toBe(holds);
  });
});

describe('event ids', () => {
  test('each is greater than all before it, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(crowded(), { maxLength: 200 }), fc.nat(255), (clock, byte) => {
        const next = createEventIds(always(byte));
        let [before, latest] = ['', 0];
        for (const at of clock) {
          const id = next(at);
          latest = Math.max(latest, at);
          expect(isEventId(id)).toBe(true);
          expect(id > before).toBe(true);
          expect(timeOfEventId(id)).toBe(latest);
          before = id;
        }
      }),
    );
  });

  test('two sources make different ids in one millisecond', () => {
    const ids = Array.from({ length: 1_000 }, () => createEventIds()(1));
    expect(new Set(ids).size).toBe(1_000);
  });

  test('a carry goes through all digits', () => {
    const next = createEventIds(always(0xff));
    expect(next(0)).toBe('evt_0000000000FZZZZZZZZZZZZZZZ');
    expect(next(0)).toBe('evt_0000000000G000000000000000');
    expect(next(0)).toBe('evt_0000000000G000000000000001');
  });

  test('one process makes them ascending by its own source', () => {
    const first = newEventId(1_700_000_000_000);
    expect(newEventId(1_700_000_000_000) > first).toBe(true);
    expect(newEventId(1_600_000_000_000) > first).toBe(true);
    expect(newEventId(1_700_000_000_001) > first).toBe(true);
  });

  test('the first id of an instant parts the events before it from the others', () => {
    const edges = () =>
      fc.oneof(crowded(), fc.double({ noNaN: true }), fc.double({ min: -2, max: 42, noNaN: true }));
    fc.assert(
      fc.property(edges(), crowded(), (instant, at) => {
        const id = createEventIds()(at);
        expect(id >= firstEventIdAt(instant)).toBe(at >= instant);
      }),
      {
        numRuns: 1_000,
        examples: [
          [2 ** 48, 2 ** 48 - 1],
          [Infinity, 0],
          [-Infinity, 0],
          [0, 0],
        ],
      },
    );
  });

  test('the first id of an instant is an event id itself', () => {
    fc.assert(fc.property(times(), (at) => timeOfEventId(firstEventIdAt(at)) === at));
    expect(firstEventIdAt(0)).toBe('evt_00000000000000000000000000');
    expect(() => firstEventIdAt(NaN)).toThrow(RangeError);
  });

  test.for(NO_TIMES)('%d is not a time', (at) => {
    expect(() => newEventId(at)).toThrow(RangeError);
  });

  test('a time that was refused leaves the source as it was', () => {
    const next = createEventIds(always(0));
    const first = next(5);
    expect(() => next(NaN)).toThrow(RangeError);
    expect(next(5) > first).toBe(true);
  });

  test.for([
    ['evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', true],
    ['evt_8ZZZZZZZZZZZZZZZZZZZZZZZZZ', false],
    ['evt_0123456789ABCDEFGHJKMNPQRS', true],
    ['evt_0123456789abcdefghjkmnpqrs', false],
    ['evt_0123456789ABCDEFGHJKMNPQR', false],
    ['evt_0123456789ABCDEFGHJKMNPQRST', false],
    ['evt_0123456789ABCDEFGHJKMNPQRI', false],
    ['evt_0123456789ABCDEFGHJKMNPQRL', false],
    ['evt_0123456789ABCDEFGHJKMNPQRO', false],
    ['evt_0123456789ABCDEFGHJKMNPQRU', false],
    ['EVT_0123456789ABCDEFGHJKMNPQRS', false],
    ['evt_0123456789ABCDEFGHJKMNPQRS\n', false],
    [' evt_0123456789ABCDEFGHJKMNPQRS', false],
    ['', false],
  ] as const)('isEventId(%j) is %j', ([text, holds]) => {
    expect(isEventId(text)).toBe(holds);
    if (!holds) expect(() => timeOfEventId(text)).toThrow(RangeError);
  });
});
