/** Signals that are kept in the storage of the browser, where it has one: a private window may refuse. */
import { effect, signal, type Signal } from '@preact/signals';

/** A signal that holds JSON, and begins with what was stored. Tabs of `localStorage` follow each other. */
export function stored<Value>(
  storage: 'localStorage' | 'sessionStorage',
  key: string,
  first: Value,
): Signal<Value> {
  const one = signal(read(storage, key, first));
  effect(() => write(storage, key, one.value));
  if (storage === 'localStorage') {
    addEventListener('storage', (event) => {
      if (event.key === key) one.value = read(storage, key, first);
    });
  }
  return one;
}

export function read<Value>(storage: 'localStorage' | 'sessionStorage', key: string, first: Value): Value {
  try {
    const text = window[storage].getItem(key);
    return text === null ? first : (JSON.parse(text) as Value);
  } catch {
    return first;
  }
}

/** `undefined` removes it. */
export function write(storage: 'localStorage' | 'sessionStorage', key: string, value: unknown): void {
  try {
    if (value === undefined) window[storage].removeItem(key);
    else window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // It lasts as long as the page.
  }
}
