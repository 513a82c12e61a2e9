/** A cache of what any process may change at any time: each value is used for a second at most. */

/** Options of {@link createFreshCache}. */
export interface FreshCacheOptions<Key, Value> {
  /** Reads a value. One that fails is not kept. */
  readonly load: (key: Key) => Promise<Value>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** @defaultValue `1_000` */
  readonly maxAgeMs?: number;
  /**
   * Beyond this many the oldest are forgotten.
   * @defaultValue `10_000`
   */
  readonly maxEntries?: number;
}

/** Values by key. */
export interface FreshCache<Key, Value> {
  /** A value that was read no longer than `maxAgeMs` ago. Callers at one time share one read. */
  get(key: Key): Promise<Value>;
  /** Forgets all. Reads under way are not kept either, so the next `get` sees what is stored now. */
  clear(): void;
}

/** Begins empty; lives as long as the module that made it. */
export function createFreshCache<Key, Value>({
  load,
  now,
  maxAgeMs = 1_000,
  maxEntries = 10_000,
}: FreshCacheOptions<Key, Value>): FreshCache<Key, Value> {
  const entries = new Map<Key, { readonly at: number; readonly value: Promise<Value> }>();
  const read = (key: Key): Promise<Value> => {
    // The age counts from the start of the read, since what it sees may be as old as that.
    const entry = { at: now(), value: load(key) };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value as Key);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.value;
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return read(key);
      const age = now() - entry.at;
      // A clock that was set back makes the age unknown.
      return age >= 0 && age < maxAgeMs ? entry.value : read(key);
    },
    clear: () => entries.clear(),
  };
}
