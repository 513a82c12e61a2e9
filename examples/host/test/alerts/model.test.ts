/** Random signs, times, looks, recoveries, dismissals and restarts, against a model that only counts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILING_MS } from '../../src/alerts/raising.js';
import type { Kind } from '../../src/alerts/routes.js';
import { databases } from '../db/databases.js';
import { HOUR, setStage } from './stage.js';

const REJECTED = 'headgate.source.rejected';
const FAILING = 'headgate.endpoint.failing';
const RECOVERED = 'headgate.endpoint.recovered';
const PROCESSES = 2;
const SUBJECTS = 2;

type Step =
  | { readonly do: 'reject' | 'fail' | 'recover'; readonly process: number; readonly subject: number }
  | { readonly do: 'look' | 'kill'; readonly process: number }
  | { readonly do: 'dismiss'; readonly pick: number }
  | { readonly do: 'pass'; readonly ms: number };

const process = fc.nat(PROCESSES - 1);
const subject = fc.nat(SUBJECTS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reject' as const), process, subject }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('fail' as const), process, subject }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('recover' as const), process, subject }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('look' as const), process }) },
  fc.record({ do: fc.constant('kill' as const), process }),
  fc.record({ do: fc.constant('dismiss' as const), pick: fc.nat(5) }),
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 1, max: 400_000 }), fc.constant(HOUR)),
    }),
  },
);

/** An alert of the model. */
interface Expected {
  count: number;
  lastAt: number;
  unsent: number;
  sendAt: number | null;
  sentAt: number | null;
  isDismissed: boolean;
}

/** Counts as the documentation says, with one list of everything. */
class Model {
  readonly alerts = new Map<string, Expected>();
  readonly failingSince = new Map<string, number>();
  readonly sent: (readonly [key: string, count: number])[] = [];
  #memories = Array.from({ length: PROCESSES }, () => new Map<string, { n: number; lastAt: number }>());

  count(at: number, process: number, key: string): void {
    const n = (this.#memories[process]?.get(key)?.n ?? 0) + 1;
    this.#memories[process]?.set(key, { n, lastAt: at });
  }

  kill(process: number): void {
    this.#memories[process] = new Map();
  }

  look(at: number, process: number): void {
    for (const [key, { n, lastAt }] of this.#memories[process] ?? []) {
      const since = key.startsWith(FAILING) ? this.failingSince.get(subjectOf(key)) : -Infinity;
      if (since !== undefined && since <= lastAt - FAILING_MS) this.raise(lastAt, key, n);
    }
    this.kill(process);
    for (const [key, alert] of this.alerts) {
      if (alert.sendAt === null || alert.sendAt > at) continue;
      alert.sendAt = null;
      if (this.#isOutdated(key, alert)) continue;
      this.sent.push([key, alert.unsent]);
      Object.assign(alert, { unsent: 0, sentAt: at });
    }
  }

  recover(at: number, endpoint: string): void {
    const since = this.failingSince.get(endpoint);
    this.failingSince.delete(endpoint);
    const reported = this.alerts.get(`${FAILING} ${endpoint}`);
    if (since !== undefined && reported !== undefined && reported.lastAt >= since) {
      this.raise(at, `${RECOVERED} ${endpoint}`, 1);
    }
  }

  raise(at: number, key: string, n: number): void {
    const known = this.alerts.get(key);
    const before = known ?? {
      count: 0,
      lastAt: at,
      unsent: 0,
      sendAt: null,
      sentAt: null,
      isDismissed: true,
    };
    this.alerts.set(key, {
      count: before.isDismissed ? n : before.count + n,
      lastAt: Math.max(before.lastAt, at),
      unsent: before.unsent + n,
      sendAt: before.sendAt ?? Math.max(at, (before.sentAt ?? -Infinity) + HOUR),
      sentAt: before.sentAt,
      isDismissed: false,
    });
  }

  #isOutdated(key: string, { lastAt }: Expected): boolean {
    const other = (kind: Kind) => this.alerts.get(`${kind} ${subjectOf(key)}`)?.lastAt ?? -Infinity;
    if (key.startsWith(FAILING)) return other(RECOVERED) >= lastAt;
    return key.startsWith(RECOVERED) && other(FAILING) > lastAt;
  }
}

const subjectOf = (key: string): string => key.slice(key.indexOf(' ') + 1);

describe.each(databases())('$name', ({ name, open }) => {
  test('alerts and their events are those of the model, and never two of a kind and subject within an hour', async () => {
    const db = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const stage = await setStage(db);
        await stage.endpoint('alerts');
        const endpoints = [await stage.endpoint(), await stage.endpoint()];
        const channels = [await stage.channel(), await stage.channel()];
        const processes = Array.from({ length: PROCESSES }, () => stage.process());
        const model = new Model();
        const lastSent = new Map<string, number>();
        const seen: (readonly [string, number])[] = [];
        for (const one of steps) {
          const at = stage.now();
          if (one.do === 'pass') stage.pass(one.ms);
          if (one.do === 'reject') {
            const channel = `channel:${channels[one.subject]}`;
            processes[one.process]?.count(REJECTED, channel);
            model.count(at, one.process, `${REJECTED} ${channel}`);
          }
          if (one.do === 'fail' || one.do === 'recover') {
            const endpoint = endpoints[one.subject] ?? '';
            await processes[one.process]?.[one.do](endpoint);
            const subject = `endpoint:${endpoint}`;
            if (one.do === 'recover') {
              model.recover(at, subject);
            } else {
              model.failingSince.set(subject, model.failingSince.get(subject) ?? at);
              model.count(at, one.process, `${FAILING} ${subject}`);
            }
          }
          if (one.do === 'kill') {
            // Signs that were not written are lost; alerts are not.
            processes[one.process] = stage.process();
            model.kill(one.process);
          }
          if (one.do === 'dismiss') {
            const open = await processes[0]?.list(false);
            const picked = open?.[one.pick];
            if (picked !== undefined) {
              await processes[0]?.dismiss(picked.id);
              const known = model.alerts.get(`${picked.kind} ${picked.subject}`);
              if (known !== undefined) known.isDismissed = true;
            }
          }
          if (one.do !== 'look') continue;
          await processes[one.process]?.alerts.look();
          model.look(at, one.process);
          for (const { type, data } of await stage.sent()) {
            const key = `${type} ${data.subject}`;
            expect(at - (lastSent.get(key) ?? -Infinity)).toBeGreaterThanOrEqual(HOUR);
            lastSent.set(key, at);
            seen.push([key, data.count]);
          }
        }
        expect(seen.sort()).toEqual(model.sent.sort());
        const rows = await processes[0]?.list();
        const shown = rows?.map((row) => [
          `${row.kind} ${row.subject}`,
          { count: row.count, lastAt: Date.parse(row.last_at), isDismissed: row.dismissed_at !== null },
        ]);
        const expected = [...model.alerts].map(([key, { count, lastAt, isDismissed }]) => [
          key,
          { count, lastAt, isDismissed },
        ]);
        expect(new Map(shown as never)).toEqual(new Map(expected as never));
      }),
      { numRuns: name === 'SQLite' ? 40 : 10 },
    );
  });
});
