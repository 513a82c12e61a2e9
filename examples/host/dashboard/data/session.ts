/**
 * The session of the dashboard. It ends when it expires or is ended elsewhere; the page stays, and goes on after
 * signing in again.
 */
import { signal } from '@preact/signals';
import type { Output } from '../../src/client/index.js';
import { ROOT } from './root.js';

export type Session = Output<'getSession'>;

/**
 * - `unknown`: nobody has asked yet.
 * - `out`: nobody is signed in.
 * - `in`: somebody is.
 * - `ended`: somebody was; what they do waits until they sign in again.
 */
export type SessionState =
  | { readonly status: 'unknown' | 'out' }
  | { readonly status: 'in' | 'ended'; readonly session: Session; readonly project: string };

export const sessionState = signal<SessionState>({ status: 'unknown' });

const waiting = new Set<(hasBegun: boolean) => void>();

/** Somebody has signed in; a key of the operator, which is of no project, cannot. */
export function sessionBegan(session: Session): void {
  if (session.project === null) return;
  const before = sessionState.value;
  if (before.status === 'ended' && before.project !== session.project) {
    // The waiting requests are of another project, so they fail; drafts stay where they are.
    settle(false);
    location.assign(`${ROOT}/`);
    return;
  }
  sessionState.value = { status: 'in', session, project: session.project };
  settle(true);
}

/** Nobody is signed in any more, by their own will. */
export function sessionLeft(): void {
  sessionState.value = { status: 'out' };
  settle(false);
}

/** A request was answered 401. Resolves with true once somebody has signed in again, and with false if nobody will. */
export function sessionEnded(): Promise<boolean> {
  const state = sessionState.value;
  if (state.status !== 'in' && state.status !== 'ended') return Promise.resolve(false);
  sessionState.value = { ...state, status: 'ended' };
  return new Promise((resolve) => waiting.add(resolve));
}

function settle(hasBegun: boolean): void {
  for (const resolve of waiting) resolve(hasBegun);
  waiting.clear();
}

/** The project of the session. Pages are rendered only while there is one. */
export function currentProject(): string {
  const state = sessionState.value;
  if (state.status === 'in' || state.status === 'ended') return state.project;
  throw new Error('there is no session');
}

/**
 * Whether the session may change things; without the scope `manage` it only reads, and so do viewers of the portal.
 * What owners of the portal may not do either depends on `isPortal`.
 */
export function mayManage(): boolean {
  const state = sessionState.value;
  if (state.status !== 'in' && state.status !== 'ended') return false;
  return state.session.portal === 'owner' || state.session.scopes.includes('manage');
}
