/**
 * A process that delivers and redelivers, to be killed. Its arguments: the database as JSON, and how far its clock is
 * ahead.
 */
import type { Clock } from 'headgate/delivery';
import { systemClock } from 'headgate/delivery';
import { type DatabaseOptions, openDatabase } from '../../src/db/index.js';
import { createDelivering } from '../../src/delivering/delivering.js';
import { searchHere } from '../../src/events/search.js';
import { exchanges } from '../exchanges.js';
import { createSelect } from '../../src/events/selecting.js';
import { createComparedEvents } from '../../src/rules/comparisons/compared-events.js';

const [options = '{}', ahead = '0'] = process.argv.slice(2);
const db = await openDatabase(JSON.parse(options) as DatabaseOptions);
const aheadMs = Number(ahead);
const clock: Clock = {
  now: () => systemClock.now() + aheadMs,
  at: (at, wake) => systemClock.at(at - aheadMs, wake),
  soon: (wake) => systemClock.soon?.(wake),
};
const SECRETS = ['whsec_test'];
const target = {
  ...{ url: 'https://example.com/', signature: 'svc' as const, headers: null, secrets: null },
  ...{ retry_max_attempts: 1, retry_backoff_base_seconds: 1 },
};
const nothing = (): Promise<void> => Promise.resolve();
const delivering = createDelivering({
  ...{ db, clock, secretsOf: () => Promise.resolve(SECRETS), exchanges },
  endpoints: {
    ...{
      target: () => Promise.resolve(target),
      subscribers: () => Promise.resolve([]),
      named: (_: string, ids: readonly string[]) =>
        Promise.resolve(ids.map((id) => ({ id, status: 'active' as const }))),
    },
    ...{ failing: nothing, recovered: nothing, exhausted: nothing },
  },
  transport: { send: () => Promise.resolve({ ok: true, status: 200 }), close: nothing },
  select: createSelect({ db, search: searchHere(db, Date.now), maxScanned: 2_000 }),
  comparisons: createComparedEvents(db, Date.now),
  // The rate of replays is not what is tested.
  replaysPerSecond: 10_000,
  again: () => Promise.reject(new Error('nobody replays here')),
  report: (error) => console.error(error),
});
delivering.start();
console.log('ready');
