/** Signing secrets of channels and endpoints: drawn, rotated, revealed, removed. */
import { isoOrNull, iso } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import type { Database, Queries, Transaction } from '../db/index.js';
import { notFound, Problem } from '../errors/problem.js';
import { newId } from '../ids.js';
import type { Sealer } from '../secrets/sealing.js';
import { isStandardSecret, newSigningSecret } from '../secrets/signing-secret.js';
import { SEALED } from '../stored/sealed.js';
import { MAX_SECRETS, type Rotation, type SigningSecret } from './routes.js';
import {
  DELETE_EXPIRED,
  DELETE_SECRET,
  EXPIRE_SECRETS,
  SELECT_SECRET,
  SELECT_SECRETS,
  type SecretRow,
} from './statements.js';

/** Dependencies of the signing secrets of one kind of owner. */
export interface SecretParts {
  readonly db: Database;
  readonly now: () => number;
  readonly sealer: Sealer;
  /** Names the owner in the audit log; its changes are announced under the plural. */
  readonly kind: 'channel' | 'endpoint';
  /** Locks the row of an owner, and throws `not_found` if it does not exist. */
  readonly lock: (tx: Queries, project: string, owner: string) => Promise<unknown>;
}

/** An owner, and who asks for its secrets. */
export interface About {
  readonly project: string;
  readonly owner: string;
  readonly actor: string;
}

/** Signing secrets. Edits, and looks at secrets, are each one transaction with its entry in the audit log. */
export interface SigningSecrets {
  /** Opened, oldest first. At most a second old. Equal lists mostly are one object, so that signers can be kept. */
  of(owner: string): Promise<readonly string[]>;
  /** The same with their ids, as they are now. */
  named(owner: string): Promise<readonly NamedSecret[]>;
  open(row: Pick<SecretRow, 'id' | 'sealed'>): string;
  /** Draws one, and adds it in a transaction. */
  add(tx: Queries, owner: string, at: number): Promise<SigningSecret>;
  reveal(about: About): Promise<{ items: SigningSecret[] }>;
  rotate(about: About, rotation: Rotation): Promise<SigningSecret>;
  remove(about: About, id: string): Promise<undefined>;
  clear(): void;
}

/** An opened secret. */
export interface NamedSecret {
  readonly id: string;
  readonly secret: string;
}

const HOUR_MS = 3_600_000;

export function createSigningSecrets(parts: SecretParts): SigningSecrets {
  const { db, now, sealer } = parts;
  const open: SigningSecrets['open'] = ({ id, sealed }) =>
    sealer.open(sealed, SEALED.signingSecret.field(id));
  const opened = createFreshCache({
    now,
    load: async (owner: string) => {
      const rows = await db.all<SecretRow>(SELECT_SECRETS, [owner, now()]);
      const secrets = rows.map(open);
      const ends = rows.map(({ expires_at }) => expires_at ?? Infinity);
      return { secrets, ends, firstEnd: Math.min(...ends) };
    },
  });
  const clear = (): void => opened.clear();
  return {
    async of(owner) {
      const { secrets, ends, firstEnd } = await opened.get(owner);
      const at = now();
      return firstEnd > at ? secrets : secrets.filter((_, i) => (ends[i] ?? 0) > at);
    },
    async named(owner) {
      const rows = await db.all<SecretRow>(SELECT_SECRETS, [owner, now()]);
      return rows.map((row) => ({ id: row.id, secret: open(row) }));
    },
    open,
    ...createEdits(parts, open, clear),
    clear,
  };
}

type EditNames = 'add' | 'reveal' | 'rotate' | 'remove';

function createEdits(
  { db, now, sealer, kind, lock }: SecretParts,
  open: SigningSecrets['open'],
  clear: () => void,
): Pick<SigningSecrets, EditNames> {
  /** Locks the owner; `audit` writes an entry about it. */
  const locked = <T>({ project, owner, actor }: About, work: (tx: Locked) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const at = now();
      await lock(tx, project, owner);
      const resource = `${kind}:${owner}`;
      return work({ tx, at, audit: (entry) => writeAudit(tx, at, { project, actor, resource, ...entry }) });
    });
  const changed = async (tx: Transaction, project: string): Promise<void> => tx.notify(`${kind}s`, project);
  const insert = async (tx: Queries, owner: string, at: number, secret: string): Promise<SigningSecret> => {
    const row = { id: newId(at), owner_id: owner, created_at: at, expires_at: null };
    const sealed = sealer.seal(secret, SEALED.signingSecret.field(row.id));
    await tx.insert('signing_secrets', [{ ...row, sealed }]);
    return shown(row, secret);
  };
  return {
    add: (tx, owner, at) => insert(tx, owner, at, newSigningSecret()),
    reveal: (about) =>
      locked(about, async ({ tx, at, audit }) => {
        const rows = await tx.all<SecretRow>(SELECT_SECRETS, [about.owner, at]);
        await audit({ action: 'secrets.revealed' });
        return { items: rows.map((row) => shown(row, open(row))) };
      }),
    async rotate(about, { keep_hours: keepHours, secret = newSigningSecret() }) {
      const { project, owner } = about;
      assertUsable(secret);
      const added = await locked(about, async ({ tx, at, audit }) => {
        const until = at + keepHours * HOUR_MS;
        const others = await expireOthers(tx, owner, { at, until });
        assertNew(secret, others.map(open));
        const made = await insert(tx, owner, at, secret);
        await audit({ action: 'secret.rotated', after: { secret: made.id, others_expire_at: iso(until) } });
        await changed(tx, project);
        return made;
      });
      clear();
      return added;
    },
    async remove(about, id) {
      await locked(about, async ({ tx, audit }) => {
        const row = await tx.get<SecretRow>(SELECT_SECRET, [about.owner, id]);
        if (row === undefined) throw notFound('secret');
        if (row.expires_at === null) {
          throw new Problem('conflict', 'one secret always stays: add another, then remove this one');
        }
        await tx.run(DELETE_SECRET, [id]);
        await audit({ action: 'secret.removed', before: { secret: id, expires_at: iso(row.expires_at) } });
        await changed(tx, about.project);
      });
      clear();
      return undefined;
    },
  };
}

/** @throws Problem `conflict` for a secret that signs already */
function assertNew(secret: string, others: readonly string[]): void {
  if (!others.includes(secret)) return;
  throw new Problem('conflict', 'this secret signs already: give another one, or none to have one drawn');
}

/** @throws Problem `invalid_document` for a secret that does not serve both signatures; no message quotes it. */
function assertUsable(secret: string): void {
  if (secret.startsWith('whsec_') && isStandardSecret(secret)) return;
  const issue = {
    code: 'invalid_value',
    pointer: '/secret',
    message: 'give whsec_ and the base64 of 24 to 64 bytes',
  };
  throw new Problem('invalid_document', `secret: ${issue.message}`, { issues: [issue] });
}

/**
 * Gives all secrets of an owner an end, and returns those that still sign.
 *
 * @throws Problem `conflict` if as many secrets sign as may.
 */
async function expireOthers(
  tx: Queries,
  owner: string,
  { at, until }: { readonly at: number; readonly until: number },
): Promise<readonly SecretRow[]> {
  await tx.run(EXPIRE_SECRETS, [owner, until]);
  await tx.run(DELETE_EXPIRED, [owner, at]);
  const before = await tx.all<SecretRow>(SELECT_SECRETS, [owner, at]);
  if (before.length < MAX_SECRETS) return before;
  throw new Problem('conflict', `${MAX_SECRETS} secrets sign already: remove one that was replaced`);
}

/** A transaction that has locked an owner. */
interface Locked {
  readonly tx: Transaction;
  readonly at: number;
  readonly audit: (entry: {
    readonly action: string;
    readonly before?: object;
    readonly after?: object;
  }) => Promise<unknown>;
}

const shown = (
  { id, created_at, expires_at }: Pick<SecretRow, 'id' | 'created_at' | 'expires_at'>,
  secret: string,
): SigningSecret => ({ id, secret, created_at: iso(created_at), expires_at: isoOrNull(expires_at) });
