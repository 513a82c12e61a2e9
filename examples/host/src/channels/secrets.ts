/** Signing secrets of channels: rotated, revealed, removed. */
import { bind, type BoundRoute } from '../api/route.js';
import { iso } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries } from '../db/index.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { isStandardSecret, newSigningSecret } from '../secrets/signing-secret.js';
import { MAX_SECRETS, removeSecret, revealSecrets, rotateSecret, type SigningSecret } from './routes.js';
import { shownSecret } from './shown.js';
import {
  DELETE_EXPIRED,
  DELETE_SECRET,
  EXPIRE_SECRETS,
  SELECT_SECRET,
  SELECT_SECRETS,
  SELECT_SECRETS_OF_PROJECT,
  type SecretOfChannelRow,
  type SecretRow,
} from './statements.js';
import type { Vault } from './vault.js';

/** Dependencies of the signing secrets. */
export interface SecretParts {
  readonly db: Database;
  readonly now: () => number;
  readonly vault: Vault;
  /** Locks the row of a channel, and throws `not_found` where there is none. */
  readonly lock: (tx: Queries, project: string, channel: string) => Promise<unknown>;
}

/** Signing secrets. */
export interface Secrets {
  /** Opened, oldest first. At most a second old. Equal lists mostly are one object, so that signers can be kept. */
  of(channel: string): Promise<readonly string[]>;
  /** The same with their ids, as they are now. */
  named(channel: string): Promise<readonly NamedSecret[]>;
  /** The name of a channel of the project none of whose secrets Standard Webhooks can use; null without one. */
  unusableIn(queries: Queries, project: string): Promise<string | null>;
  /** Adds one in a transaction. */
  add(tx: Queries, channel: string, at: number): Promise<SigningSecret>;
  clear(): void;
  readonly routes: readonly BoundRoute[];
}

/** An opened secret. */
export interface NamedSecret {
  readonly id: string;
  readonly secret: string;
}

const HOUR_MS = 3_600_000;

export function createSecrets(parts: SecretParts): Secrets {
  const { db, now, vault } = parts;
  const edits = createEdits(parts);
  const opened = createFreshCache({
    now,
    load: async (channel: string) => {
      const rows = await db.all<SecretRow>(SELECT_SECRETS, [channel, now()]);
      const secrets = rows.map((row) => vault.openSecret(row));
      const ends = rows.map(({ expires_at }) => expires_at ?? Infinity);
      return { secrets, ends, firstEnd: Math.min(...ends) };
    },
  });
  return {
    async of(channel) {
      const { secrets, ends, firstEnd } = await opened.get(channel);
      const at = now();
      return firstEnd > at ? secrets : secrets.filter((_, i) => (ends[i] ?? 0) > at);
    },
    async named(channel) {
      const rows = await db.all<SecretRow>(SELECT_SECRETS, [channel, now()]);
      return rows.map((row) => ({ id: row.id, secret: vault.openSecret(row) }));
    },
    async unusableIn(queries, project) {
      const rows = await queries.all<SecretOfChannelRow>(SELECT_SECRETS_OF_PROJECT, [project, now()]);
      const usable = new Set<string>();
      for (const row of rows) {
        if (isStandardSecret(vault.openSecret(row))) usable.add(row.channel_id);
      }
      return rows.find((row) => !usable.has(row.channel_id))?.name ?? null;
    },
    add: edits.add,
    clear: () => opened.clear(),
    routes: [
      bind(revealSecrets, ({ params, principal }) =>
        edits.reveal(params.project, params.channel, principal.actor),
      ),
      bind(rotateSecret, async ({ params: { project, channel }, body, principal }) => {
        const added = await edits.rotate(project, channel, body.keep_hours, principal.actor);
        opened.clear();
        return added;
      }),
      bind(removeSecret, async ({ params: { project, channel, secret }, principal }) => {
        await edits.remove(project, channel, secret, principal.actor);
        opened.clear();
        return undefined;
      }),
    ],
  };
}

/** Edits of secrets, and looks at them: each one transaction, with its entry in the audit log. */
function createEdits({ db, now, vault, lock }: SecretParts) {
  const add: Secrets['add'] = async (tx, channel, at) => {
    const secret = newSigningSecret();
    const row = { id: newId(at), channel_id: channel, created_at: at, expires_at: null };
    await tx.insert('signing_secrets', [{ ...row, sealed: vault.sealSecret(row.id, secret) }]);
    return shownSecret(row, secret);
  };
  const rotate = (project: string, channel: string, keepHours: number, actor: string) =>
    db.transaction(async (tx) => {
      const at = now();
      const until = at + keepHours * HOUR_MS;
      await lock(tx, project, channel);
      await tx.run(EXPIRE_SECRETS, [channel, until]);
      await tx.run(DELETE_EXPIRED, [channel, at]);
      const before = await tx.all<SecretRow>(SELECT_SECRETS, [channel, at]);
      if (before.length >= MAX_SECRETS) {
        throw new Problem('conflict', `${MAX_SECRETS} secrets sign already: remove one that was replaced`);
      }
      const added = await add(tx, channel, at);
      const after = { secret: added.id, others_expire_at: iso(until) };
      const resource = `channel:${channel}`;
      await writeAudit(tx, at, { project, actor, action: 'secret.rotated', resource, after });
      await tx.notify('channels', project);
      return added;
    });
  const remove = (project: string, channel: string, id: string, actor: string) =>
    db.transaction(async (tx) => {
      const at = now();
      await lock(tx, project, channel);
      const row = await tx.get<SecretRow>(SELECT_SECRET, [channel, id]);
      if (row === undefined) throw notFound('secret');
      if (row.expires_at === null) {
        throw new Problem('conflict', 'a channel always has a secret: add another, then remove this one');
      }
      await tx.run(DELETE_SECRET, [id]);
      const entry = { project, actor, action: 'secret.removed', resource: `channel:${channel}` };
      await writeAudit(tx, at, { ...entry, before: { secret: id, expires_at: iso(row.expires_at) } });
      await tx.notify('channels', project);
    });
  const reveal = (project: string, channel: string, actor: string) =>
    db.transaction(async (tx) => {
      const at = now();
      await lock(tx, project, channel);
      const rows = await tx.all<SecretRow>(SELECT_SECRETS, [channel, at]);
      const resource = `channel:${channel}`;
      await writeAudit(tx, at, { project, actor, action: 'secrets.revealed', resource });
      return { items: rows.map((row) => shownSecret(row, vault.openSecret(row))) };
    });
  return { add, rotate, remove, reveal };
}
