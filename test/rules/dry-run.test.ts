import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  OptionError,
  RuleError,
  compileMatch,
  dryRun,
  type Action,
  type DryRunOptions,
  type Event,
  type Match,
} from '../../src/index.js';

const HOUR = 3_600_000;
const now = Date.UTC(2026, 0, 15);
const match: Match = { path: 'data.n', op: 'gte', value: 0 };
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const event = (ageMs: number, data: Record<string, unknown> = { n: 1 }, more: object = {}): Event => ({
  id: `evt_${ageMs}`,
  type: 'webhook.received',
  data,
  received_at: new Date(now - ageMs).toISOString(),
  ...more,
});
const run = (
  action: Action,
  events: Iterable<Event> | AsyncIterable<Event>,
  options: Partial<DryRunOptions> = {},
) => dryRun({ stage: 'deliver', match, action }, events, { windowHours: 1, now, ...options });

describe('the window', () => {
  test('is open at its start and closed at its end', async () => {
    const events = [event(-1), event(0), event(HOUR - 1), event(HOUR), event(HOUR + 1)];
    const report = await run({ type: 'drop' }, events);
    expect(report.samples.map(({ id }) => id)).toEqual(['evt_0', `evt_${HOUR - 1}`]);
    expect(report).toMatchObject({ matched: 2, scanned: 2, byAction: { drop: 2 } });
  });

  test('holds no event without a readable time', async () => {
    const events = [
      { ...event(0), received_at: 'yesterday' },
      { ...event(0), received_at: [event(0).received_at] as unknown as string },
      { id: 'evt_x', type: 't', data: { n: 1 } },
    ];
    expect(await run({ type: 'drop' }, events)).toEqual({
      matched: 0,
      scanned: 0,
      byAction: {},
      samples: [],
    });
  });

  test.for([0, 169, 1.5, -1, NaN, '24'])('of %s hours is refused', async (windowHours) => {
    const error = await run({ type: 'drop' }, [], { windowHours: windowHours as number }).catch(
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({
      code: 'invalid_window',
      message: `windowHours must be a whole number of hours from 1 to 168; it is ${windowHours}`,
    });
  });

  test('of 168 hours is the largest, and ends now unless told otherwise', async () => {
    const recent = { ...event(0), received_at: new Date(Date.now() - 1_000).toISOString() };
    const report = await dryRun({ stage: 'deliver', match, action: { type: 'drop' } }, [recent], {
      windowHours: 168,
    });
    expect(report.scanned).toBe(1);
  });
});

test('counts all, samples the first fifty that matched', async () => {
  const ages = fc.array(
    fc.record({ age: fc.integer({ min: -10, max: 2 * HOUR }), n: fc.integer({ min: -3, max: 3 }) }),
    { maxLength: 150 },
  );
  await fc.assert(
    fc.asyncProperty(ages, async (specs) => {
      const events = specs
        .map(({ age, n }) => event(age, { n }))
        .sort((a, b) => (a.received_at! < b.received_at! ? 1 : -1));
      const scanned = events.filter(
        ({ received_at }) => Date.parse(received_at!) > now - HOUR && Date.parse(received_at!) <= now,
      );
      const matched = scanned.filter(compileMatch(match));
      const report = await run({ type: 'tag', tags: ['t'] }, events);
      expect(report.scanned).toBe(scanned.length);
      expect(report.matched).toBe(matched.length);
      expect(report.byAction).toEqual(matched.length === 0 ? {} : { tag: matched.length });
      expect(report.samples.map(({ id }) => id)).toEqual(matched.slice(0, 50).map(({ id }) => id));
    }),
  );
});

describe('samples show', () => {
  test('data as the rule saw it, and for a transform what would change', async () => {
    const data = { n: 1, a: 'x', list: ['y', 'z'], same: 'S' };
    const ops = [
      { op: 'uppercase' as const, path: 'data.a' },
      { op: 'set' as const, path: 'data.list.1', value: { k: 1 } },
      { op: 'uppercase' as const, path: 'data.same' },
      { op: 'trim' as const, path: 'data.none' },
    ];
    const report = await run({ type: 'transform', ops }, [event(0, data)]);
    expect(report.samples[0]?.data).toBe(data);
    expect(report.samples[0]?.diff).toEqual([
      { path: 'data.a', before: 'x', after: 'X' },
      { path: 'data.list.1', before: 'z', after: { k: 1 } },
    ]);
  });

  test('for a route, the listed ids that exist and are active, or all that are listed', async () => {
    const action: Action = { type: 'route_only', endpoint_ids: [id(3), id(1), id(2), id(3)] };
    const endpoints = [
      { id: id(1), status: 'active' as const },
      { id: id(2), status: 'paused' as const },
      { id: id(3), status: 'active' as const },
      { id: id(4), status: 'active' as const },
    ];
    const told = await run(action, [event(0)], { endpoints });
    expect(told.samples[0]?.endpoint_ids).toEqual([id(3), id(1)]);
    const untold = await run(action, [event(0)]);
    expect(untold.samples[0]?.endpoint_ids).toEqual([id(3), id(1), id(2)]);
  });

  test('for a tag, those that the event has not', async () => {
    const report = await run({ type: 'tag', tags: ['a', 'b', 'a'] }, [
      event(0, { n: 1 }, { tags: ['b'] }),
      event(0, { n: 1 }),
    ]);
    expect(report.samples.map(({ tags }) => tags)).toEqual([['a'], ['a', 'b']]);
  });

  test('for a drop, nothing more', async () => {
    const report = await run({ type: 'drop' }, [event(0)]);
    expect(report.samples).toEqual([{ id: 'evt_0', type: 'webhook.received', data: { n: 1 } }]);
  });
});

test('takes events one at a time, from an async source too', async () => {
  let alive = 0;
  let most = 0;
  async function* source() {
    for (let i = 0; i < 5_000; i++) {
      most = Math.max(most, ++alive);
      yield await Promise.resolve(event(i));
      alive--;
    }
  }
  const report = await run({ type: 'drop' }, source());
  expect(report.scanned).toBe(5_000);
  expect(report.samples).toHaveLength(50);
  expect(most).toBe(1);
});

test('writes nothing: frozen events, the same report twice', async () => {
  const data = Object.freeze({ n: 1, a: 'x' });
  const events = [Object.freeze(event(0, data, { tags: Object.freeze([]) }))];
  const action: Action = { type: 'transform', ops: [{ op: 'uppercase', path: 'data.a' }] };
  expect(await run(action, events)).toEqual(await run(action, events));
  expect(data.a).toBe('x');
});

test('refuses an invalid rule, and accepts a whole one', async () => {
  await expect(run({ type: 'tag', tags: [] }, [])).rejects.toBeInstanceOf(RuleError);
  const whole = {
    id: 'r',
    name: 'n',
    priority: 3,
    enabled: false,
    stage: 'deliver' as const,
    match,
    action: { type: 'drop' as const },
  };
  expect((await dryRun(whole, [event(0)], { windowHours: 1, now })).matched).toBe(1);
});
