import { describe, expect, test } from 'vitest';
import { Backlog, type Look } from '../../../src/adapters/sql/backlog.js';
import { type ClaimTables, createClaims } from '../../../src/adapters/sql/claim-due.js';
import type { Due } from '../../../src/adapters/sql/turns.js';
import { type ClaimRequest, newDelivery } from '../../../src/delivery/index.js';

/** Tables in a list, which counts how it is asked. */
function tablesOf(pending: Due[]) {
  const asked = { reads: 0, rows: 0, searches: 0 };
  const inOrder = (rows: readonly Due[]) => rows.toSorted((a, b) => a.due_at - b.due_at);
  const tables: ClaimTables = {
    read({ at, from, window, behind }: Look) {
      const due = inOrder(pending.filter((one) => one.due_at > from && one.due_at <= at)).slice(0, window);
      const lanes = Array.from(behind, ([endpoint, count]) =>
        inOrder(
          pending.filter((one) => one.endpoint_id === endpoint && one.due_at <= Math.min(from, at)),
        ).slice(0, count),
      ).flat();
      asked.reads++;
      asked.rows += due.length + lanes.length;
      return { due, behind: inOrder(lanes), expired: [], later: [], leased: [] };
    },
    lanes(from, limit) {
      asked.searches++;
      const ids = new Set(pending.map((one) => one.endpoint_id).filter((id) => id >= from));
      return Array.from(ids)
        .sort()
        .slice(0, limit)
        .map((endpoint_id) => ({
          endpoint_id,
          due_at: Math.min(
            ...pending.filter((one) => one.endpoint_id === endpoint_id).map((one) => one.due_at),
          ),
        }));
    },
    lease(offered, { limit, lease, until }) {
      const taken = offered.slice(0, limit);
      for (const one of taken) pending.splice(pending.indexOf(one), 1);
      const event = { id: 'evt', type: 'x' };
      return new Map(
        taken.map((one) => {
          const delivery = newDelivery(event, one.endpoint_id, { at: one.due_at });
          return [one, { delivery: { ...delivery, lease, due_at: until }, body: new Uint8Array() }];
        }),
      );
    },
  };
  return { tables, asked };
}

const request = (at: number, more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  ...{ lease: `at ${at}`, at, until: at + 30_000, limit: 16, perEndpoint: 8 },
  inFlight: new Map([['full', 8]]),
  ...more,
});

const START = 1_000_000;

describe('behind an endpoint that is full', () => {
  test('claims read no more than a few times what they take, however much there is, and search now and then', async () => {
    const pending: Due[] = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      endpoint_id: 'full',
      due_at: id,
    }));
    const { tables, asked } = tablesOf(pending);
    const claim = createClaims(tables, new Backlog());
    let claimed = 0;
    for (let n = 0; n < 300; n++) {
      const at = START + n * 10;
      // What comes in: most of it for the endpoint that is full.
      for (let i = 0; i < 20; i++) {
        const endpoint_id = i < 15 ? 'full' : `endpoint-${(n + i) % 40}`;
        pending.push({ id: 100_000 + n * 20 + i, endpoint_id, due_at: at - 10 + (i % 10) });
      }
      const { claims } = await claim(request(at));
      expect(claims.map(({ delivery }) => delivery.endpoint_id)).not.toContain('full');
      claimed += claims.length;
    }
    expect(claimed).toBe(300 * 5);
    expect(asked.rows).toBeLessThan(300 * 16 * 8);
    expect(asked.searches).toBeLessThanOrEqual(4); // once a second
  });

  test('what is left is due now, as long as there may be more', async () => {
    const pending: Due[] = Array.from({ length: 100 }, (_, id) => ({ id, endpoint_id: 'full', due_at: 5 }));
    const many = Array.from({ length: 9_000 }, (_, id): Due => ({
      id: `m${id}`,
      endpoint_id: `x${id}`,
      due_at: 6,
    }));
    pending.push(...many);
    const { tables } = tablesOf(pending);
    const claim = createClaims(tables, new Backlog());
    const { claims, nextDueAt } = await claim(request(START));
    expect(claims).toEqual([]); // the search takes more than one claim
    expect(nextDueAt).toBe(START);
    await claim(request(START));
    expect((await claim(request(START))).claims).toHaveLength(16);
  });

  test('a claim that fails leaves nothing that the next one builds on', async () => {
    const pending: Due[] = Array.from({ length: 100 }, (_, id) => ({
      id,
      endpoint_id: `${id % 50}`,
      due_at: 5,
    }));
    const { tables } = tablesOf(pending);
    let fails = true;
    const lease: ClaimTables['lease'] = (offered, about) => {
      if (fails) throw new Error('away');
      return tables.lease(offered, about);
    };
    const claim = createClaims({ ...tables, lease }, new Backlog());
    await expect(claim(request(START, { limit: 8 }))).rejects.toThrow('away');
    fails = false;
    const all = [];
    for (let n = 0; n < 13; n++) all.push(...(await claim(request(START + n, { limit: 8 }))).claims);
    expect(all).toHaveLength(100);
  });
});
