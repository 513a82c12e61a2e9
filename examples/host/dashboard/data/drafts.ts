/**
 * Half-written forms: they survive a reload and an expired session, and are gone with the tab. They are stored when
 * typing pauses.
 */
import { signal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { read, write } from './stored.js';

export interface Draft<Value> {
  /** The draft; the saved value if there is no draft. */
  readonly value: Value;
  /** Whether something is written that is not saved. */
  readonly isDirty: boolean;
  readonly set: (value: Value) => void;
  /** It was saved, or is not wanted. */
  readonly clear: () => void;
}

const keyOf = (key: string): string => `headgate draft ${key}`;
const drafts = new Map<string, Signal<unknown>>();

/** Drafts that are not stored yet: a long one takes longer to store than a keystroke may. */
const unstored = new Map<string, unknown>();
const STORE_MS = 500;
let timer: ReturnType<typeof setTimeout> | null = null;

function store(): void {
  timer = null;
  for (const [key, value] of unstored) write('sessionStorage', keyOf(key), value);
  unstored.clear();
}

function storeSoon(key: string, value: unknown): void {
  unstored.set(key, value);
  timer ??= setTimeout(store, STORE_MS);
}

addEventListener('pagehide', store);

/**
 * A draft of a form.
 *
 * @param key - Names the form with its resource and its project.
 * @param saved - The value without a draft: as it is stored, or empty.
 */
export function useDraft<Value>(key: string, saved: Value): Draft<Value> {
  const draft = useMemo(() => {
    const found = drafts.get(key) ?? signal(read<unknown>('sessionStorage', keyOf(key), undefined));
    drafts.set(key, found);
    return found as Signal<Value | undefined>;
  }, [key]);
  return {
    value: draft.value === undefined ? saved : draft.value,
    isDirty: draft.value !== undefined,
    set(value) {
      draft.value = value;
      storeSoon(key, value);
    },
    clear() {
      draft.value = undefined;
      unstored.delete(key);
      write('sessionStorage', keyOf(key), undefined);
    },
  };
}
