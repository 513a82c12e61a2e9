/** The effects that a rule would have had on past events: windows, samples, sources, signals. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  OptionError,
  RuleError,
  compileMatch,
  dryRun,
  type Action,
  type DryRunOptions,
  type DryRunProgress,
  type Event,
  type Match,
} from '../../../src/index.js';

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
      undated: 3,
      limits: 0,
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
      message: `windowHours must be a whole number of hours from 1 to 168; it is ${JSON.stringify(windowHours).replace('null', 'NaN')}`,
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
  test('the topic of an event that has one', async () => {
    const data = { n: 1 };
    const events = [{ ...event(0, data), topic: 'invoice.paid' }, event(0, data)];
    const { samples } = await run({ type: 'drop' }, events);
    expect(samples.map(({ topic }) => topic)).toEqual(['invoice.paid', undefined]);
    expect(samples.filter((sample) => 'topic' in sample)).toHaveLength(1);
  });

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

  test('of changes below a deep path as many as their paths have room for, and that there are more', async () => {
    let data: Record<string, unknown> = { v: 'k1' };
    for (let level = 0; level < 3_000; level++) data = { v: 'k1', ['k'.repeat(100)]: data };
    const ops = [{ op: 'redact', path: 'data.a', deep: true, regex: '1', replace: 'x' }] as const;
    const { samples } = await run(
      { type: 'transform', ops },
      Array.from({ length: 50 }, () => event(0, { n: 1, a: data })),
    );
    expect(samples).toHaveLength(50);
    for (const { diff = [], diff_truncated } of samples) {
      expect(diff_truncated).toBe(true);
      expect(diff[0]).toEqual({ path: 'data.a.v', before: 'k1', after: 'kx' });
      expect(JSON.stringify(diff).length).toBeLessThan(1_000_000);
    }
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

describe('leaves that stay undecided', () => {
  test('are counted by the events that they are on, whether those match or not', async () => {
    const undecidable: Match = { path: 'data.text', op: 'matches', value: '[ab]*a[ab]{12}[^ab]' };
    const events = [
      event(1, { text: 'ab'.repeat(200) }),
      event(2, { text: 'ab'.repeat(200), n: 1 }),
      event(3, { text: 'short', n: 1 }),
      event(HOUR, { text: 'ab'.repeat(200) }),
    ];
    const report = await dryRun(
      {
        stage: 'deliver',
        match: { any: [undecidable, { all: [undecidable, match] }, match] },
        action: { type: 'drop' },
      },
      events,
      { windowHours: 1, now, patterns: { budget: 1_000 } },
    );
    expect(report).toMatchObject({ scanned: 3, matched: 2, limits: 2, undated: 0 });
  });
});

describe('the event loop', () => {
  /** Turns of the loop while events are read, each of which takes some milliseconds by a clock of the test's own. */
  async function turnsDuring(events: number, msOfEvent: number, text = '', async = false): Promise<number> {
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    let turns = 0;
    const turn = (): void => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    function* made() {
      for (let i = 0; i < events; i++) {
        time += msOfEvent;
        yield event(0, { n: 1, text });
      }
    }
    async function* waited() {
      for (const one of made()) yield await Promise.resolve(one);
    }
    const slow: Match = {
      all: [match, { path: 'data.text', op: 'not_matches', value: '[ab]*a[ab]{12}[^ab]' }],
    };
    try {
      await dryRun({ stage: 'deliver', match: slow, action: { type: 'drop' } }, async ? waited() : made(), {
        windowHours: 1,
        now,
      });
      return turns;
    } finally {
      clearImmediate(next);
      clock.mockRestore();
    }
  }

  test.for([false, true])('runs every 8 ms, whatever the source: async %s', async (async) => {
    expect(await turnsDuring(500, 1, '', async)).toBeGreaterThanOrEqual(25);
    expect(await turnsDuring(20, 10, '', async)).toBeGreaterThanOrEqual(8);
  });

  test('runs after some hundred events, or after expensive ones, where the clock stands still', async () => {
    expect(await turnsDuring(5_000, 0)).toBeGreaterThanOrEqual(5);
    expect(await turnsDuring(20, 0, 'ab'.repeat(40_000))).toBeGreaterThanOrEqual(8);
  });

  test('runs where there are no channels', async () => {
    vi.stubGlobal('MessageChannel', undefined);
    try {
      expect(await turnsDuring(50, 10)).toBeGreaterThanOrEqual(10);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('a signal', () => {
  /** A source that says whether somebody reads on, and perhaps never goes on itself. */
  function source(hangsAt = Infinity) {
    const seen = { taken: 0, closed: 0 };
    const events: AsyncIterable<Event> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          if (seen.taken++ === hangsAt) return new Promise(() => undefined);
          return Promise.resolve({ done: false, value: event(0) });
        },
        return: () => {
          seen.closed++;
          return new Promise(() => undefined);
        },
      }),
    };
    return { seen, events };
  }

  test('that has aborted ends it before anything is read', async () => {
    const { seen, events } = source();
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(run({ type: 'drop' }, events, { signal })).rejects.toBe(reason);
    expect(seen).toEqual({ taken: 0, closed: 0 });
  });

  test('that aborts while the source hangs ends it at once, and closes the source without waiting', async () => {
    const { seen, events } = source(3);
    const controller = new AbortController();
    const report = run({ type: 'drop' }, events, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(report).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual({ taken: 4, closed: 1 });
  });

  test.for([false, true])(
    'ends the reading of an endless source that never waits: async %s',
    async (async) => {
      let closed = false;
      function* endless() {
        try {
          for (;;) yield event(0);
        } finally {
          closed = true;
        }
      }
      async function* waiting() {
        for (const one of endless()) yield await Promise.resolve(one);
      }
      const controller = new AbortController();
      const report = run({ type: 'drop' }, async ? waiting() : endless(), { signal: controller.signal });
      setTimeout(() => controller.abort(), 1);
      await expect(report).rejects.toMatchObject({ name: 'AbortError' });
      expect(closed).toBe(true);
    },
  );

  test('that a source aborts itself ends it with the next event', async () => {
    const controller = new AbortController();
    let taken = 0;
    function* events() {
      for (;;) {
        if (++taken === 3) controller.abort('no more');
        yield event(0);
      }
    }
    await expect(run({ type: 'drop' }, events(), { signal: controller.signal })).rejects.toBe('no more');
    expect(taken).toBe(3);
  });

  test('is left without a listener', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await run({ type: 'drop' }, [event(0)], { signal });
    expect(removed.mock.calls).toEqual(added.mock.calls);
    expect(added).toHaveBeenCalledOnce();
  });
});

describe('a signal that asks for the report so far', () => {
  test('that has aborted gives one of nothing, and reads nothing', async () => {
    let read = false;
    function* events() {
      read = true;
      yield event(0);
    }
    const signal = AbortSignal.abort();
    expect(await run({ type: 'drop' }, events(), { signal, onAbort: 'report' })).toEqual({
      ...{ matched: 0, scanned: 0, undated: 0, limits: 0, byAction: {}, samples: [] },
      aborted: true,
    });
    expect(read).toBe(false);
  });

  test('gives what the events read so far give, whether the source goes on or hangs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(80), fc.boolean(), async (count, hangs) => {
        const controller = new AbortController();
        let isClosed = false;
        const past = Array.from({ length: count }, (_, n) => event(n, { n: n % 3 === 0 ? -1 : 1 }));
        function* endless() {
          try {
            yield* past;
            controller.abort();
            for (;;) yield event(0);
          } finally {
            isClosed = true;
          }
        }
        async function* waiting() {
          yield* past;
          setImmediate(() => controller.abort());
          await new Promise(() => undefined);
        }
        const { signal } = controller;
        const options = { signal, onAbort: 'report' } as const;
        const report = await run({ type: 'drop' }, hangs ? waiting() : endless(), options);
        // A source that aborts while it gives an event gives that one too.
        const read = hangs ? past : [...past, event(0)];
        expect(report).toEqual({ ...(await run({ type: 'drop' }, read)), aborted: true });
        expect(isClosed).toBe(!hangs);
      }),
      { numRuns: 50 },
    );
  });

  test('says nothing of it where the events ended before', async () => {
    const { signal } = new AbortController();
    const report = await run({ type: 'drop' }, [event(0)], { signal, onAbort: 'report' });
    expect(report).not.toHaveProperty('aborted');
  });

  test('hides no other error', async () => {
    const controller = new AbortController();
    const broken = new Error('the database is gone');
    function* events() {
      yield event(0);
      controller.abort();
      throw broken;
    }
    const { signal } = controller;
    await expect(run({ type: 'drop' }, events(), { signal, onAbort: 'report' })).rejects.toBe(broken);
  });
});

describe('progress', () => {
  /** Runs over events, each of which takes some milliseconds by a clock of the test's own. */
  async function told(events: number, msOfEvent: number, options: Partial<DryRunOptions> = {}) {
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    const calls: { readonly at: number; readonly soFar: DryRunProgress }[] = [];
    function* past() {
      for (let n = 0; n < events; n++) {
        time += msOfEvent;
        yield event(n % 5 === 0 ? -1 : n, { n: n % 3 === 0 ? -1 : 1 });
      }
    }
    try {
      const onProgress = (soFar: DryRunProgress) => void calls.push({ at: time, soFar });
      const report = await run({ type: 'tag', tags: ['t'] }, past(), { onProgress, ...options });
      return { calls, report, time };
    } finally {
      clock.mockRestore();
    }
  }

  test('is told every 100 ms, never more often, and a last time as the report has it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(300), fc.constantFrom(1, 3, 9, 40), async (events, ms) => {
        const { calls, report, time } = await told(events, ms);
        const { samples: _, ...counts } = report;
        expect(calls.at(-1)).toEqual({ at: time, soFar: counts });
        const between = calls.slice(0, -1);
        between.forEach(({ at }, i) => expect(at - (between[i - 1]?.at ?? 0)).toBeGreaterThanOrEqual(100));
        // A slice may end up to 8 ms and an event after that.
        expect(between.length).toBeGreaterThanOrEqual(Math.floor(time / (100 + 8 + 2 * ms)));
        const scanned = calls.map(({ soFar }) => soFar.scanned);
        expect(scanned).toEqual(scanned.toSorted((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });

  test('is told once where the dry-run is short, also where a signal has ended it', async () => {
    const soFar = { matched: 0, scanned: 0, undated: 0, limits: 0, byAction: {} };
    expect((await told(0, 1)).calls).toEqual([{ at: 0, soFar }]);
    const options = { signal: AbortSignal.abort(), onAbort: 'report' } as const;
    expect((await told(9, 1, options)).calls).toEqual([{ at: 0, soFar }]);
  });

  test('ends the dry-run where its listener throws, and closes the source', async () => {
    let closed = false;
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    function* endless() {
      try {
        for (;;) {
          time += 10;
          yield event(0);
        }
      } finally {
        closed = true;
      }
    }
    const gone = new Error('the reader has gone');
    const onProgress = () => {
      throw gone;
    };
    await expect(run({ type: 'drop' }, endless(), { onProgress })).rejects.toBe(gone);
    clock.mockRestore();
    expect(closed).toBe(true);
  });
});

describe('the source', () => {
  test('is closed when an event cannot be read, and its own error is told', async () => {
    let closed = false;
    function* events() {
      try {
        yield Object.defineProperty(event(0), 'received_at', {
          get: () => {
            throw new Error('lazy');
          },
        });
      } finally {
        closed = true;
      }
    }
    await expect(run({ type: 'drop' }, events())).rejects.toThrow('lazy');
    expect(closed).toBe(true);
    const failing = {
      [Symbol.iterator]: () => ({
        next: () => {
          throw new Error('database');
        },
        return: () => {
          throw new Error('never called');
        },
      }),
    };
    await expect(run({ type: 'drop' }, failing)).rejects.toThrow('database');
  });

  test('may hold promises of events', async () => {
    const events = [event(1), event(2)].map((one) => Promise.resolve(one));
    expect((await run({ type: 'drop' }, events as unknown as Event[])).scanned).toBe(2);
  });

  test.for<[unknown, string]>([
    [undefined, 'undefined'],
    ['[]', '"[]"'],
    [Promise.resolve([]), 'a Promise; await it'],
    [event(0), 'an object'],
  ])('that is none is refused', async ([events, shown]) => {
    const message = `events must be an array, a generator or another iterable; this is ${shown}`;
    await expect(run({ type: 'drop' }, events as Event[])).rejects.toMatchObject({
      code: 'invalid_option',
      message,
    });
  });
});

describe('options', () => {
  const endpoints = (one: unknown) => ({ endpoints: [{ id: id(1), status: 'active' }, one] });
  test.for<[object | null, string]>([
    [{ now: NaN }, 'now must be a time in Unix milliseconds, as Date.now() gives it; it is NaN'],
    [{ now: new Date() }, 'as Date.now() gives it; it is a Date'],
    [{ now: '2026-01-15' }, 'as Date.now() gives it; it is "2026-01-15"'],
    [{ window: 24 }, 'the options of dryRun: unknown "window"'],
    [{ windowhours: 24 }, 'unknown "windowhours". Did you mean windowHours?'],
    [{ patterns: { buget: 1 } }, 'patterns in the options of dryRun: unknown "buget". Did you mean budget?'],
    [{ patterns: { budget: -1 } }, 'budget must be a positive number of work units; it is -1'],
    [{ patterns: { budget: '5' } }, 'budget must be a positive number of work units; it is "5"'],
    [{ patterns: { engine: 're2' } }, 'patterns.engine must be an engine'],
    [{ patterns: null }, 'patterns in the options of dryRun must be an object; this is null'],
    [{ signal: new AbortController() }, 'signal must be an AbortSignal, such as controller.signal'],
    [{ endpoints: {} }, 'endpoints must be an array; it is an object'],
    [endpoints(id(1)), 'endpoints/1 must be { id, status }'],
    [
      endpoints({ id: id(1) }),
      'endpoints/1 must be { id, status }, the id text and the status "active" or "paused"',
    ],
    [endpoints({ id: id(1), status: 'ACTIVE' }), 'its status "ACTIVE"'],
    [endpoints({ id: 1, status: 'active' }), 'its id is 1'],
    [{ onAbort: 'resolve' }, 'onAbort must be "reject" or "report"; it is "resolve"'],
    [{ onAbort: null }, 'onAbort must be "reject" or "report"; it is null'],
    [{ onProgress: true }, 'onProgress must be a function; it is true'],
  ])('%o are refused before an event is read', async ([options, message]) => {
    let read = false;
    function* events() {
      read = true;
      yield event(0);
    }
    const error = await run({ type: 'drop' }, events(), options as object).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ code: 'invalid_option' });
    expect((error as OptionError).message).toContain(message);
    expect(read).toBe(false);
  });

  test('that are no object are refused', async () => {
    const rule = { stage: 'deliver' as const, match, action: { type: 'drop' as const } };
    await expect(dryRun(rule, [], null as unknown as DryRunOptions)).rejects.toThrow(
      'the options of dryRun must be an object; this is null',
    );
  });
});

test('ids of endpoints are compared and told in lower case', async () => {
  const uuid = '3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10';
  const action: Action = { type: 'route_only', endpoint_ids: [uuid.toUpperCase(), uuid] };
  for (const given of [uuid, uuid.toUpperCase()]) {
    const report = await run(action, [event(0)], { endpoints: [{ id: given, status: 'active' }] });
    expect(report.samples[0]?.endpoint_ids).toEqual([uuid]);
  }
});

test('the rule is tried as it was handed in, whatever happens to it meanwhile', async () => {
  const leaf = { path: 'data.n', op: 'eq' as const, value: 1 };
  const tags = ['t'];
  function* events() {
    yield event(0);
    leaf.value = 2;
    tags[0] = 'other';
    yield event(1);
  }
  const report = await dryRun({ stage: 'deliver', match: leaf, action: { type: 'tag', tags } }, events(), {
    windowHours: 1,
    now,
  });
  expect(report.samples.map((sample) => sample.tags)).toEqual([['t'], ['t']]);
});
