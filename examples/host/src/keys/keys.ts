/** API keys: made, listed, revoked, and found out by. */
import type { Authenticate } from '../api/principal.js';
import { idBefore, pageOfRows } from '../api/page.js';
import { bind, SCOPES } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Queries } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound } from '../errors/problem.js';
import { createCredentials, type CredentialParts } from './credentials.js';
import { hashKey, lastFour, newKey } from '../secrets/key-format.js';
import { createLastUsed } from './last-used.js';
import { type ApiKey, createKey, listKeys, revokeKey } from './routes.js';
import { createSessions, type Sessions } from './sessions.js';
import { DELETE_SESSIONS_OF_KEY, type KeyRow, REVOKE_KEY, SELECT_KEY, SELECT_KEYS } from './statements.js';

/** Keys and sessions. */
export interface Keys extends Sessions {
  /** Holds a revocation at once in this process, and within a second in all others. */
  readonly authenticate: Authenticate;
  /** Makes the first key of a project, which may do everything in it, and returns it. */
  firstKey(queries: Queries, project: string, actor: string): Promise<string>;
  /** Writes what is left to write. */
  stop(): Promise<void>;
}

/** The settings of a new key, and its creator. */
interface NewKey {
  readonly project: string;
  readonly name: string;
  readonly scopes: ApiKey['scopes'];
  readonly actor: string;
}

export function createKeys(parts: CredentialParts): Keys {
  const { db, now } = parts;
  const lastUsed = createLastUsed(db, now);
  const credentials = createCredentials(parts, (id) => lastUsed.note(id));
  const sessions = createSessions(parts, credentials);
  const unlisten = db.listen('keys', () => credentials.clear());

  const revoke = async (project: string, id: string, actor: string): Promise<void> => {
    await db.transaction(async (tx) => {
      const at = now();
      const row = await tx.get<KeyRow>(SELECT_KEY, [project, id]);
      if (row === undefined) throw notFound('key');
      // If two revoke at one time, one changes the row.
      if ((await tx.run(REVOKE_KEY, [project, id, at])) === 0) return;
      await tx.run(DELETE_SESSIONS_OF_KEY, [id]);
      const states = { before: shown(row), after: shown({ ...row, revoked_at: at }) };
      await writeAudit(tx, at, { project, actor, action: 'key.revoked', resource: `key:${id}`, ...states });
      await tx.notify('keys', project);
    });
    credentials.clear();
  };
  return {
    authenticate: credentials.authenticate,
    async firstKey(queries, project, actor) {
      return (await addKey(queries, now(), { project, name: 'First key', scopes: [...SCOPES], actor })).key;
    },
    signInLink: (project) => sessions.signInLink(project),
    stop() {
      unlisten();
      return lastUsed.stop();
    },
    routes: [
      bind(listKeys, async ({ params: { project }, query: { limit, cursor } }) => {
        const rows = await db.all<KeyRow>(SELECT_KEYS, [project, idBefore(cursor), limit + 1]);
        return pageOfRows(rows, limit, shown);
      }),
      bind(createKey, ({ params: { project }, body, principal: { actor } }) =>
        db.transaction((tx) => addKey(tx, now(), { project, ...body, actor })),
      ),
      bind(revokeKey, async ({ params: { project, key }, principal: { actor } }) => {
        await revoke(project, key, actor);
        return undefined;
      }),
      ...sessions.routes,
    ],
  };
}

async function addKey(queries: Queries, at: number, { project, name, scopes, actor }: NewKey) {
  const key = newKey('key');
  const id = newId(at);
  const row = {
    id,
    project_id: project,
    name,
    last_four: lastFour(key),
    scopes: JSON.stringify(SCOPES.filter((scope) => scopes.includes(scope))),
    created_at: at,
    created_by: actor,
    last_used_at: null,
    revoked_at: null,
  };
  await queries.insert('api_keys', [{ ...row, hash: hashKey(key) }]);
  const made = await queries.get<KeyRow>(SELECT_KEY, [project, id]);
  const after = shown({ ...row, created_by_name: made?.created_by_name ?? null });
  const resource = `key:${id}`;
  await writeAudit(queries, at, { project, actor, action: 'key.created', resource, after });
  return { ...after, key };
}

const shown = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  last_four: row.last_four,
  scopes: JSON.parse(row.scopes) as ApiKey['scopes'],
  created_at: iso(row.created_at),
  created_by: row.created_by,
  created_by_name: row.created_by_name,
  last_used_at: isoOrNull(row.last_used_at),
  revoked_at: isoOrNull(row.revoked_at),
});
