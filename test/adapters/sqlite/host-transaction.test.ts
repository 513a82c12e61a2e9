/** Writing in a transaction of the host's. */
import { describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../../src/adapters/sqlite/index.js';
import { createScheduler, newDelivery, type Settlement, transition } from '../../../src/delivery/index.js';
import { createManualClock, createScriptedTransport } from '../../../src/testing/index.js';
import { connect, newPath, openStore } from './files.js';
import { until } from '../../until.js';

const dispatch = (event: string, ...endpoints: string[]) => ({
  body: Buffer.from(event),
  deliveries: endpoints.map((endpoint) => newDelivery({ id: event, type: 'x' }, endpoint, { at: 1 })),
});
const everything = { lease: 'l', at: 9, until: 99, limit: 9, perEndpoint: 9, inFlight: new Map() };

/** A store, and a connection of the host's to the same file, with a table of its own. */
function hostAndStore() {
  const path = newPath();
  const store = openStore({ path, lockTimeoutMs: 50 });
  const host = connect(path);
  host.exec('create table orders (id text primary key) strict');
  const orders = (): unknown[] => host.prepare('select id from orders').all();
  return { path, store, host, orders };
}

describe("the host's own write and the enqueueing of its event", () => {
  test('are there together once the host commits', async () => {
    const { store, host, orders } = hostAndStore();
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    expect(await store.enqueue([dispatch('evt_1', 'a', 'b')], host)).toBe(2);
    expect((await store.claim(everything)).claims, 'not yet').toEqual([]);
    host.exec('commit');
    expect(orders()).toHaveLength(1);
    const { claims } = await store.claim(everything);
    expect(claims.map(({ body }) => Buffer.from(body).toString())).toEqual(['evt_1', 'evt_1']);
  });

  test('are gone together when it rolls back', async () => {
    const { store, host, orders } = hostAndStore();
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    await store.enqueue([dispatch('evt_1', 'a')], host);
    host.exec('rollback');
    expect(orders()).toEqual([]);
    expect(await store.claim(everything)).toMatchObject({ claims: [], nextDueAt: null });
    expect(host.prepare('select count(*) as bodies from headgate_bodies').get()).toEqual({ bodies: 0 });
  });

  test('are done before the promise is returned', () => {
    const { store, host } = hostAndStore();
    host.exec('begin immediate');
    void store.enqueue([dispatch('evt_1', 'a')], host);
    host.exec('commit');
    expect(host.prepare('select count(*) as count from headgate_deliveries').get()).toEqual({ count: 1 });
  });

  test('leave the rest of the transaction alone where the enqueueing fails', async () => {
    const { store, host, orders } = hostAndStore();
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    host.exec(`create temp trigger refuse before insert on headgate_deliveries when new.event_id = 'evt_1'
      begin select raise(abort, 'refused'); end`);
    await expect(store.enqueue([dispatch('evt_2', 'a'), dispatch('evt_1', 'a')], host)).rejects.toMatchObject(
      { code: 'store_failed' },
    );
    host.exec('commit');
    expect(orders()).toHaveLength(1);
    expect(await store.claim(everything)).toMatchObject({ claims: [], nextDueAt: null });
  });

  test('are one write where the host has no transaction open', async () => {
    const { store, host } = hostAndStore();
    expect(await store.enqueue([dispatch('evt_1', 'a')], host)).toBe(1);
    expect((await store.claim(everything)).claims).toHaveLength(1);
  });

  test('need the tables of a store', async () => {
    const { store } = hostAndStore();
    const other = connect(newPath());
    await expect(store.enqueue([dispatch('evt_1', 'a')], other)).rejects.toMatchObject({
      code: 'store_outdated',
    });
  });

  test('say so when the disk is full, and nothing is half there', async () => {
    const { store, host } = hostAndStore();
    const { page_count: pages } = host.prepare('pragma page_count').get() as { page_count: number };
    host.exec(`pragma max_page_count = ${pages + 2}`);
    const large = { ...dispatch('evt_1', 'a'), body: new Uint8Array(100_000) };
    await expect(store.enqueue([large], host)).rejects.toMatchObject({
      code: 'store_full',
      name: 'StoreError',
    });
    expect(await store.get('evt_1:a')).toBeNull();
    host.exec('pragma max_page_count = 1000000');
    expect(await store.enqueue([large], host)).toBe(1);
  });
});

/** A settlement of the only due delivery. */
async function attempted({ store }: ReturnType<typeof hostAndStore>, status: 200 | 500): Promise<Settlement> {
  const [claim] = (await store.claim(everything)).claims;
  const outcome =
    status === 200
      ? { ok: true as const, status }
      : { ok: false as const, failure: 'http_status' as const, status, transient: true, detail: '' };
  const attempt = { started_at: 10, ended_at: 11, outcome };
  const policy = { retry_max_attempts: 1, retry_backoff_base_seconds: 60 };
  const step = transition(claim!.delivery, { type: 'attempt', lease: 'l', attempt, policy });
  if (!step.ok) throw new Error(step.reason);
  return { lease: 'l', delivery: step.delivery, attempt: step.delivery.last_attempt };
}

describe("the host's own rows and the end of a lease", () => {
  test('are there together once the host commits', async () => {
    const subject = hostAndStore();
    const { store, host, orders } = subject;
    await store.enqueue([dispatch('evt_1', 'a')]);
    const settlement = await attempted(subject, 200);
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    expect(await store.settle([settlement], host)).toEqual([true]);
    expect((await store.get('evt_1:a'))?.delivery.state, 'not yet').toBe('leased');
    host.exec('commit');
    expect(orders()).toHaveLength(1);
    expect(await store.get('evt_1:a')).toEqual({
      delivery: settlement.delivery,
      attempts: [settlement.attempt],
    });
  });

  test('are gone together when it rolls back, and may be written again', async () => {
    const subject = hostAndStore();
    const { store, host, orders } = subject;
    await store.enqueue([dispatch('evt_1', 'a')]);
    const settlement = await attempted(subject, 200);
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('order-1');
    await store.settle([settlement], host);
    host.exec('rollback');
    expect(orders()).toEqual([]);
    expect(await store.get('evt_1:a')).toMatchObject({ delivery: { state: 'leased' }, attempts: [] });
    expect(await store.settle([settlement])).toEqual([true]);
    expect(await store.settle([settlement], host), 'recorded before').toEqual([true]);
    expect((await store.get('evt_1:a'))?.attempts).toHaveLength(1);
  });

  test('are done before the promise is returned, and a lost lease is told', async () => {
    const subject = hostAndStore();
    const { store, host } = subject;
    await store.enqueue([dispatch('evt_1', 'a')]);
    const settlement = await attempted(subject, 200);
    const stranger = { ...settlement, lease: 'another' };
    host.exec('begin immediate');
    expect(await store.settle([stranger], host)).toEqual([false]);
    void store.settle([settlement], host);
    host.exec('commit');
    expect(host.prepare('select state from headgate_deliveries').get()).toEqual({ state: 'delivered' });
  });

  test('are one write for each attempt of a scheduler that gets such a store', async () => {
    const { store, host, orders } = hostAndStore();
    let isRefusing = true;
    const settle = async (settlements: readonly Settlement[]) => {
      host.exec('begin immediate');
      try {
        const held = await store.settle(settlements, host);
        settlements.forEach(({ delivery }, i) => {
          const row = host.prepare('insert into orders values (?) on conflict do nothing');
          if (held[i]) row.run(`${delivery.id} ${delivery.attempts}`);
        });
        if (isRefusing) throw new Error('The host has no time');
        host.exec('commit');
        return held;
      } catch (error) {
        host.exec('rollback');
        throw error;
      }
    };
    const clock = createManualClock();
    let failures = 0;
    const scheduler = createScheduler({
      clock,
      store: { ...store, settle },
      transport: createScriptedTransport(clock, (_, earlier) => ({ outcome: earlier === 0 ? 503 : 200 })),
      endpoints: () => ({ url: 'https://a', retry_max_attempts: 3, retry_backoff_base_seconds: 1 }),
      signer: { headers: () => ({}) },
      on: { storeFailed: () => void failures++ },
    });
    const body = Buffer.from('{}');
    const delivery = newDelivery({ id: 'evt_1', type: 'x' }, 'a', { at: clock.now() });
    await store.enqueue([{ body, deliveries: [delivery] }]);
    scheduler.start();
    await clock.advance(200);
    expect(failures).toBe(1);
    expect(orders()).toEqual([]);
    expect((await store.get('evt_1:a'))?.attempts).toEqual([]);
    isRefusing = false;
    await clock.advance(60_000);
    await scheduler.stop();
    expect(orders()).toEqual([{ id: 'evt_1:a 1' }, { id: 'evt_1:a 2' }]);
    expect((await store.get('evt_1:a'))?.attempts).toHaveLength(2);
  });
});

describe("the host's own rows and dead letters", () => {
  async function withLetter() {
    const subject = hostAndStore();
    await subject.store.enqueue([dispatch('evt_1', 'a')]);
    await subject.store.settle([await attempted(subject, 500)]);
    return subject;
  }

  test.for(['commit', 'rollback'])('are redelivered together, or neither: %s', async (end) => {
    const { store, host, orders } = await withLetter();
    const { deadLetters } = store;
    host.exec('begin immediate');
    host.prepare('insert into orders values (?)').run('click');
    expect(await deadLetters.redeliver({ endpointId: 'a' }, { at: 20, replay: 'click' }, host)).toBe(1);
    expect(await deadLetters.count({}), 'not yet').toBe(1);
    host.exec(end);
    const isThere = end === 'commit';
    expect(orders()).toHaveLength(isThere ? 1 : 0);
    expect(await deadLetters.count({})).toBe(isThere ? 0 : 1);
    expect((await store.get('evt_1:a:click')) !== null).toBe(isThere);
  });

  test.for(['commit', 'rollback'])('are discarded together, or neither: %s', async (end) => {
    const { store, host } = await withLetter();
    host.exec('begin immediate');
    expect(await store.deadLetters.discard({ all: true }, host)).toBe(1);
    host.exec(end);
    expect(await store.deadLetters.count({})).toBe(end === 'commit' ? 0 : 1);
  });
});

describe("the host's own rows and finished deliveries", () => {
  test.for(['commit', 'rollback'])('are deleted together, or neither: %s', async (end) => {
    const subject = hostAndStore();
    const { store, host, orders } = subject;
    await store.enqueue([dispatch('evt_1', 'a'), dispatch('evt_2', 'a')]);
    host.exec("insert into orders values ('evt_1')");
    const [first] = (await store.claim({ ...everything, limit: 1 })).claims;
    const delivery = {
      ...first!.delivery,
      state: 'delivered',
      due_at: null,
      finished_at: 2,
      lease: null,
    } as const;
    await store.settle([{ lease: 'l', delivery, attempt: null }]);
    host.exec('begin immediate');
    expect(await store.deleteDeliveries(['evt_1:a', 'evt_2:a'], {}, host)).toEqual(['evt_1:a']);
    host.exec('delete from orders');
    host.exec(end);
    const left = end === 'commit' ? 0 : 1;
    expect(orders()).toHaveLength(left);
    expect((await store.get('evt_1:a')) === null).toBe(end === 'commit');
    const bodies = host.prepare('select event_id from headgate_bodies').all();
    expect(bodies).toHaveLength(1 + left);
  });
});

describe('a file that somebody has locked', () => {
  test('is waited for, while the process goes on', async () => {
    const { store, host } = hostAndStore();
    const patient = createSqliteStore({
      path: (host.prepare('pragma database_list').get() as { file: string }).file,
    });
    host.exec('begin immediate');
    let turns = 0;
    const turning = setInterval(() => void turns++, 1);
    const waiting = dispatch('evt_1', 'a');
    const enqueued = patient.enqueue([waiting]);
    waiting.body.fill(0);
    await until(() => turns > 10);
    host.exec('commit');
    expect(await enqueued).toBe(1);
    clearInterval(turning);
    patient.close();
    const { claims } = await store.claim(everything);
    expect(claims.map(({ body }) => Buffer.from(body).toString())).toEqual(['evt_1']);
  });

  test('is told as locked when it stays so', async () => {
    const { store, host } = hostAndStore();
    host.exec('begin immediate');
    await expect(store.enqueue([dispatch('evt_1', 'a')])).rejects.toMatchObject({ code: 'store_locked' });
    expect(await store.get('evt_1:a'), 'readers are not locked out').toBeNull();
    host.exec('rollback');
    expect(await store.enqueue([dispatch('evt_1', 'a')])).toBe(1);
  });
});
