/** The contract of stores with columns of their users. */
import assert from 'node:assert/strict';
import type { ColumnTypes, ColumnValues } from '../delivery/columns.js';
import type { DeadLetterFilter } from '../delivery/dead-letters.js';
import type { Delivery } from '../delivery/delivery.js';
import type { KeepExchange, KeepUrl, ReadBodies, Settlement } from '../delivery/store.js';
import type { Exchange } from '../delivery/transport.js';
import {
  attempted,
  attemptOnly,
  type Cases,
  claim,
  type DeadLettersUnderTest,
  enqueue,
  fresh,
  NOW,
  refuses,
} from './contract.js';

/** Options that a store under test must be made with. */
export interface ColumnsOptions {
  readonly columns: ColumnTypes;
  /** Must be called in the transaction of `enqueue`, with the new deliveries. */
  readonly onEnqueue: (deliveries: readonly Delivery[]) => void;
  /** Must be called in the transaction of `settle`, with the settlements that were not recorded before. */
  readonly onSettle: (settlements: readonly Settlement[]) => void;
  readonly keepUrl: KeepUrl;
  readonly keepExchange: KeepExchange;
  readonly readBodies: ReadBodies;
}

/** The calls of a store's hooks; they throw while `fails` is true. */
class Heard {
  readonly enqueued: string[][] = [];
  readonly settled: string[][] = [];
  /** The ids of the deliveries whose bodies were read. */
  readonly read: string[][] = [];
  /** Bodies that are not stored, by the ids of their events. */
  readonly bodies = new Map<string, Uint8Array>();
  /** Returned by `readBodies` instead of them, unless it is undefined. */
  answer: unknown = undefined;
  fails = false;

  readonly options: ColumnsOptions = {
    columns: { tenant_id: 'text', size: 'integer' },
    onEnqueue: (deliveries) => this.#hear(this.enqueued, deliveries),
    onSettle: (settlements) =>
      this.#hear(
        this.settled,
        settlements.map(({ delivery }) => delivery),
      ),
    keepUrl: (url) => (url.includes('secret') ? null : url.toUpperCase()),
    keepExchange: ({ request_head }, { delivery, attempt }) =>
      request_head === null ? null : `${delivery.id} ${attempt?.number} ${request_head}`,
    readBodies: (deliveries) => {
      this.#hear(this.read, deliveries);
      if (this.answer !== undefined) return this.answer as ReturnType<ReadBodies>;
      return deliveries.map(({ event_id }) => this.bodies.get(event_id) ?? null);
    },
  };

  #hear(calls: string[][], deliveries: readonly Delivery[]): void {
    if (this.fails) throw new Error('the hook failed');
    calls.push(deliveries.map(({ id }) => id));
  }
}

/** A store with columns for one case, and what its hooks hear. */
export interface ColumnsUnderTest extends DeadLettersUnderTest {
  readonly heard: Heard;
}

/** Makes a subject of the cases from a store that was made with their options. */
export async function withColumns(
  create: (options: ColumnsOptions) => Promise<DeadLettersUnderTest>,
): Promise<ColumnsUnderTest> {
  const heard = new Heard();
  return { ...(await create(heard.options)), heard };
}

const of = (event: string, columns?: ColumnValues): Delivery => ({
  ...fresh(event, 'a'),
  ...(columns !== undefined && { columns }),
});
const EXCHANGE: Exchange = {
  request_head: null,
  response: null,
  timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: 1 },
};
const ACME = { tenant_id: 'acme', size: 7 };

/** All requirements of stores with columns. */
export const columnCases: Cases<ColumnsUnderTest> = {
  'values come out as they went in, with every record of the delivery': async ({ store, deadLetters }) => {
    const text = 'é😀 \\ " \n';
    const columns = { tenant_id: text, size: -9_007_199_254_740_991 };
    await enqueue(store, of('evt_1', columns));
    assert.deepEqual((await store.get('evt_1:a'))?.delivery, of('evt_1', columns));
    const failed = await attemptOnly(store, 500, NOW, 1);
    assert.deepEqual(failed.columns, columns, 'of a claim');
    assert.deepEqual((await deadLetters.list({})).letters, [failed]);
  },

  'a column without a value is null': async ({ store }) => {
    await enqueue(store, of('evt_1'), of('evt_2', { tenant_id: 'acme' }), of('evt_3', { size: null }));
    const found = await Promise.all(['evt_1:a', 'evt_2:a', 'evt_3:a'].map((id) => store.get(id)));
    assert.deepEqual(
      found.map((one) => one?.delivery.columns),
      [
        { tenant_id: null, size: null },
        { tenant_id: 'acme', size: null },
        { tenant_id: null, size: null },
      ],
    );
  },

  'a value that its column cannot hold is refused, and nothing is added': async ({ store, heard }) => {
    const wrong: readonly unknown[] = [
      ...[{ tenant: 'acme' }, { __proto__: null, constructor: 'x' }, { tenant_id: 7 }, { size: '7' }],
      ...[{ size: 1.5 }, { size: 2 ** 53 }, { size: NaN }, { tenant_id: undefined }, { tenant_id: ['x'] }],
      ...[{ tenant_id: 'a\0' }, { tenant_id: '\ud800' }, 'acme', null, []],
    ];
    for (const columns of wrong) {
      await refuses(() => enqueue(store, of('evt_1', ACME), of('evt_2', columns as ColumnValues)));
    }
    assert.equal(await store.get('evt_1:a'), null);
    assert.deepEqual(heard.enqueued, []);
  },

  'dead letters are selected by their values, within all conditions': async ({ store, deadLetters }) => {
    const tenants = ['acme', 'umbrella', null, 'acme'];
    for (const [n, tenant_id] of tenants.entries()) {
      await enqueue(store, { ...of(`evt_${n}`, { tenant_id, size: n }), due_at: NOW + n });
      await attemptOnly(store, 500, NOW + n, 1);
    }
    const cases: readonly (readonly [DeadLetterFilter, readonly string[]])[] = [
      [{ columns: { tenant_id: 'acme' } }, ['evt_3:a', 'evt_0:a']],
      [{ columns: { tenant_id: null } }, ['evt_2:a']],
      [{ columns: { tenant_id: 'acme', size: 3 } }, ['evt_3:a']],
      [{ columns: { tenant_id: 'acme' }, failedBefore: NOW + 1 }, ['evt_0:a']],
      [{ columns: { tenant_id: 'nobody' } }, []],
    ];
    for (const [filter, ids] of cases) {
      const { letters } = await deadLetters.list(filter);
      assert.deepEqual(
        letters.map(({ id }) => id),
        ids,
        JSON.stringify(filter),
      );
      assert.equal(await deadLetters.count(filter), ids.length);
    }
    assert.equal(await deadLetters.discard({ columns: { tenant_id: 'umbrella' } }), 1);
    const replay = { at: NOW + 9, replay: 'click' };
    assert.equal(await deadLetters.redeliver({ columns: { size: 0 } }, replay), 1);
    assert.equal(await deadLetters.count({}), 2);
    for (const columns of [{}, { tenant: 'acme' }, { size: 'x' }, { tenant_id: undefined }, null]) {
      const filter = { columns } as DeadLetterFilter;
      await refuses(() => deadLetters.list(filter));
      await refuses(() => deadLetters.redeliver(filter, replay));
      await refuses(() => deadLetters.discard(filter as { columns: ColumnValues }));
    }
    assert.equal(await deadLetters.count({}), 2);
  },

  'a replay has the values of its letter, but for those that are given with it': async (subject) => {
    const { store, deadLetters } = subject;
    await enqueue(store, of('evt_1', ACME));
    await attemptOnly(store, 500, NOW, 1);
    const at = NOW + 1;
    await refuses(() => deadLetters.redeliver({}, { at, replay: 'x', columns: { tenant: 'x' } }));
    assert.equal(await deadLetters.redeliver({}, { at, replay: 'one', columns: { size: null } }), 1);
    assert.deepEqual((await store.get('evt_1:a:one'))?.delivery.columns, { tenant_id: 'acme', size: null });
    await attemptOnly(store, 500, at, 1);
    assert.equal(await deadLetters.redeliver({}, { at, replay: 'two' }), 1);
    assert.deepEqual((await store.get('evt_1:a:two'))?.delivery.columns, { tenant_id: 'acme', size: null });
  },

  'each new delivery is reported once, and none is added if the hook fails': async ({ store, heard }) => {
    heard.fails = true;
    await assert.rejects(enqueue(store, of('evt_1')));
    assert.equal(await store.get('evt_1:a'), null);
    heard.fails = false;
    assert.equal(await enqueue(store, of('evt_1'), of('evt_2'), of('evt_1')), 2);
    assert.equal(await enqueue(store, of('evt_2')), 0);
    assert.equal(await enqueue(store, of('evt_2'), of('evt_3')), 1);
    assert.deepEqual(heard.enqueued, [['evt_1:a', 'evt_2:a'], ['evt_3:a']]);
  },

  'each settlement is reported once, and none is recorded if the hook fails': async ({ store, heard }) => {
    await enqueue(store, of('evt_1'), of('evt_2'));
    const { claims } = await claim(store, 'lease');
    const all = claims.map(({ delivery }) => ({ lease: 'lease', ...attempted(delivery, 500, NOW) }));
    heard.fails = true;
    await assert.rejects(store.settle(all));
    assert.deepEqual((await store.get('evt_1:a'))?.attempts, []);
    heard.fails = false;
    assert.deepEqual(await store.settle(all.slice(0, 1)), [true]);
    assert.deepEqual(await store.settle(all), [true, true]);
    assert.deepEqual(await store.settle(all), [true, true]);
    const lost = all.map((one) => ({
      ...one,
      lease: 'lost',
      ...attempted({ ...one.delivery, state: 'leased', lease: 'x' }, 200, NOW),
    }));
    assert.deepEqual(await store.settle(lost), [false, false]);
    assert.deepEqual(heard.settled.flat().toSorted(), claims.map(({ delivery }) => delivery.id).toSorted());
    assert.equal(heard.settled.length, 2);
  },

  'of the URL of an attempt is kept what the store was told to keep': async ({ store }) => {
    for (const [n, url] of ['https://a.example/x', 'https://a.example/secret', undefined].entries()) {
      await enqueue(store, of(`evt_${n}`));
      const [taken] = (await claim(store, `lease ${n}`)).claims;
      assert.ok(taken !== undefined);
      const settlement = { lease: `lease ${n}`, ...attempted(taken.delivery, 200, NOW) };
      await store.settle([{ ...settlement, ...(url !== undefined && { url }) }]);
      const again = await store.settle([{ ...settlement, ...(url !== undefined && { url }) }]);
      assert.deepEqual(again, [true]);
    }
    const found = await Promise.all([0, 1, 2].map((n) => store.get(`evt_${n}:a`)));
    const urls = found.map((one) => one?.attempts.map(({ url }) => url));
    assert.deepEqual(urls, [['HTTPS://A.EXAMPLE/X'], [undefined], [undefined]]);
    assert.equal(found[0]?.delivery.last_attempt?.url, 'HTTPS://A.EXAMPLE/X');
  },

  'of the exchange of an attempt is kept what the store was told to keep, and only get reads it': async ({
    store,
  }) => {
    await enqueue(store, of('evt_1'));
    for (const [n, head] of ['é😀 \\ \r\n', null, undefined].entries()) {
      const { claims } = await claim(store, `lease ${n}`, { at: NOW + n, until: NOW + n });
      assert.equal(claims[0]?.delivery.last_attempt?.exchange, undefined);
      assert.ok(claims[0] !== undefined);
      const settlement = { lease: `lease ${n}`, ...attempted(claims[0].delivery, 500, NOW + n) };
      const delivery = { ...settlement.delivery, due_at: NOW + n + 1 };
      const kept = head !== undefined && { exchange: { ...EXCHANGE, request_head: head } };
      for (const _ of ['once', 'again']) {
        assert.deepEqual(await store.settle([{ ...settlement, delivery, ...kept }]), [true]);
      }
    }
    const found = await store.get('evt_1:a');
    const exchanges = found?.attempts.map(({ exchange }) => exchange);
    assert.deepEqual(exchanges, ['evt_1:a 1 é😀 \\ \r\n', undefined, undefined]);
  },
};
