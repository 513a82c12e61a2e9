/** Resources of the API, with their state: loading, ready or failed. The last value stays while it is read again. */
import { effect, signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { online } from './online.js';

/** The state of a resource. `stale`: an older value, which is being read again or could not be. */
export type State<Value> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: Value; readonly stale: boolean; readonly error: unknown }
  | { readonly status: 'failed'; readonly error: unknown };

export interface Resource<Value> {
  readonly state: State<Value>;
  /** The value, where there is one. */
  readonly value: Value | undefined;
  /** Reads it again; the last value stays meanwhile. */
  readonly reload: () => void;
  /** Replaces the value, such as by the answer of a change. */
  readonly set: (value: Value) => void;
}

/** Values by key, so that a page which one comes back to shows at once what it had. */
const kept = new Map<string, unknown>();
const MOST_KEPT = 60;
/** A value this young that another component shows is not read again for the next one. */
const FRESH_MS = 10_000;

/** Keeps a value under a key of its own, for a page that one comes back to. */
export function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  const oldest = kept.keys().next();
  if (kept.size > MOST_KEPT && oldest.done !== true) kept.delete(oldest.value);
}

/** The value that is kept under a key; the code that stored it knows its type. */
export const keptValue = (key: string): unknown => kept.get(key);

/** Forgets all, when somebody else signs in. */
export const forgetResources = (): void => kept.clear();

/** Reads one resource, for all who show it: what one of them reads or sets, every one shows. */
class Reader<Value> {
  readonly state: Signal<State<Value>>;
  readonly #key: string;
  #load: (signal: AbortSignal) => Promise<Value>;
  #abort: AbortController | null = null;
  #isReading = false;
  /** When the value was read or set; on the clock of the page. */
  #freshAt = -Infinity;
  #users = 0;
  #unwatch = (): void => undefined;

  constructor(key: string, load: (signal: AbortSignal) => Promise<Value>) {
    this.#key = key;
    this.#load = load;
    this.state = signal(
      kept.has(key)
        ? { status: 'ready', value: kept.get(key) as Value, stale: true, error: null }
        : { status: 'loading' },
    );
  }

  /** The function of the last render, which has the values of now. */
  set load(load: (signal: AbortSignal) => Promise<Value>) {
    this.#load = load;
  }

  readonly read = async (): Promise<void> => {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const before = this.state.peek();
    if (before.status === 'failed') this.state.value = { status: 'loading' };
    this.#isReading = true;
    try {
      const value = await this.#load(abort.signal);
      if (!abort.signal.aborted) this.#show(value);
    } catch (error) {
      if (abort.signal.aborted) return;
      const now = this.state.peek();
      this.state.value =
        now.status === 'ready' ? { ...now, stale: true, error } : { status: 'failed', error };
    }
    if (this.#abort === abort) this.#isReading = false;
  };

  /** An answer that is still awaited may be older, so it is dropped. */
  readonly set = (value: Value): void => {
    this.#abort?.abort();
    this.#isReading = false;
    this.#show(value);
  };

  #show(value: Value): void {
    keep(this.#key, value);
    this.#freshAt = performance.now();
    this.state.value = { status: 'ready', value, stale: false, error: null };
  }

  readonly reload = (): void => void this.read();

  /** Somebody shows it; the function that is given back ends that. */
  readonly enter = (): (() => void) => {
    this.#users++;
    if (this.#users === 1) {
      readers.set(this.#key, this);
      this.#unwatch = effect(this.#watchNetwork);
    }
    const isFresh = performance.now() - this.#freshAt < FRESH_MS;
    if (!this.#isReading && !isFresh) void this.read();
    return () => {
      this.#users--;
      if (this.#users === 0) this.#stop();
    };
  };

  /** A request that failed on the network is sent again once the service answers. */
  readonly #watchNetwork = (): void => {
    if (!online.value) return;
    const state = this.state.peek();
    const error = state.status === 'loading' ? null : state.error;
    if (error instanceof TypeError) void this.read();
  };

  #stop(): void {
    this.#unwatch();
    this.#abort?.abort();
    this.#isReading = false;
    if (readers.get(this.#key) === this) readers.delete(this.#key);
  }
}

/** Resources in use, by key. A key names one kind of value, so code that asks for it knows its type. */
const readers = new Map<string, unknown>();

function readerOf<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Reader<Value> {
  const reader = (readers.get(key) ?? new Reader(key, load)) as Reader<Value>;
  readers.set(key, reader);
  return reader;
}

/**
 * Reads what a page shows.
 *
 * @param key - Names what is read, with all that it depends on; another key is another resource.
 * @param load - Calls the API; give the signal on.
 *
 * @example
 * const rules = useResource(`rules ${project}`, (signal) => api.listRules({ project, signal }));
 * return <Loaded of={rules}>{({ items }) => <RuleList rules={items} />}</Loaded>;
 */
export function useResource<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
): Resource<Value> {
  const reader = useMemo(() => readerOf(key, load), [key]);
  reader.load = load;
  useEffect(reader.enter, [reader]);
  const state = reader.state.value;
  return {
    state,
    value: state.status === 'ready' ? state.value : undefined,
    reload: reader.reload,
    set: reader.set,
  };
}
