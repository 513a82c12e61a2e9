/** How much stores read for deliveries with ordering keys, as more of them wait. */
import { describe, expect, inject, test } from 'vitest';
import {
  type Claim,
  type DeliveryStore,
  newDelivery,
  type Settlement,
  transition,
} from '../../../src/delivery/index.js';
import { countedPostgres } from './counted-postgres.js';
import { countedSqlite } from './counted-sqlite.js';
import { expectFlat, expectIndexed } from './laws.js';
import { BATCH, type Counted, fillWork, measure, type Reading, type Readings } from './measure.js';
import { NOW, shapes } from './shapes.js';

const KEYS = 10_000;
/** Deliveries that wait on each key. */
const FEW = 1;
const MANY = 100;

/** A store on tables in which each key has a delivery that is due, and some that wait. */
interface Keyed extends Counted {
  readonly fillKeys: (keys: number, waiting: number) => Promise<void>;
}

/** The nth delivery holds the nth key; those that follow wait. */
const rowsOf = (series: string, number: (key: string, nth: string) => string) => `
  select ${number('key', 'nth')} as id, 'ordered ' || (key % 10) as endpoint_id, 'key ' || key as ordering_key,
    case when nth = 0 then 'pending' else 'waiting' end as state, ${series}`;

async function keyedPostgres(): Promise<Keyed> {
  const counted = await countedPostgres(inject('postgres'));
  const holders = counted.table.replace('.deliveries', '.key_holders');
  const rows = rowsOf(
    'key, nth from generate_series(1, $1::int) as key, generate_series(0, $2::int) as nth',
    (key, nth) => `${nth} || ' of ' || ${key}`,
  );
  return {
    ...counted,
    analyze: async () => {
      await counted.pool.query(`analyze ${counted.table}; analyze ${holders}`);
      await counted.plan('made each time');
    },
    fillKeys: async (keys, waiting) => {
      await counted.pool.query(`alter table ${holders} set (autovacuum_enabled = off)`);
      await counted.pool.query(
        `insert into ${counted.table} (id, endpoint_id, ordering_key, state, due_at, waiting_due_at, event_id, event_type,
            origin, created_at, body, body_bytes)
          select id, endpoint_id, ordering_key, state, case when nth = 0 then ${NOW} end,
            case when nth > 0 then ${NOW} end, 'old', 'x', 'live', ${NOW}, 1, 2
          from (${rows} order by nth, key) as row`,
        [keys, waiting],
      );
      await counted.pool.query(`insert into ${holders} (endpoint_id, ordering_key, holder)
        select endpoint_id, ordering_key, id from ${counted.table} where ordering_key is not null and state = 'pending'`);
    },
  };
}

function keyedSqlite(): Promise<Keyed> {
  const counted = countedSqlite();
  const series = (name: string, from: number, to: number): string =>
    `(with recursive one (${name}) as (select ${from} union all select ${name} + 1 from one where ${name} < ${to})
      select ${name} from one)`;
  return Promise.resolve({
    ...counted,
    fillKeys: (keys, waiting) => {
      const rows = rowsOf(
        `key, nth from ${series('nth', 0, waiting)} cross join ${series('key', 1, keys)}`,
        (key, nth) => `${nth} || ' of ' || ${key}`,
      );
      counted.database.exec(`insert into headgate_bodies (id, event_id, digest, created_at, bytes)
          values (1, 'old', x'', ${NOW}, x'7b7d');
        insert into headgate_deliveries (id, endpoint_id, ordering_key, state, due_at, event_id, event_type, origin,
            created_at, body, body_bytes)
          select id, endpoint_id, ordering_key, state, ${NOW}, 'old', 'x', 'live', ${NOW}, 1, 2 from (${rows});
        insert into headgate_key_holders (endpoint_id, ordering_key, holder)
          select endpoint_id, ordering_key, id from headgate_deliveries
          where ordering_key is not null and state = 'pending'`);
      return Promise.resolve();
    },
  });
}

let tokens = 0;

async function claimSome(store: DeliveryStore): Promise<readonly Claim[]> {
  const at = NOW + ++tokens;
  const request = { lease: `keyed ${tokens}`, at, until: at + 30_000, limit: BATCH, perEndpoint: 8 };
  return (await store.claim({ ...request, inFlight: new Map() })).claims;
}

function delivered({ delivery }: Claim): Settlement {
  const lease = delivery.lease!;
  const attempt = { started_at: NOW, ended_at: NOW, outcome: { ok: true, status: 204 } as const };
  const policy = { retry_max_attempts: 1, retry_backoff_base_seconds: 1 };
  const after = transition(delivery, { type: 'attempt', lease, attempt, policy });
  if (!after.ok) throw new Error('a claim is leased');
  return { lease, delivery: after.delivery, attempt: after.delivery.last_attempt };
}

const newOnes = (round: number) =>
  Array.from({ length: BATCH }, (_, n) => {
    const [key, event] = [`key ${n + 1}`, { id: `new ${n} ${round} ${++tokens}`, type: 'x' }];
    const one = newDelivery(event, `ordered ${(n + 1) % 10}`, { at: NOW, orderingKey: key });
    return { body: new Uint8Array(2), deliveries: [one] };
  });

/** Does what a worker and a host do with deliveries that have keys, and counts each call. */
async function measureKeyed(counted: Counted): Promise<Readings> {
  const store = counted.store();
  const readings: Record<string, Reading> = {};
  for (let round = 0; round < 12; round++) {
    // The first ones look for what is behind.
    const isCounted = round >= 8;
    const count = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      counted.take();
      const result = await work();
      const { read, scans, sorts, pages } = counted.take();
      const before = isCounted ? (readings[name] ?? { read: 0, scans: 0, sorts: 0, pages: 0 }) : null;
      if (before !== null) {
        readings[name] = {
          ...{ read: before.read + read, scans: before.scans + scans, sorts: before.sorts + sorts },
          ...(pages !== undefined && { pages: (before.pages ?? 0) + pages }),
        };
      }
      return result;
    };
    const claims = await count('claim', () => claimSome(store));
    expect(claims).toHaveLength(BATCH);
    const held = await count('settle', () => store.settle(claims.map(delivered)));
    expect(held).not.toContain(false);
    expect(await count('put', () => store.enqueue(newOnes(round)))).toBe(BATCH);
  }
  return readings;
}

const finished = shapes.find(({ name }) => name === 'finished')!;

describe.each([
  { database: 'SQLite', create: keyedSqlite, most: { claim: 200, settle: 400, put: 400 } },
  { database: 'Postgres', create: keyedPostgres, most: { claim: 8, settle: 12, put: 12 } },
])('$database', ({ create, most }) => {
  test('a claim reads no delivery that waits, and other calls read as much as without any', async () => {
    const readings = async (waiting: number) => {
      const counted = await create();
      await counted.fillKeys(KEYS, waiting);
      const keyed = await measureKeyed(counted);
      await counted.analyze();
      const analyzed = await measureKeyed(counted);
      await fillWork(counted, 'work');
      const others = await measure(counted, finished);
      await counted.close();
      return { keyed, analyzed, others };
    };
    const few = await readings(FEW);
    const many = await readings(MANY);
    expectFlat(few.keyed, many.keyed);
    expectFlat(few.analyzed, many.analyzed);
    expectFlat(few.others, many.others);
    for (const readings of [many.keyed, many.analyzed]) {
      expectIndexed(readings);
      for (const [name, bound] of Object.entries(most)) {
        expect(readings[name]!.read, name).toBeLessThanOrEqual(4 * BATCH * bound);
      }
    }
  });
});
