/** The claim algorithm of SQL stores, on tables in memory. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Backlog, type Look } from '../../../src/adapters/sql/backlog.js';
import { type ClaimTables, createClaims, LATER_AT_A_TIME } from '../../../src/adapters/sql/claim-due.js';
import type { Candidate, Due } from '../../../src/adapters/sql/turns.js';
import { type Claim, type ClaimRequest, newDelivery } from '../../../src/delivery/index.js';

/** Tables in a list, which counts how it is asked. */
function tablesOf(pending: Candidate[]) {
  const asked = { reads: 0, rows: 0, searches: 0 };
  const inOrder = (rows: readonly Candidate[]) => rows.toSorted((a, b) => a.due_at - b.due_at);
  const tables: ClaimTables = {
    read({ at, from, window, behind }: Look) {
      const due = inOrder(pending.filter((one) => one.due_at > from && one.due_at <= at)).slice(0, window);
      const queues = Array.from(behind, ([endpoint, count]) =>
        inOrder(
          pending.filter((one) => one.endpoint_id === endpoint && one.due_at <= Math.min(from, at)),
        ).slice(0, count),
      ).flat();
      asked.reads++;
      asked.rows += due.length + queues.length;
      return { due, behind: inOrder(queues), expired: [], later: [], leased: [] };
    },
    queues(from, limit) {
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
      for (const one of taken) pending.splice(pending.indexOf(one as Candidate), 1);
      const event = { id: 'evt', type: 'x' };
      const claims = new Map(
        taken.map((one: Due) => {
          const delivery = newDelivery(event, one.endpoint_id, { at: one.due_at });
          return [one, { delivery: { ...delivery, lease, due_at: until }, body: new Uint8Array() }];
        }),
      );
      return { claims, taken: new Set(taken), damaged: [] };
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
/** All of one small body. */
const LIGHT = { body: 1, bytes: 10 };

describe('behind an endpoint that is full', () => {
  test('claims read no more than a few times what they take, however much there is, and search now and then', async () => {
    const pending: Candidate[] = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      endpoint_id: 'full',
      due_at: id,
      ...LIGHT,
    }));
    const { tables, asked } = tablesOf(pending);
    const claim = createClaims(tables, new Backlog());
    let claimed = 0;
    for (let n = 0; n < 300; n++) {
      const at = START + n * 10;
      // New deliveries, most of them for the full endpoint.
      for (let i = 0; i < 20; i++) {
        const endpoint_id = i < 15 ? 'full' : `endpoint-${(n + i) % 40}`;
        pending.push({ id: 100_000 + n * 20 + i, endpoint_id, due_at: at - 10 + (i % 10), ...LIGHT });
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
    const pending: Candidate[] = Array.from({ length: 100 }, (_, id) => ({
      id,
      endpoint_id: 'full',
      due_at: 5,
      ...LIGHT,
    }));
    const many = Array.from({ length: 9_000 }, (_, id): Candidate => ({
      id: `m${id}`,
      endpoint_id: `x${id}`,
      due_at: 6,
      ...LIGHT,
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
    const pending: Candidate[] = Array.from({ length: 100 }, (_, id) => ({
      id,
      endpoint_id: `${id % 50}`,
      due_at: 5,
      ...LIGHT,
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

describe('among rivals', () => {
  const row = fc.record({
    endpoint_id: fc.constantFrom('a', 'b', 'c', 'full'),
    due_at: fc.integer({ min: START - 50, max: START + 50 }),
    bytes: fc.constantFrom(1, 40, 60),
  });
  /** Deliveries that a rival leases while a claim chooses, as indexes of what the claim offers, and for how long. */
  const theft = fc.record({
    nths: fc.uniqueArray(fc.nat(7), { maxLength: 6 }),
    ms: fc.integer({ min: 1, max: 60_000 }),
  });

  /** Any bytes at all, or as many as two or three bodies have. */
  const room = fc.constantFrom({ max: 1e6, perEndpoint: 1e6 }, { max: 120, perEndpoint: 80 });

  test('a claim stays within its limits, and names the next instant at which a free endpoint has something', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 30 }),
        fc.array(theft, { maxLength: 5 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        room,
        async (rows, thefts, limit, perEndpoint, { max, perEndpoint: maxOfEndpoint }) => {
          const pending = rows.map((one, id): Candidate => ({ ...one, id, body: id }));
          const leased: Due[] = [];
          const claimed: Candidate[] = [];
          const { tables } = tablesOf(pending);
          const later = (all: readonly Due[], at: number) =>
            all
              .filter((one) => one.due_at > at)
              .sort((a, b) => a.due_at - b.due_at)
              .slice(0, LATER_AT_A_TIME);
          const read = async (look: Look) => ({
            ...(await tables.read(look)),
            later: later(pending, look.at),
            leased: later(leased, look.at),
          });
          let calls = 0;
          const lease: ClaimTables['lease'] = async (offered, about) => {
            const { nths, ms } = thefts[calls++] ?? { nths: [], ms: 0 };
            const stolen = new Set(nths.map((nth) => offered[nth]).filter((one) => one !== undefined));
            for (const one of stolen) {
              pending.splice(pending.indexOf(one as Candidate), 1);
              leased.push({ ...one, due_at: START + ms });
            }
            const result = await tables.lease(
              offered.filter((one) => !stolen.has(one)),
              about,
            );
            for (const one of result.claims.keys()) {
              claimed.push(one as Candidate);
              leased.push({ ...one, due_at: about.until });
            }
            return result;
          };
          const claim = createClaims({ ...tables, read, lease }, new Backlog());
          const { claims, nextDueAt } = await claim(
            request(START, {
              ...{ limit, perEndpoint, inFlight: new Map([['full', perEndpoint]]) },
              bytes: {
                max,
                perEndpoint: maxOfEndpoint,
                inFlight: 0,
                inFlightByEndpoint: new Map<string, number>(),
              },
            }),
          );
          expect(claims.length).toBe(claimed.length);
          expect(claims.length).toBeLessThanOrEqual(limit);
          const sum = (some: readonly Candidate[]) => some.reduce((all, { bytes }) => all + bytes, 0);
          if (claims.length > 1) expect(sum(claimed)).toBeLessThanOrEqual(max);
          const full = new Set(['full']);
          for (const endpoint of new Set(claimed.map((one) => one.endpoint_id))) {
            const own = claimed.filter((one) => one.endpoint_id === endpoint);
            expect(own.length).toBeLessThanOrEqual(perEndpoint);
            if (own.length > 1) expect(sum(own)).toBeLessThanOrEqual(maxOfEndpoint);
            if (own.length === perEndpoint) full.add(endpoint);
          }
          // If bytes are short, the end of an attempt brings the next claim.
          if (max < 1e6) return;
          const free = [...pending, ...leased].filter((one) => !full.has(one.endpoint_id));
          const next = Math.max(START, Math.min(...free.map((one) => one.due_at)));
          expect(nextDueAt ?? Infinity).toBeLessThanOrEqual(next);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('what a claim offers by bytes', () => {
  const heavy = (id: number, endpoint_id: string, bytes: number): Candidate => ({
    ...{ id, endpoint_id, due_at: id },
    ...{ body: id, bytes },
  });
  const budget = { max: 100, perEndpoint: 40, inFlight: 0, inFlightByEndpoint: new Map<string, number>() };
  const endpoints = ({ claims }: { readonly claims: readonly Claim[] }) =>
    claims.map(({ delivery }) => delivery.endpoint_id);

  test('is no more than it may lease: what somebody else has does not make room for what comes after', async () => {
    const pending = [heavy(1, 'a', 60), heavy(2, 'b', 60), heavy(3, 'c', 60)];
    const { tables } = tablesOf(pending);
    const offers: number[] = [];
    const lease: ClaimTables['lease'] = (offered) => {
      offers.push(offered.length);
      return { claims: new Map(), taken: new Set(), damaged: [] };
    };
    const claim = createClaims({ ...tables, lease }, new Backlog());
    const { claims, nextDueAt } = await claim(request(START, { bytes: budget }));
    expect(claims).toEqual([]);
    expect(new Set(offers), 'in each round').toEqual(new Set([1]));
    expect(nextDueAt, 'nothing is in flight, so nothing else would ask again').not.toBeNull();
  });

  test('goes around an endpoint that has used up its share, however much it has that is due', async () => {
    const pending = Array.from({ length: 20_000 }, (_, id) => heavy(id, 'heavy', 30));
    const { tables, asked } = tablesOf(pending);
    const claim = createClaims(tables, new Backlog());
    let at = START;
    const bytes = { ...budget, inFlight: 30, inFlightByEndpoint: new Map([['heavy', 30]]) };
    for (let n = 0; n < 200; n++) {
      at += 10;
      pending.push({ ...heavy(at, `light-${n % 7}`, 1), due_at: at });
      expect(endpoints(await claim(request(at, { bytes, inFlight: new Map([['heavy', 1]]) })))).toEqual([
        `light-${n % 7}`,
      ]);
    }
    expect(asked.rows).toBeLessThan(200 * 16 * 8);
  });
});
