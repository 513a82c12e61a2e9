/** Every delivery in memory: the rows, the bodies they share, and what keeps each alive. All of it synchronous. */
import type { DeadLetterFilter } from '../../delivery/dead-letters.js';
import { type Attempt, type Delivery, redelivery, type ReplayOptions } from '../../delivery/delivery.js';
import type {
  Claim,
  ClaimRequest,
  ClaimResult,
  DeliveryHistory,
  Dispatch,
  Settlement,
} from '../../delivery/store.js';
import { jsonEquals } from '../../json.js';
import { Bodies, type StoredBody } from './bodies.js';
import { DeadLetterQueue } from './dead-letter-queue.js';
import { Lanes, type Row } from './lanes.js';

const NO_ATTEMPTS: readonly Attempt[] = [];
const NO_BODY: StoredBody = { eventId: '', bytes: new Uint8Array(), holders: 0 };

/** Works like {@link DeliveryStore}, without the promises. */
export class Ledger {
  readonly letters: DeadLetterQueue;
  readonly #rows = new Map<string, Row>();
  readonly #bodies = new Bodies();
  readonly #lanes = new Lanes();
  /** Ids of finished deliveries, the oldest overwritten by the newest. */
  readonly #finished: string[] = [];
  readonly #keepFinished: number;
  #finishedEver = 0;

  constructor(keepFinished: number, keepDeadLetters: number) {
    this.letters = new DeadLetterQueue(keepDeadLetters);
    this.#keepFinished = keepFinished;
  }

  enqueue({ body, deliveries }: Dispatch): number {
    let stored: StoredBody | undefined;
    const share = (eventId: string): StoredBody => (stored ??= this.#bodies.of(eventId, body));
    return deliveries.filter((delivery) => this.#add(delivery, share)).length;
  }

  claim(request: ClaimRequest): ClaimResult {
    const { lease, until: due_at } = request;
    const claims: Claim[] = [];
    const nextDueAt = this.#lanes.claim(request, (row) => {
      const dueAt = row.delivery.due_at ?? request.at;
      row.delivery = { ...row.delivery, state: 'leased', lease, due_at };
      claims.push({ delivery: row.delivery, body: row.body.bytes, dueAt });
    });
    return { claims, nextDueAt };
  }

  settle(settlement: Settlement): boolean {
    const { lease, delivery, attempt } = settlement;
    const row = this.#rows.get(delivery.id);
    if (row === undefined) return false;
    if (row.delivery.lease !== lease) return isRecorded(row, settlement);
    row.delivery = delivery;
    if (attempt !== null) row.attempts = [...row.attempts, attempt];
    if (delivery.due_at !== null) {
      this.#lanes.schedule(row);
      return true;
    }
    this.#lanes.remove(row);
    const over = delivery.state === 'failed' ? this.letters.add(row) : row;
    if (over !== undefined) this.#finish(over);
    return true;
  }

  get(id: string): DeliveryHistory | null {
    const row = this.#rows.get(id);
    return row === undefined ? null : { delivery: row.delivery, attempts: row.attempts };
  }

  redeliver(filter: DeadLetterFilter, options: ReplayOptions): number {
    const letters = this.letters.select(filter);
    return this.#dispose(
      letters.filter((row) => this.#add(redelivery(row.delivery, options), () => row.body)),
    );
  }

  discard(filter: DeadLetterFilter): number {
    return this.#dispose(this.letters.select(filter));
  }

  size(): { unfinished: number; deadLetters: number; finished: number; bodies: number } {
    const deadLetters = this.letters.size;
    const finished = this.#finished.length;
    const unfinished = this.#rows.size - deadLetters - finished;
    return { unfinished, deadLetters, finished, bodies: this.#bodies.size };
  }

  /** False when the id is known; then the body is not asked for. */
  #add(delivery: Delivery, bodyOf: (eventId: string) => StoredBody): boolean {
    if (this.#rows.has(delivery.id)) return false;
    const body = bodyOf(delivery.event_id);
    body.holders++;
    const row: Row = { delivery, attempts: NO_ATTEMPTS, body, slot: -1 };
    this.#rows.set(delivery.id, row);
    this.#lanes.schedule(row);
    return true;
  }

  #dispose(letters: readonly Row[]): number {
    this.letters.remove(new Set(letters));
    for (const letter of letters) this.#finish(letter);
    return letters.length;
  }

  /** The row stays known for a while, without its body. */
  #finish(row: Row): void {
    this.#bodies.release(row.body);
    row.body = NO_BODY;
    if (this.#keepFinished === 0) {
      this.#rows.delete(row.delivery.id);
      return;
    }
    const place = this.#finishedEver++ % this.#keepFinished;
    const forgotten = this.#finished[place];
    if (forgotten !== undefined) this.#rows.delete(forgotten);
    this.#finished[place] = row.delivery.id;
  }
}

/** Whether a settlement was written before, and its answer lost. */
function isRecorded(row: Row, { delivery, attempt }: Settlement): boolean {
  if (attempt !== null) return row.attempts.some((one) => jsonEquals(one, attempt));
  const { state, due_at, attempts } = row.delivery;
  return state === 'pending' && due_at === delivery.due_at && attempts === delivery.attempts;
}
