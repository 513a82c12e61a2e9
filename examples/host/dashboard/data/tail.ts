/** The connection to the live tail: one `EventSource`, which opens again by itself, also where the service was away for long. */
import { api, type Output } from './api.js';

export type EventItem = Output<'listEvents'>['items'][number];

/** `gap`: events may have been missed, so read the list again. */
export type TailMessage =
  { readonly kind: 'events'; readonly items: readonly EventItem[] } | { readonly kind: 'gap' };

/** Messages are collected for so long, so that hundreds a second do not each render a page. */
const COLLECT_MS = 200;
const RETRY_MS = 4_000;

/** Opens the tail of a project; the function that is given back closes it. */
export function openTail(project: string, give: (message: TailMessage) => void): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let collected: EventItem[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    timer = undefined;
    const items = collected;
    collected = [];
    if (items.length > 0) give({ kind: 'events', items });
  };
  const open = (): void => {
    source = new EventSource(`/projects/${project}/tail`);
    let hasOpened = false;
    source.addEventListener('open', () => {
      // The first connection of a source knows nothing of what came before it; later ones go on where it was.
      if (!hasOpened) give({ kind: 'gap' });
      hasOpened = true;
    });
    source.addEventListener('event', ({ data }: MessageEvent<string>) => {
      collected.push(JSON.parse(data) as EventItem);
      timer ??= setTimeout(flush, COLLECT_MS);
    });
    source.addEventListener('skipped', () => give({ kind: 'gap' }));
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      // An answer that was no stream: the session may have ended, which this request finds out.
      retry = setTimeout(() => {
        open();
        api.getProject({ project }).catch(() => undefined);
      }, RETRY_MS);
    });
  };
  open();
  return () => {
    source?.close();
    clearTimeout(retry);
    clearTimeout(timer);
  };
}
