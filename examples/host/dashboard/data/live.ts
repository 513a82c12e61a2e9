/**
 * New events as they are decided, and whether they still come. However many tabs are open, one of them holds the
 * connection (the browser's lock decides which) and passes on what comes; while all are hidden, no tab is connected.
 */
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { afterMessage, type Liveness, type LiveNews, type LiveState, NOT_CONNECTED } from './live-state.js';
import { lost, suspect } from './online.js';
import { isPortal } from './root.js';
import { currentProject } from './session.js';
import { TailConnection, type TailMessage } from './tail.js';

/** The service gives a sign of life every second. If it stops, people see that within five seconds. */
const SILENCE_MS = 4_500;
/** A page that was busy itself, or a machine that slept, reads what has arrived first. */
const LATE_MS = 500;
/** A slow network takes a while to connect. */
const CONNECT_MS = 8_000;

const state = signal<LiveState>(NOT_CONNECTED);
const listeners = new Set<(news: LiveNews) => void>();

/** Whether new events arrive now. */
export const liveness = (): Liveness => state.value.liveness;

/** Made for a project by the frame of the pages, and stopped with it. */
class LiveTail {
  readonly #lock: string;
  readonly #channel: BroadcastChannel;
  readonly #connection: TailConnection;
  /** Gives the connection up; null while the tab wants none. */
  #leave: (() => void) | null = null;
  #isLeading = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(project: string) {
    // The tabs of the portal see less of each event.
    this.#lock = `headgate ${isPortal ? 'portal ' : ''}tail ${project}`;
    this.#channel = new BroadcastChannel(this.#lock);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TailMessage>) => this.#take(data));
    this.#connection = new TailConnection(project, (message) => {
      this.#channel.postMessage(message);
      this.#take(message);
    });
    document.addEventListener('visibilitychange', this.#look);
    this.#look();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#look);
    this.#hide();
    this.#channel.close();
    state.value = NOT_CONNECTED;
  }

  readonly #look = (): void => {
    if (document.hidden) this.#hide();
    else if (this.#leave === null) this.#show();
  };

  #show(): void {
    this.#watch(CONNECT_MS);
    const done = new AbortController();
    const held = async (): Promise<void> => {
      if (done.signal.aborted) return;
      this.#isLeading = true;
      this.#connection.open();
      await new Promise((resolve) => done.signal.addEventListener('abort', resolve));
      this.#isLeading = false;
      this.#connection.close();
    };
    this.#leave = () => done.abort();
    // Browsers have locks only on HTTPS and on the machine itself; elsewhere each tab has its own connection.
    const { locks } = navigator as Partial<Navigator>;
    (locks?.request(this.#lock, { signal: done.signal }, held) ?? held()).catch(() => undefined);
  }

  #hide(): void {
    clearTimeout(this.#silence);
    this.#leave?.();
    this.#leave = null;
    state.value = { ...state.value, liveness: 'connecting' };
  }

  #take(message: TailMessage): void {
    if (this.#leave === null) return;
    const after = afterMessage(state.peek(), message);
    state.value = after.state;
    if (message.kind === 'broken') suspect();
    else this.#watch(SILENCE_MS);
    const { news } = after;
    if (news !== null) listeners.forEach((listener) => listener(news));
  }

  /** A host that hangs, or a network that is gone, closes nothing. */
  #watch(ms: number): void {
    clearTimeout(this.#silence);
    const due = performance.now() + ms;
    this.#silence = setTimeout(() => {
      if (performance.now() > due + LATE_MS) {
        this.#watch(LATE_MS);
        return;
      }
      state.value = { ...state.value, liveness: 'lost' };
      lost();
      suspect();
      if (this.#isLeading) this.#connection.open();
      this.#watch(CONNECT_MS);
    }, ms);
  }
}

/** Holds the tail of the project for as long as the frame is shown. */
export function useLiveTail(): void {
  const project = currentProject();
  useEffect(() => {
    const tail = new LiveTail(project);
    return () => tail.stop();
  }, [project]);
}

/** Calls a function with what is new, for as long as the component is shown. Call it before what reads the list. */
export function useLive(give: (news: LiveNews) => void): void {
  const latest = useRef(give);
  latest.current = give;
  useLayoutEffect(() => {
    const listener = (news: LiveNews): void => latest.current(news);
    listeners.add(listener);
    const { position } = state.peek();
    if (position !== null) listener({ kind: 'begins', position });
    return () => void listeners.delete(listener);
  }, []);
}
