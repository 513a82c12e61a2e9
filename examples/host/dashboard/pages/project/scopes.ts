/** The scopes of keys, in words. Pure. */
import type { ApiKey } from '../../parts/Actor.js';

export type Scope = ApiKey['scopes'][number];

export const SCOPES: Readonly<Record<Scope, { readonly text: string; readonly explains: string }>> = {
  ingest: { text: 'Ingest', explains: 'Sends events to channels that ask for a key.' },
  receive: { text: 'Receive', explains: 'Connects as an SDK client, gets events and replies.' },
  read: { text: 'Read', explains: 'Reads events, rules, endpoints and all else, but no secret.' },
  manage: { text: 'Manage', explains: 'Reads and changes everything, secrets and keys included.' },
};

export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];
