/** Look-ups of one tick of the event loop, made as one. */

/** Most keys of one look-up. */
const MAX_KEYS = 500;

/**
 * Collects keys until the tick ends, and looks them up together. What is looked up is never older than the call.
 *
 * @param load - Reads the values of up to 500 keys, each of which comes once. Keys without a value are left out.
 */
export function createBatch<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let open: { readonly keys: Set<Key>; readonly values: Promise<ReadonlyMap<Key, Value>> } | null = null;
  const begin = (): NonNullable<typeof open> => {
    const keys = new Set<Key>();
    const values = new Promise<ReadonlyMap<Key, Value>>((resolve, reject) => {
      setImmediate(() => {
        if (open?.keys === keys) open = null;
        load([...keys]).then(resolve, reject);
      });
    });
    return { keys, values };
  };
  return async (key) => {
    if (open === null || open.keys.size >= MAX_KEYS) open = begin();
    open.keys.add(key);
    return (await open.values).get(key);
  };
}
