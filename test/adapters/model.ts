/** A model of a store as a plain list, with which every store is compared. */
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type Attempt,
  type ByteBudget,
  type Claim,
  type ClaimRequest,
  type DeadLetters,
  type Delivery,
  type DeliveryDeletion,
  type DeliveryStore,
  type DueDates,
  newDelivery,
  redelivery,
  type RetryPolicy,
  transition,
} from '../../src/delivery/index.js';

const NOW = 1_700_000_000_000;
const LEASE_MS = 30_000;

/** A body as a plain list knows it: deliveries of one event share it. */
interface PlainBody {
  readonly key: string;
  readonly size: number;
}

/** Bytes of the bodies of a claim so far. */
class PlainWeights {
  readonly #budget: ByteBudget;
  readonly #byEndpoint: Map<string, number>;
  readonly #bodies = new Set<string>();
  #all: number;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
    this.#all = budget.inFlight;
    this.#byEndpoint = new Map(budget.inFlightByEndpoint);
  }

  #fit(now: number, more: number, max: number): boolean {
    return now === 0 || now + more <= max;
  }

  fitsEndpoint(endpoint: string, { size }: PlainBody): boolean {
    return this.#fit(this.#byEndpoint.get(endpoint) ?? 0, size, this.#budget.perEndpoint);
  }

  fits(endpoint: string, body: PlainBody): boolean {
    const more = this.#bodies.has(body.key) ? 0 : body.size;
    return this.fitsEndpoint(endpoint, body) && this.#fit(this.#all, more, this.#budget.max);
  }

  take(endpoint: string, { key, size }: PlainBody): void {
    if (!this.#bodies.has(key)) this.#all += size;
    this.#bodies.add(key);
    this.#byEndpoint.set(endpoint, (this.#byEndpoint.get(endpoint) ?? 0) + size);
  }
}

type Rank = readonly [load: number, dueAt: number];
const isBefore = (a: Rank, b: Rank): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

/** Deliveries in a plain list, claimed by looking at each: the definition of right. */
class PlainStore {
  readonly deliveries = new Map<string, Delivery>();
  /** Attempts by the id of their delivery, each as JSON. */
  readonly #recorded = new Map<string, string[]>();
  readonly bodies = new Map<string, PlainBody>();
  /** Ids of dead letters. */
  readonly letters = new Set<string>();

  enqueue(delivery: Delivery, body: Uint8Array): void {
    if (this.deliveries.has(delivery.id)) return;
    const waits = delivery.ordering_key !== undefined && this.#isBusy(delivery);
    this.deliveries.set(delivery.id, waits ? { ...delivery, state: 'waiting' } : delivery);
    this.bodies.set(delivery.id, { key: `${delivery.event_id} ${body.join()}`, size: body.length });
  }

  #ofKey({ endpoint_id, ordering_key }: Delivery): readonly Delivery[] {
    const all = [...this.deliveries.values()];
    return all.filter((one) => one.endpoint_id === endpoint_id && one.ordering_key === ordering_key);
  }

  /** Whether another delivery of its key may be sent, or must be discarded first. */
  #isBusy(delivery: Delivery): boolean {
    return this.#ofKey(delivery).some(({ id, state, origin, holds_key }) => {
      const isOpen = state === 'pending' || state === 'leased';
      return (isOpen && origin === 'live') || ((isOpen || this.letters.has(id)) && holds_key === true);
    });
  }

  /** Lets the next delivery of a key go, where none holds it any more. */
  #passKey(delivery: Delivery, freeAt: number): void {
    if (delivery.ordering_key === undefined || this.#isBusy(delivery)) return;
    const next = this.#ofKey(delivery).find(({ state }) => state === 'waiting');
    if (next === undefined) return;
    this.deliveries.set(next.id, { ...next, state: 'pending', due_at: Math.max(next.due_at!, freeAt) });
  }

  discard(): void {
    for (const id of this.letters) this.#removeLetter(id);
  }

  redeliver(at: number, replay: string): void {
    for (const id of this.letters) {
      const letter = this.deliveries.get(id)!;
      const made = redelivery(letter, { at, replay });
      this.deliveries.set(made.id, letter.holds_key ? { ...made, holds_key: true } : made);
      this.bodies.set(made.id, this.bodies.get(id)!);
      this.#removeLetter(id);
    }
  }

  #removeLetter(id: string): void {
    const { holds_key: _, ...letter } = this.deliveries.get(id)!;
    this.letters.delete(id);
    this.deliveries.set(id, letter);
    this.#passKey(letter, letter.finished_at!);
  }

  /** @returns The ids of the deliveries that are gone. */
  delete(ids: readonly string[], unfinished: boolean): readonly string[] {
    const known = [...new Set(ids)].flatMap((id) => this.deliveries.get(id) ?? []);
    const gone = known.filter(({ due_at }) => unfinished || due_at === null);
    for (const { id } of gone) {
      this.deliveries.delete(id);
      this.letters.delete(id);
      this.#recorded.delete(id);
    }
    for (const one of gone) this.#passKey(one, -Infinity);
    return gone.map(({ id }) => id);
  }

  makeDue(endpointId: string, at: number): void {
    for (const one of this.deliveries.values()) {
      const isLate = one.endpoint_id === endpointId && one.state === 'pending' && one.due_at! > at;
      if (isLate) this.deliveries.set(one.id, { ...one, due_at: at });
    }
  }

  /**
   * Makes the claims that a store made, each of which must be among the best that there are, and none may be left out
   * but for its weight.
   */
  follow(request: ClaimRequest & { readonly bytes: ByteBudget }, ids: readonly string[]): void {
    const { lease, at, until, limit, perEndpoint, bytes } = request;
    const load = new Map(request.inFlight);
    const weights = new PlainWeights(bytes);
    const closed = new Set<string>();
    for (const [endpoint, used] of bytes.inFlightByEndpoint) {
      if (used >= bytes.perEndpoint) closed.add(endpoint);
    }
    const loadOf = ({ endpoint_id }: Delivery) => load.get(endpoint_id) ?? 0;
    const rank = (one: Delivery): Rank => [loadOf(one), one.due_at!];
    const bodyOf = ({ id }: Delivery) => this.bodies.get(id)!;
    /** The heads of all endpoints that have a turn, best first; of equals each. */
    const heads = () => {
      const due = [...this.deliveries.values()].filter(
        (one) =>
          one.due_at !== null &&
          one.state !== 'waiting' &&
          one.due_at <= at &&
          loadOf(one) < perEndpoint &&
          !closed.has(one.endpoint_id),
      );
      const first = new Map<string, number>();
      for (const { endpoint_id: id, due_at } of due) {
        first.set(id, Math.min(first.get(id) ?? Infinity, due_at!));
      }
      return due
        .filter((one) => one.due_at === first.get(one.endpoint_id))
        .sort((a, b) => loadOf(a) - loadOf(b) || a.due_at! - b.due_at!);
    };
    /** An endpoint is passed over when its next is over its share; of equals any may be the next. */
    const close = (endpoint: string) => {
      const next = heads().filter(({ endpoint_id }) => endpoint_id === endpoint);
      expect(
        next.some((one) => !weights.fitsEndpoint(endpoint, bodyOf(one))),
        'left out',
      ).toBe(true);
      closed.add(endpoint);
    };
    for (const id of ids) {
      const claimed = this.deliveries.get(id)!;
      for (let [best] = heads(); isBefore(rank(best!), rank(claimed)); [best] = heads()) {
        close(best!.endpoint_id);
      }
      expect(rank(claimed)).toEqual(rank(heads()[0]!));
      expect(weights.fits(claimed.endpoint_id, bodyOf(claimed)), 'has room').toBe(true);
      weights.take(claimed.endpoint_id, bodyOf(claimed));
      load.set(claimed.endpoint_id, loadOf(claimed) + 1);
      expect(this.step(id, { type: 'claim', lease, at, until })).not.toBeNull();
    }
    expect(ids.length).toBeLessThanOrEqual(limit);
    for (let best = heads(); ids.length < limit && best.length > 0; best = heads()) {
      const equals = best.filter((one) => rank(one).join() === rank(best[0]!).join());
      const isCut = equals.some(
        (one) =>
          weights.fitsEndpoint(one.endpoint_id, bodyOf(one)) && !weights.fits(one.endpoint_id, bodyOf(one)),
      );
      if (isCut) return;
      close(best[0]!.endpoint_id);
    }
  }

  /**
   * Nothing that could be claimed by then is due earlier; `isLight` where there is room for all that is left. `first`
   * is due first if bytes do not matter.
   */
  nextDueAt(
    { at, perEndpoint, inFlight, bytes }: ClaimRequest & { readonly bytes: ByteBudget },
    claimed: readonly Claim[],
  ): { readonly earliest: number | null; readonly first: number; readonly isLight: boolean } {
    const load = (endpoint: string) =>
      (inFlight.get(endpoint) ?? 0) +
      claimed.filter(({ delivery }) => delivery.endpoint_id === endpoint).length;
    const weights = new PlainWeights(bytes);
    for (const { delivery } of claimed) weights.take(delivery.endpoint_id, this.bodies.get(delivery.id)!);
    const left = [...this.deliveries.values()].filter(
      ({ due_at, state, endpoint_id }) =>
        due_at !== null && state !== 'waiting' && load(endpoint_id) < perEndpoint,
    );
    const fits = (one: Delivery) => weights.fits(one.endpoint_id, this.bodies.get(one.id)!);
    const heavy = new Set(left.filter((one) => !fits(one)).map(({ endpoint_id }) => endpoint_id));
    const isOpen = (id: string) =>
      (bytes.inFlightByEndpoint.get(id) ?? 0) < bytes.perEndpoint && !heavy.has(id);
    // If something due has no room, the claim ends with it.
    const open = left.some((one) => one.due_at! <= at && !fits(one))
      ? []
      : left.filter(({ endpoint_id }) => isOpen(endpoint_id));
    const earliest = open.length === 0 ? null : Math.min(...open.map(({ due_at }) => due_at!));
    const first = Math.min(...left.map(({ due_at }) => due_at!));
    return { earliest, first, isLight: open.length === left.length };
  }

  /** Whether a settlement would be recorded after it: written now, or long ago. */
  settle(
    id: string,
    step: Parameters<typeof transition>[1],
    attempt: Attempt | null,
    after: Delivery,
  ): boolean {
    const before = this.deliveries.get(id);
    if (before === undefined) return false;
    const written = this.step(id, step);
    if (written !== null) {
      if (attempt !== null) {
        this.#recorded.set(id, [...(this.#recorded.get(id) ?? []), JSON.stringify(attempt)]);
      }
      if (written.state === 'failed') this.letters.add(id);
      if (written.finished_at !== null) this.#passKey(written, written.finished_at);
      return true;
    }
    if (attempt !== null) return this.#recorded.get(id)?.includes(JSON.stringify(attempt)) ?? false;
    const { state, due_at, attempts } = before;
    return state === 'pending' && due_at === after.due_at && attempts === after.attempts;
  }

  step(id: string, step: Parameters<typeof transition>[1]): Delivery | null {
    const result = transition(this.deliveries.get(id)!, step);
    if (result.ok) this.deliveries.set(id, result.delivery);
    return result.ok ? result.delivery : null;
  }
}

type Move =
  | {
      readonly move: 'enqueue';
      readonly to: readonly string[];
      readonly inMs: number;
      readonly count: number;
      readonly body: string;
      readonly key: string | null;
      /** Whether the events may be known already, or have been. */
      readonly again: boolean;
    }
  | {
      readonly move: 'claim';
      readonly limit: number;
      readonly perEndpoint: number;
      readonly busy: Record<string, number>;
      readonly bytes: ByteBudget;
    }
  | { readonly move: 'settle'; readonly which: number; readonly outcome: 'release' | keyof typeof policies }
  | { readonly move: 'letters'; readonly redeliver: boolean }
  | { readonly move: 'delete'; readonly which: readonly number[]; readonly unfinished: boolean }
  | { readonly move: 'makeDue'; readonly endpoint: string }
  | { readonly move: 'wait'; readonly ms: number };

/** Mostly room for all; else for a few of the bodies that are enqueued. */
const budgets = (): fc.Arbitrary<ByteBudget> =>
  fc.oneof(
    fc.constant({ max: 9_999, perEndpoint: 9_999, inFlight: 0, inFlightByEndpoint: new Map() }),
    fc
      .record({
        max: fc.integer({ min: 1, max: 40 }),
        perEndpoint: fc.integer({ min: 1, max: 20 }),
        used: fc.dictionary(endpoints(), fc.integer({ min: 1, max: 15 }), { maxKeys: 2 }),
      })
      .map(({ used, ...limits }) => ({
        ...limits,
        inFlight: Object.values(used).reduce((a, b) => a + b, 0),
        inFlightByEndpoint: new Map(Object.entries(used)),
      })),
  );

/** An endpoint with bytes in flight has a delivery in flight. */
const atLeastOne = ({ inFlightByEndpoint }: ByteBudget): Record<string, number> =>
  Object.fromEntries(Array.from(inFlightByEndpoint.keys(), (id) => [id, 1]));

const endpoints = () => fc.constantFrom('a', 'b', 'c', 'd');
const moves = (): fc.Arbitrary<readonly Move[]> =>
  fc.array(
    fc.oneof(
      fc.record({
        move: fc.constant('enqueue' as const),
        to: fc.uniqueArray(endpoints(), { minLength: 1, maxLength: 2 }),
        inMs: fc.integer({ min: 0, max: 9_000 }),
        // More than a claim of a store in a database looks at.
        count: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.constantFrom(3, 40)),
        body: fc.string({ unit: fc.constantFrom('x', 'y'), maxLength: 12 }),
        key: fc.constantFrom(null, null, 'k', 'l'),
        again: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
      }),
      fc.record({
        move: fc.constant('claim' as const),
        limit: fc.oneof(fc.nat(6), fc.nat(20)),
        perEndpoint: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 })),
        busy: fc.dictionary(endpoints(), fc.integer({ min: 1, max: 3 })),
        bytes: budgets(),
      }),
      fc.record({
        move: fc.constant('settle' as const),
        which: fc.nat(),
        outcome: fc.constantFrom('ok', 'ok', 'fail', 'release', 'die', 'hold'),
      }),
      {
        weight: 1,
        arbitrary: fc.oneof(
          fc.record({ move: fc.constant('letters' as const), redeliver: fc.boolean() }),
          fc.record({
            move: fc.constant('delete' as const),
            which: fc.array(fc.nat(), { maxLength: 4 }),
            unfinished: fc.boolean(),
          }),
          fc.record({ move: fc.constant('makeDue' as const), endpoint: endpoints() }),
        ),
      },
      fc.record({ move: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 9_000, 31_000, 70_000) }),
    ),
    { minLength: 10, maxLength: 80 },
  );

const policy = (retry_max_attempts: number, more: Partial<RetryPolicy> = {}): RetryPolicy => ({
  retry_max_attempts,
  retry_backoff_base_seconds: 60,
  ...more,
});

const policies = {
  ok: policy(2),
  fail: policy(2),
  die: policy(1),
  hold: policy(1, { on_exhausted: 'hold' }),
} as const;

/** A store that does everything that the model does. */
type WholeStore = DeliveryStore & DeliveryDeletion & DueDates & { readonly deadLetters: DeadLetters };

/** The store to compare with the model, and how. */
export interface ModelOptions {
  /** Makes an empty one. */
  readonly create: () => Promise<{ readonly store: WholeStore; readonly close?: () => Promise<void> }>;
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
          const body = Buffer.from(move.body);
          const dispatches = Array.from({ length: move.count }, (_, i) => ({
            body,
            deliveries: move.to.map((endpoint) =>
              newDelivery({ id: `evt_${move.again ? n % 3 : n}.${i}`, type: 'x' }, endpoint, {
                at: at + move.inMs + i,
                orderingKey: move.key,
              }),
            ),
          }));
          for (const { deliveries } of dispatches) deliveries.forEach((one) => plain.enqueue(one, body));
          await store.enqueue(dispatches);
        } else if (move.move === 'claim') {
          const request = {
            ...{ lease: `lease ${n}`, at, until: at + LEASE_MS },
            ...{
              limit: move.limit,
              perEndpoint: move.perEndpoint,
              inFlight: new Map(Object.entries({ ...atLeastOne(move.bytes), ...move.busy })),
              bytes: move.bytes,
            },
          };
          const { claims, nextDueAt, isRestrained } = await store.claim(request);
          plain.follow(
            request,
            claims.map(({ delivery }) => delivery.id),
          );
          const { earliest, first, isLight } = plain.nextDueAt(request, claims);
          if (exact && isLight) expect(nextDueAt).toBe(earliest);
          else if (earliest !== null) expect(nextDueAt ?? Infinity).toBeLessThanOrEqual(earliest);
          // Then nothing waits for bytes: only a full endpoint may have something earlier.
          if (isRestrained === false) expect(nextDueAt ?? Infinity).toBeLessThanOrEqual(first);
          held.push(...claims);
        } else if (move.move === 'letters') {
          const { deadLetters } = store;
          expect(await deadLetters.count({})).toBe(plain.letters.size);
          if (move.redeliver) {
            await deadLetters.redeliver({}, { at, replay: `click ${n}` });
            plain.redeliver(at, `click ${n}`);
          } else {
            await deadLetters.discard({ all: true });
            plain.discard();
          }
        } else if (move.move === 'makeDue') {
          await store.makeDue({ endpointId: move.endpoint }, { at });
          plain.makeDue(move.endpoint, at);
        } else if (move.move === 'delete') {
          const known = [...plain.deliveries.keys()];
          const ids = known.length === 0 ? [] : move.which.map((which) => known[which % known.length]!);
          const gone = await store.deleteDeliveries(ids, { unfinished: move.unfinished });
          expect(gone.toSorted()).toEqual(plain.delete(ids, move.unfinished).toSorted());
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
              : ({ type: 'attempt', lease, attempt, policy: policies[move.outcome] } as const);
          const mine = transition(delivery, step);
          if (!mine.ok) throw new Error('a claim is leased');
          const last = move.outcome === 'release' ? null : mine.delivery.last_attempt;
          const written = await store.settle([{ lease, delivery: mine.delivery, attempt: last }]);
          expect(written).toEqual([plain.settle(delivery.id, step, last, mine.delivery)]);
          if (last !== null) {
            const { attempts = [] } = (await store.get(delivery.id)) ?? {};
            expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, i) => i + 1));
          }
        }
      }
      for (const [id, delivery] of plain.deliveries) {
        expect((await store.get(id))?.delivery).toEqual(delivery);
      }
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
