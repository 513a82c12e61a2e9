/**
 * New events as they are decided. However many tabs are open, one of them holds the connection (the browser's lock decides which)
 * and passes on what comes; while all are hidden, there is none.
 */
import { useEffect, useRef } from 'preact/hooks';
import { currentProject } from './session.js';
import { openTail, type TailMessage } from './tail.js';

/** Listens; the function that is given back stops. */
export function listenLive(project: string, give: (message: TailMessage) => void): () => void {
  const channel = new BroadcastChannel(`headgate tail ${project}`);
  channel.addEventListener('message', ({ data }: MessageEvent<TailMessage>) => give(data));
  let leave: (() => void) | null = null;

  const lead = (): void => {
    const done = new AbortController();
    let resign = (): void => undefined;
    const held = async (): Promise<void> => {
      const close = openTail(project, (message) => {
        channel.postMessage(message);
        give(message);
      });
      await new Promise<void>((resolve) => (resign = resolve));
      close();
    };
    leave = () => {
      done.abort();
      resign();
    };
    navigator.locks.request(`headgate tail ${project}`, { signal: done.signal }, held).catch(() => undefined);
  };
  const look = (): void => {
    if (document.hidden) {
      leave?.();
      leave = null;
    } else if (leave === null) {
      lead();
      // While it was hidden, it may have missed what another tab has had.
      give({ kind: 'gap' });
    }
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    leave?.();
    channel.close();
  };
}

/** Calls a function with what is new, for as long as the component is shown. */
export function useLive(give: (message: TailMessage) => void): void {
  const latest = useRef(give);
  latest.current = give;
  const project = currentProject();
  useEffect(() => listenLive(project, (message) => latest.current(message)), [project]);
}
