/**
 * A list that is read page by page: what is there, and a way to read on. Reading it again reads all of what is shown.
 */
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

/** The pages so far, as one. */
interface Joined<Item> extends ApiPage<Item> {
  readonly pages: number;
}

export interface Pages<Item> extends Resource<Joined<Item>> {
  /** Whether the next page is being read. */
  readonly isBusy: boolean;
  readonly more: () => void;
}

/** Reads the page at a cursor; the first one without. */
type Load<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<ApiPage<Item>>;

export function usePages<Item>(key: string, load: Load<Item>): Pages<Item> {
  const resource: Resource<Joined<Item>> = useResource(key, (signal) =>
    readPages(load, resource.value?.pages ?? 1, signal),
  );
  const [isBusy, setBusy] = useState(false);
  const { value, set } = resource;
  const readOn = async (before: Joined<Item>): Promise<void> => {
    setBusy(true);
    try {
      // Nothing aborts it: the page is wanted as long as the list is there.
      set(await joined(before, load, new AbortController().signal));
    } catch (error) {
      toast(sentenceOf(error), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  const more = (): void => {
    if (value?.next && !isBusy) void readOn(value);
  };
  return { ...resource, isBusy, more };
}

async function readPages<Item>(load: Load<Item>, most: number, signal: AbortSignal): Promise<Joined<Item>> {
  let read: Joined<Item> = { ...(await load(undefined, signal)), pages: 1 };
  while (read.pages < most && read.next !== null) read = await joined(read, load, signal);
  return read;
}

async function joined<Item>(
  { items, next, pages }: Joined<Item>,
  load: Load<Item>,
  signal: AbortSignal,
): Promise<Joined<Item>> {
  const page = await load(next ?? undefined, signal);
  return { ...page, items: [...items, ...page.items], pages: pages + 1 };
}
