/** The scheduler's calls of its store: whatever the store does, each ends. */
import { StoreError } from '../errors.js';
import type { Clock } from './clock.js';
import type { ClaimRequest, DeliveryStore, Settlement } from './store.js';
import { type ClaimAnswer, claimAnswerOf, settleAnswerOf } from './store-answers.js';

/** The rejection of the calls that {@link StoreCalls.giveUp} ends. */
export const GIVEN_UP = new Error('Nobody waits for the answer any more');

/** Waits for the answers of a store, for a limited time each. */
export class StoreCalls {
  readonly #store: DeliveryStore;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  /** Each ends a wait. */
  readonly #waits = new Set<() => void>();

  /** @param patienceMs - How long to wait for one answer, in milliseconds. */
  constructor(store: DeliveryStore, clock: Clock, patienceMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** An answer that comes too late is of no use: its leases are all but over. */
  claim(request: ClaimRequest): Promise<ClaimAnswer> {
    return this.#wait(async () => claimAnswerOf(await this.#store.claim(request)));
  }

  /**
   * @param settlements - One batch.
   * @param answered - Called when the store has answered, also when nobody waits any more.
   */
  settle(settlements: readonly Settlement[], answered: (held: readonly boolean[]) => void): Promise<void> {
    return this.#wait(async () =>
      answered(settleAnswerOf(await this.#store.settle(settlements), settlements.length)),
    );
  }

  /** Ends every wait: the calls reject with {@link GIVEN_UP}. */
  giveUp(): void {
    for (const end of this.#waits) end();
  }

  #wait<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const over = (): void => {
        cancel();
        this.#waits.delete(giveUp);
      };
      const giveUp = (): void => {
        over();
        reject(GIVEN_UP);
      };
      const cancel = this.#clock.at(this.#clock.now() + this.#patienceMs, () => {
        over();
        reject(new StoreError('store_unreachable', `The store gave no answer in ${this.#patienceMs} ms`));
      });
      this.#waits.add(giveUp);
      void call().then(resolve, reject).then(over);
    });
  }
}
