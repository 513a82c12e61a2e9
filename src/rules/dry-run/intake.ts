/** Taking items out of an iterable one at a time, for as long as a signal lets it. */
import { invalidOption } from '../validate/index.js';
import { show } from '../issues/index.js';

/** An iterable, synchronous or asynchronous. */
export type Source<T> = Iterable<T> | AsyncIterable<T>;

/** One pass over a source. Made where the pass begins, and closed where it ends, whatever happened. */
export class Intake<T> {
  readonly #iterator: Iterator<T> | AsyncIterator<T>;
  readonly #signal: AbortSignal | undefined;
  /** The source has ended on its own, so it need not be told that nobody reads on. */
  #ended = false;
  /** Rejects the promise that `wait` returned last. */
  #giveUp: ((reason: unknown) => void) | null = null;

  /**
   * @throws {@link OptionError} `invalid_option` for a source that cannot be iterated over.
   * @throws The reason of a signal that has aborted.
   */
  constructor(source: Source<T>, signal: AbortSignal | undefined) {
    const open = opener(source);
    signal?.throwIfAborted();
    this.#iterator = open();
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** The next item, or the end. It takes a promise only if the source gives one: an array costs none. */
  next(): IteratorResult<T> | Promise<IteratorResult<T>> {
    this.#signal?.throwIfAborted();
    try {
      const result = this.#iterator.next();
      return isPromise(result) || isPromise(result.value) ? this.#settle(result) : this.#note(result);
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** The value of a promise; rejects with the signal's reason when that aborts before. */
  async wait<V>(promise: V | PromiseLike<V>): Promise<V> {
    this.#signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      Promise.resolve(promise).then(resolve, reject);
    });
  }

  /** Ends the pass. A source that has not ended is told so, and waited for unless the signal aborts. */
  async close(): Promise<void> {
    if (!this.#ended) await this.wait(this.#return()).catch(ignore);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    this.#giveUp?.(this.#signal?.reason);
  };

  async #settle(result: IteratorResult<T> | Promise<IteratorResult<T>>): Promise<IteratorResult<T>> {
    const noted = Promise.resolve(result).then(this.#note, this.#fail);
    const next = await this.wait(noted);
    return next.done === true ? next : { done: false, value: await this.wait(next.value) };
  }

  readonly #note = (result: IteratorResult<T>): IteratorResult<T> => {
    if (result.done === true) this.#ended = true;
    return result;
  };

  readonly #fail = (error: unknown): never => {
    this.#ended = true;
    throw error;
  };

  /** Never rejects: the reason for closing matters more than an error of the source. */
  async #return(): Promise<void> {
    this.#ended = true;
    try {
      await this.#iterator.return?.();
    } catch (error) {
      ignore(error);
    }
  }
}

const ignore = (_: unknown): void => undefined;

/** Whether a value must be waited for. */
export const isPromise = <V>(value: V | PromiseLike<V>): value is PromiseLike<V> & Promise<V> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** The function that begins a pass over a source. */
function opener<T>(source: Source<T>): () => Iterator<T> | AsyncIterator<T> {
  if (typeof source === 'object' && (source as unknown) !== null) {
    if (Symbol.asyncIterator in source) return () => source[Symbol.asyncIterator]();
    if (Symbol.iterator in source) return () => source[Symbol.iterator]();
  }
  const hint = isPromise(source) ? '; await it' : '';
  throw invalidOption(
    `events must be an array, a generator or another iterable; this is ${show(source)}${hint}`,
  );
}
