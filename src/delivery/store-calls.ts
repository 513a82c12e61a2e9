/** The scheduler's calls of its store, with a time limit: each ends, whatever the store does. */
import { StoreError } from '../errors.js';
import type { Clock } from './clock.js';
import type { ClaimRequest, DeliveryStore, Settlement } from './store.js';
import { type ClaimAnswer, claimAnswerOf, settleAnswerOf } from './store-answers.js';

/** The rejection of calls that {@link StoreCalls.giveUp} ends. */
export const GIVEN_UP = new Error('The call to the store was abandoned');

/**
 * Calls the store and limits the wait for each answer. Made with the scheduler; the loop and the settlements use it.
 */
export class StoreCalls {
  readonly #store: DeliveryStore;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** Functions that each end a wait. */
  readonly #waits = new Set<() => void>();

  /** @param timeoutMs - Longest wait for one answer, in milliseconds. */
  constructor(store: DeliveryStore, clock: Clock, timeoutMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** A later answer would be useless, since its leases are about to end. */
  claim(request: ClaimRequest): Promise<ClaimAnswer> {
    return this.#wait(async () => claimAnswerOf(await this.#store.claim(request)));
  }

  /**
   * @param settlements - One batch.
   * @param answered - Called when the store has answered, even after the wait has ended.
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
      const end = (): void => {
        cancel();
        this.#waits.delete(giveUp);
      };
      const giveUp = (): void => {
        end();
        reject(GIVEN_UP);
      };
      const cancel = this.#clock.at(this.#clock.now() + this.#timeoutMs, () => {
        end();
        reject(new StoreError('store_unreachable', `The store did not answer within ${this.#timeoutMs} ms`));
      });
      this.#waits.add(giveUp);
      void call().then(resolve, reject).then(end);
    });
  }
}
