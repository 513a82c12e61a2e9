/** The knowledge that a tab has of the live tail, from the messages of the tab that holds the connection. Pure. */
import type { EventItem, TailMessage } from './tail.js';

/** `live` holds only while signs of life arrive. */
export type Liveness = 'connecting' | 'live' | 'lost';

export interface LiveState {
  readonly liveness: Liveness;
  /** The pages have been given everything up to here; null before the first beat. */
  readonly position: number | null;
}

/** News for the pages. */
export type LiveNews =
  | { readonly kind: 'events'; readonly items: readonly EventItem[]; readonly position: number }
  /** Events that have new attempts or replies; null: too many to name. */
  | { readonly kind: 'changed'; readonly events: readonly string[] | null }
  /** Events come from this position on: what was read before may lack others. */
  | { readonly kind: 'begins'; readonly position: number }
  /** Events up to this position may be missing; null: nobody knows which. */
  | { readonly kind: 'gap'; readonly position: number | null };

export const NOT_CONNECTED: LiveState = { liveness: 'connecting', position: null };

/** The state after a message, and what pages are told. */
export function afterMessage(
  state: LiveState,
  message: TailMessage,
): { readonly state: LiveState; readonly news: LiveNews | null } {
  if (message.kind === 'skipped') return { state, news: { kind: 'gap', position: null } };
  if (message.kind === 'changed') return { state, news: message };
  if (message.kind === 'broken') return { state: { ...state, liveness: 'lost' }, news: null };
  const position = Math.max(state.position ?? 0, message.position);
  if (message.kind === 'events') return { state: { ...state, position }, news: message };
  const next: LiveState = { liveness: 'live', position };
  if (state.liveness === 'live') return { state: next, news: null };
  return { state: next, news: { kind: state.position === null ? 'begins' : 'gap', position } };
}
