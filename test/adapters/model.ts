/** A store as a plain list: what any store must do, whatever is done to it. */
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type Attempt,
  type Claim,
  type ClaimRequest,
  type Delivery,
  type DeliveryStore,
  newDelivery,
  transition,
} from '../../src/delivery/index.js';

const NOW = 1_700_000_000_000;
const LEASE_MS = 30_000;

/** Deliveries in a plain list, claimed by looking at each: the definition of right. */
class PlainStore {
  readonly deliveries = new Map<string, Delivery>();
  readonly #recorded = new Set<string>();

  enqueue(delivery: Delivery): void {
    if (!this.deliveries.has(delivery.id)) this.deliveries.set(delivery.id, delivery);
  }

  /** Makes the claims that a store made, each of which must be among the best that there are, and none may be left out. */
  follow({ lease, at, until, limit, perEndpoint, inFlight }: ClaimRequest, ids: readonly string[]): void {
    const load = new Map(inFlight);
    const loadOf = ({ endpoint_id }: Delivery) => load.get(endpoint_id) ?? 0;
    const rank = (one: Delivery) => [loadOf(one), one.due_at];
    const best = () =>
      [...this.deliveries.values()]
        .filter((one) => one.due_at !== null && one.due_at <= at && loadOf(one) < perEndpoint)
        .sort((a, b) => loadOf(a) - loadOf(b) || a.due_at! - b.due_at!)
        .map(rank)[0];
    for (const id of ids) {
      const claimed = this.deliveries.get(id)!;
      expect(rank(claimed)).toEqual(best());
      load.set(claimed.endpoint_id, loadOf(claimed) + 1);
      expect(this.step(id, { type: 'claim', lease, at, until })).not.toBeNull();
    }
    if (ids.length < limit) expect(best()).toBeUndefined();
    expect(ids.length).toBeLessThanOrEqual(limit);
  }

  nextDueAt({ perEndpoint, inFlight }: ClaimRequest, claimed: readonly Claim[]): number | null {
    const load = (endpoint: string) =>
      (inFlight.get(endpoint) ?? 0) +
      claimed.filter(({ delivery }) => delivery.endpoint_id === endpoint).length;
    const dues = [...this.deliveries.values()]
      .filter(({ due_at, endpoint_id }) => due_at !== null && load(endpoint_id) < perEndpoint)
      .map(({ due_at }) => due_at!);
    return dues.length === 0 ? null : Math.min(...dues);
  }

  /** Whether a settlement would be recorded after it: written now, or long ago. */
  settle(
    id: string,
    step: Parameters<typeof transition>[1],
    attempt: Attempt | null,
    after: Delivery,
  ): boolean {
    const before = this.deliveries.get(id)!;
    if (this.step(id, step) !== null) {
      if (attempt !== null) this.#recorded.add(keyOf(id, attempt));
      return true;
    }
    if (attempt !== null) return this.#recorded.has(keyOf(id, attempt));
    const { state, due_at, attempts } = before;
    return state === 'pending' && due_at === after.due_at && attempts === after.attempts;
  }

  step(id: string, step: Parameters<typeof transition>[1]): Delivery | null {
    const result = transition(this.deliveries.get(id)!, step);
    if (result.ok) this.deliveries.set(id, result.delivery);
    return result.ok ? result.delivery : null;
  }
}

const keyOf = (id: string, attempt: Attempt): string => JSON.stringify([id, attempt]);

type Move =
  | { readonly move: 'enqueue'; readonly endpoint: string; readonly inMs: number; readonly count: number }
  | {
      readonly move: 'claim';
      readonly limit: number;
      readonly perEndpoint: number;
      readonly busy: Record<string, number>;
    }
  | { readonly move: 'settle'; readonly which: number; readonly outcome: 'ok' | 'fail' | 'release' }
  | { readonly move: 'wait'; readonly ms: number };

const endpoints = () => fc.constantFrom('a', 'b', 'c', 'd');
const moves = (): fc.Arbitrary<readonly Move[]> =>
  fc.array(
    fc.oneof(
      fc.record({
        move: fc.constant('enqueue' as const),
        endpoint: endpoints(),
        inMs: fc.integer({ min: 0, max: 9_000 }),
        // More than a claim of a store in a database looks at.
        count: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.constantFrom(3, 40)),
      }),
      fc.record({
        move: fc.constant('claim' as const),
        limit: fc.nat(6),
        perEndpoint: fc.integer({ min: 1, max: 3 }),
        busy: fc.dictionary(endpoints(), fc.integer({ min: 1, max: 3 })),
      }),
      fc.record({
        move: fc.constant('settle' as const),
        which: fc.nat(),
        outcome: fc.constantFrom('ok' as const, 'fail' as const, 'release' as const),
      }),
      fc.record({ move: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 9_000, 31_000, 70_000) }),
    ),
    { minLength: 10, maxLength: 80 },
  );

const policy = { retry_max_attempts: 2, retry_backoff_base_seconds: 60 };

/** What a store is held to. */
export interface ModelOptions {
  /** Makes an empty one. */
  readonly create: () => Promise<{ readonly store: DeliveryStore; readonly close?: () => Promise<void> }>;
  /** Whether `nextDueAt` is exact; or may be earlier, and be there where all endpoints are full. */
  readonly exact: boolean;
  readonly numRuns: number;
}

/** Rejects unless, whatever is done to the store, it does what a plain list would do. */
export async function expectLikePlain({ create, exact, numRuns }: ModelOptions): Promise<void> {
  await fc.assert(
    fc.asyncProperty(moves(), async (script) => {
      const { store, close } = await create();
      const plain = new PlainStore();
      const held: Claim[] = [];
      let at = NOW;
      for (const [n, move] of script.entries()) {
        if (move.move === 'wait') {
          at += move.ms;
        } else if (move.move === 'enqueue') {
          const deliveries = Array.from({ length: move.count }, (_, i) =>
            newDelivery({ id: `evt_${n}.${i}`, type: 'x' }, move.endpoint, { at: at + move.inMs + i }),
          );
          deliveries.forEach((delivery) => plain.enqueue(delivery));
          await store.enqueue(
            deliveries.map((delivery) => ({ body: new Uint8Array(), deliveries: [delivery] })),
          );
        } else if (move.move === 'claim') {
          const request: ClaimRequest = {
            ...{ lease: `lease ${n}`, at, until: at + LEASE_MS },
            ...{
              limit: move.limit,
              perEndpoint: move.perEndpoint,
              inFlight: new Map(Object.entries(move.busy)),
            },
          };
          const { claims, nextDueAt } = await store.claim(request);
          plain.follow(
            request,
            claims.map(({ delivery }) => delivery.id),
          );
          const earliest = plain.nextDueAt(request, claims);
          if (exact) expect(nextDueAt).toBe(earliest);
          else if (earliest !== null) expect(nextDueAt ?? Infinity).toBeLessThanOrEqual(earliest);
          held.push(...claims);
        } else if (held.length > 0) {
          const { delivery } = held[move.which % held.length]!;
          const lease = delivery.lease!;
          const attempt = {
            started_at: at,
            ended_at: at,
            outcome: outcome(move.outcome === 'ok'),
          };
          const step =
            move.outcome === 'release'
              ? ({ type: 'release', lease, due_at: at } as const)
              : ({ type: 'attempt', lease, attempt, policy } as const);
          const mine = transition(delivery, step);
          if (!mine.ok) throw new Error('a claim is leased');
          const last = move.outcome === 'release' ? null : mine.delivery.last_attempt;
          const written = await store.settle([{ lease, delivery: mine.delivery, attempt: last }]);
          expect(written).toEqual([plain.settle(delivery.id, step, last, mine.delivery)]);
          if (last !== null) {
            const { attempts } = (await store.get(delivery.id))!;
            expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, i) => i + 1));
          }
        }
      }
      for (const [id, delivery] of plain.deliveries)
        expect((await store.get(id))?.delivery).toEqual(delivery);
      await close?.();
    }),
    { numRuns },
  );
}

/** Rejects unless claims go around what is due at an endpoint that is full, to thousands of others. */
export async function expectAroundBacklog(store: DeliveryStore): Promise<void> {
  const at = 1_000_000;
  const flood = Array.from({ length: 3_000 }, (_, n) =>
    newDelivery({ id: `flood_${n}`, type: 'x' }, 'full', { at: n }),
  );
  // Servers may sort by language, in which case of letters counts last.
  const others = Array.from({ length: 2_500 }, (_, n) =>
    newDelivery({ id: `evt_${n}`, type: 'x' }, `${n % 2 === 0 ? 'E' : 'e'}-${n}`, { at: 5_000 + n }),
  );
  await store.enqueue([...flood, ...others].map((one) => ({ body: new Uint8Array(1), deliveries: [one] })));
  const inFlight = new Map([['full', 4]]);
  const claimed: string[] = [];
  for (let n = 0; n < 80 && claimed.length < others.length; n++) {
    const request = { lease: `l${n}`, at: at + n, until: at * 2, limit: 50, perEndpoint: 4, inFlight };
    const { claims, nextDueAt } = await store.claim(request);
    claimed.push(...claims.map(({ delivery }) => delivery.endpoint_id));
    if (claimed.length < others.length) expect(nextDueAt).toBeLessThanOrEqual(at + n);
  }
  expect(claimed).not.toContain('full');
  expect(new Set(claimed).size).toBe(others.length);
}

const outcome = (ok: boolean) =>
  ok
    ? ({ ok, status: 200 } as const)
    : ({ ok, failure: 'timeout', transient: true, detail: 'No answer' } as const);
