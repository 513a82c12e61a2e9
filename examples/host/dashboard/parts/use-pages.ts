/** A list that is read page by page: what is there, and a way to read on. */
import { useState } from 'preact/hooks';
import { type Resource, sentenceOf, useResource } from '../data/index.js';
import { toast } from '../ui/index.js';

/** A page of the API. */
interface ApiPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  /** How far a search has looked, where there is a `next`. */
  readonly scanned_to?: string | null;
}

export interface Pages<Item> extends Resource<ApiPage<Item>> {
  /** Whether the next page is being read. */
  readonly isBusy: boolean;
  readonly more: () => void;
}

/** @param load - Reads the page at a cursor; the first one without. */
export function usePages<Item>(
  key: string,
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<ApiPage<Item>>,
): Pages<Item> {
  const resource = useResource<ApiPage<Item>>(key, (signal) => load(undefined, signal));
  const [isBusy, setBusy] = useState(false);
  const { value, set } = resource;
  const readOn = async (cursor: string, before: readonly Item[]): Promise<void> => {
    setBusy(true);
    try {
      const page = await load(cursor);
      set({ ...page, items: [...before, ...page.items] });
    } catch (error) {
      toast(sentenceOf(error), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  const more = (): void => {
    if (value?.next && !isBusy) void readOn(value.next, value.items);
  };
  return { ...resource, isBusy, more };
}
