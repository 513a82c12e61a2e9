/** The deliveries of a memory store: their rows, their shared bodies, and how long each is kept. */
import type { Columns } from '../../delivery/columns.js';
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
import type { Deletion } from '../../delivery/retention.js';
import type { MakeDueOptions, PendingFilter } from '../../delivery/make-due.js';
import { promoted, transition, waiting } from '../../delivery/transition.js';
import { jsonEquals } from '../../json.js';
import { type Keeps, keptOf } from '../kept.js';
import { Bodies, type HeldBody, unstoredBody } from './bodies.js';
import { DeadLetterQueue } from './dead-letter-queue.js';
import { KeyHolders } from './key-holders.js';
import { EndpointQueues, type Row } from './endpoint-queues.js';

const NO_ATTEMPTS: readonly Attempt[] = [];
const NO_BODY: HeldBody = { eventId: '', size: 0, bytes: new Uint8Array(), holders: 0 };

/** A delivery that was leased. */
interface LeasedRow extends Omit<Claim, 'body'> {
  readonly body: HeldBody['bytes'];
}

/** The result of a claim before the bodies are read that are not stored. */
export interface LedgerClaim extends Omit<ClaimResult, 'claims'> {
  readonly leased: readonly LeasedRow[];
}

/** The state of one memory store: {@link DeliveryStore} with synchronous methods. Made with the store. */
export class Ledger {
  readonly letters: DeadLetterQueue;
  readonly #rows = new Map<string, Row>();
  readonly #bodies = new Bodies();
  readonly #queues = new EndpointQueues();
  readonly #holders = new KeyHolders();
  /**
   * Finished deliveries that are still known, as a ring: the newest overwrites the oldest. Deleted ones leave a gap.
   */
  readonly #finished: (Row | undefined)[] = [];
  readonly #keepFinished: number;
  /** All that have finished so far. */
  #finishedCount = 0;
  /** Rows that are still known. */
  #finishedSize = 0;

  readonly #columns: Columns;
  readonly #keeps: Keeps;

  constructor(keepFinished: number, keepDeadLetters: number, columns: Columns, keeps: Keeps) {
    this.#columns = columns;
    this.#keeps = keeps;
    this.letters = new DeadLetterQueue(keepDeadLetters);
    this.#keepFinished = keepFinished;
  }

  enqueue({ body, deliveries, storeBody = true }: Dispatch): number {
    let held: HeldBody | undefined;
    const share = (eventId: string): HeldBody =>
      (held ??= storeBody ? this.#bodies.of(eventId, body) : unstoredBody(eventId, body.length));
    return deliveries.filter((delivery) => this.#add(delivery, share) !== undefined).length;
  }

  /** The deliveries that are not known, each once. */
  unknown(dispatches: readonly Dispatch[]): readonly Delivery[] {
    const seen = new Set<string>();
    const all = dispatches.flatMap(({ deliveries }) => deliveries);
    return all.filter(({ id }) => !this.#rows.has(id) && !seen.has(id) && seen.add(id));
  }

  /** The settlements whose deliveries still have the lease. */
  held(settlements: readonly Settlement[]): readonly Settlement[] {
    return settlements.filter(({ lease, delivery }) => this.#rows.get(delivery.id)?.delivery.lease === lease);
  }

  claim(request: ClaimRequest): LedgerClaim {
    const { lease, at, until } = request;
    const leased: LeasedRow[] = [];
    const left = this.#queues.claim(request, (row) => {
      const dueAt = row.delivery.due_at ?? at;
      const moved = transition(row.delivery, { type: 'claim', lease, at, until });
      if (!moved.ok) throw new Error(`The queues gave a delivery that is ${moved.reason}`);
      row.delivery = moved.delivery;
      leased.push({ delivery: row.delivery, body: row.body.bytes, dueAt });
    });
    return { leased, ...left };
  }

  settle(settlement: Settlement): boolean {
    const { lease, delivery, attempt } = settlement;
    const row = this.#rows.get(delivery.id);
    if (row === undefined) return false;
    if (row.delivery.lease !== lease) return isRecorded(row, settlement);
    row.delivery = delivery;
    if (attempt !== null) this.#addAttempt(row, settlement, attempt);
    if (delivery.due_at !== null) {
      this.#queues.schedule(row);
      return true;
    }
    this.#queues.remove(row);
    if (delivery.holds_key !== true) this.#passKey(row, delivery.finished_at);
    const disposed = delivery.state === 'failed' ? this.letters.add(row) : row;
    if (disposed !== undefined) this.#dispose(disposed);
    return true;
  }

  #addAttempt(row: Row, settlement: Settlement, attempt: Attempt): void {
    const { url, exchange } = keptOf(settlement, this.#keeps);
    const recorded = url === null ? attempt : { ...attempt, url };
    row.attempts = [...row.attempts, exchange === null ? recorded : { ...recorded, exchange }];
    row.delivery = { ...row.delivery, last_attempt: recorded };
  }

  get(id: string): DeliveryHistory | null {
    const row = this.#rows.get(id);
    if (row === undefined) return null;
    const { delivery, attempts } = row;
    return { delivery: { ...delivery, last_attempt: attempts.at(-1) ?? null }, attempts };
  }

  redeliver(filter: DeadLetterFilter, options: ReplayOptions): number {
    const letters = this.letters.select(filter);
    return this.#remove(letters.filter((row) => this.#redeliver(row, options)));
  }

  /** Adds the replay of a letter, which holds the key if the letter did; false when the id of the replay is known. */
  #redeliver(letter: Row, options: ReplayOptions): boolean {
    const added = this.#add(redelivery(letter.delivery, options), () => letter.body);
    if (added === undefined) return false;
    if (letter.delivery.holds_key === true) {
      added.delivery = { ...added.delivery, holds_key: true };
      this.#holders.replace(letter, added);
    }
    return true;
  }

  discard(filter: DeadLetterFilter): number {
    return this.#remove(this.letters.select(filter));
  }

  /** Looks at every delivery, unless ids are given. */
  makeDue({ ids, endpointId, at, limit }: PendingFilter & Required<MakeDueOptions>): number {
    const rows = ids === undefined ? [...this.#rows.values()] : this.#known(ids);
    const isLate = ({ delivery }: Row): boolean =>
      delivery.state === 'pending' &&
      dueAtOf(delivery) > at &&
      (endpointId === undefined || delivery.endpoint_id === endpointId);
    const late = rows.filter(isLate).sort((a, b) => dueAtOf(a.delivery) - dueAtOf(b.delivery));
    const made = late.slice(0, limit);
    for (const row of made) {
      row.delivery = { ...row.delivery, due_at: at };
      this.#queues.schedule(row);
    }
    return made.length;
  }

  #known(ids: readonly string[]): readonly Row[] {
    return [...new Set(ids)].flatMap((id) => this.#rows.get(id) ?? []);
  }

  /** Forgets deliveries, dead letters too, and unfinished ones where they are asked for; returns their ids. */
  delete({ ids, unfinished }: Deletion): readonly string[] {
    const gone = this.#known(ids).filter(({ delivery }) => unfinished || delivery.due_at === null);
    this.letters.remove(new Set(gone));
    for (const row of gone) {
      const { due_at, state } = row.delivery;
      if (due_at !== null && state !== 'waiting') this.#queues.remove(row);
      this.#passKey(row, null);
      this.#forget(row);
    }
    return gone.map(({ delivery }) => delivery.id);
  }

  size(): { unfinished: number; deadLetters: number; finished: number; bodies: number } {
    const deadLetters = this.letters.size;
    const finished = this.#finishedSize;
    const unfinished = this.#rows.size - deadLetters - finished;
    return { unfinished, deadLetters, finished, bodies: this.#bodies.size };
  }

  /** Adds a delivery; `undefined` when its id is known, in which case `bodyOf` is not called. */
  #add(delivery: Delivery, bodyOf: (eventId: string) => HeldBody): Row | undefined {
    if (this.#rows.has(delivery.id)) return undefined;
    const body = bodyOf(delivery.event_id);
    body.holders++;
    const lease = (delivery as Partial<Delivery>).lease ?? null;
    const state = lease === null ? 'pending' : 'leased';
    const { ordering_key: key = null, holds_key: _, ...given } = delivery;
    const ordered = key === null ? {} : { ordering_key: key };
    const whole = { ...given, lease, state, ...this.#columns.member(delivery.columns), ...ordered } as const;
    const row: Row = { delivery: whole, attempts: NO_ATTEMPTS, body, heapIndex: -1, finishedIndex: -1 };
    this.#rows.set(delivery.id, row);
    if (this.#holders.join(row)) this.#queues.schedule(row);
    else row.delivery = waiting(row.delivery);
    return row;
  }

  /** @param freeAt - When the delivery finished; `null` if it is deleted. Unix ms. */
  #passKey(row: Row, freeAt: number | null): void {
    const next = this.#holders.leave(row);
    if (next === undefined) return;
    next.delivery = promoted(next.delivery, freeAt);
    this.#queues.schedule(next);
  }

  #remove(letters: readonly Row[]): number {
    this.letters.remove(new Set(letters));
    for (const letter of letters) this.#dispose(letter);
    return letters.length;
  }

  /** A finished delivery that is not a dead letter, or no longer one. */
  #dispose(row: Row): void {
    const { holds_key: _, ...delivery } = row.delivery;
    row.delivery = delivery;
    this.#passKey(row, delivery.finished_at);
    this.#finish(row);
  }

  /** Releases the body; the row stays known until `keepFinished` others have followed it. */
  #finish(row: Row): void {
    this.#bodies.release(row.body);
    row.body = NO_BODY;
    if (this.#keepFinished === 0) {
      this.#rows.delete(row.delivery.id);
      return;
    }
    row.finishedIndex = this.#finishedCount++ % this.#keepFinished;
    const oldest = this.#finished[row.finishedIndex];
    if (oldest !== undefined) this.#forget(oldest);
    this.#finished[row.finishedIndex] = row;
    this.#finishedSize++;
  }

  /** Removes a finished row, also one that is no longer among the dead letters. */
  #forget(row: Row): void {
    this.#rows.delete(row.delivery.id);
    if (row.finishedIndex < 0) {
      this.#bodies.release(row.body);
    } else {
      this.#finished[row.finishedIndex] = undefined;
      this.#finishedSize--;
    }
  }
}

const dueAtOf = ({ due_at }: Delivery): number => due_at ?? -Infinity;

const NOTHING_KEPT = { url: null, exchange: null };

/** Whether a settlement was written before, in a call whose answer was lost. */
function isRecorded(row: Row, { delivery, attempt }: Settlement): boolean {
  if (attempt !== null) {
    return row.attempts.some((one) =>
      jsonEquals({ ...one, ...NOTHING_KEPT }, { ...attempt, ...NOTHING_KEPT }),
    );
  }
  const { state, due_at, attempts } = row.delivery;
  return state === 'pending' && due_at === delivery.due_at && attempts === delivery.attempts;
}
