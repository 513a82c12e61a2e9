/** SDK clients as the API shows them. */
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database } from '../db/index.js';
import { cursorAfter, sortKeyOf } from '../http/cursor.js';
import { notFound } from '../errors/problem.js';
import { CURSOR_LEASE_MS } from './cursors.js';
import { type Client, deleteClient, getClient, listClients } from './routes.js';
import {
  type BehindRow,
  type ClientRow,
  DELETE_CLIENT,
  SELECT_BEHIND,
  SELECT_CLIENT,
  SELECT_CLIENTS,
  SELECT_HEAD,
} from './statements.js';

/** The routes of clients. */
export function clientsOf(db: Database, now: () => number): readonly BoundRoute[] {
  const headOf = async (project: string): Promise<number> =>
    (await db.get<{ log_position: number }>(SELECT_HEAD, [project]))?.log_position ?? 0;
  return [
    bind(listClients, async ({ params: { project }, query: { limit, cursor } }) => {
      const [after] = cursor === undefined ? [''] : sortKeyOf(cursor, ['string']);
      const head = await headOf(project);
      const rows = await db.all<ClientRow>(SELECT_CLIENTS, [project, after as string, limit + 1]);
      const page = rows.slice(0, limit);
      const since = await behindSince(db, project, page);
      const last = page.at(-1);
      const next = rows.length > limit && last !== undefined ? cursorAfter([last.name]) : null;
      const seen = { head, since, at: now() };
      return { items: page.map((row) => shown(row, seen)), next };
    }),
    bind(getClient, async ({ params: { project, client } }) => {
      const row = await db.get<ClientRow>(SELECT_CLIENT, [project, client]);
      if (row === undefined) throw notFound('client');
      const since = await behindSince(db, project, [row]);
      return shown(row, { head: await headOf(project), since, at: now() });
    }),
    bind(deleteClient, async ({ params: { project, client }, principal }) => {
      await db.transaction(async (tx) => {
        const row = await tx.get<ClientRow>(SELECT_CLIENT, [project, client]);
        if (row === undefined) throw notFound('client');
        await tx.run(DELETE_CLIENT, [project, client]);
        const before = { name: client, position: row.position };
        const action = { actor: principal.actor, action: 'client.deleted', resource: `client:${client}` };
        await writeAudit(tx, now(), { project, ...action, before });
        // Names the cursor without a holder: a client that is connected is replaced.
        await tx.notify('clients', `${project} ${client} -`);
      });
      return undefined;
    }),
  ];
}

/**
 * When the oldest entry came that each client has not acknowledged, Unix ms; clients that have all of them are left
 * out.
 */
async function behindSince(
  db: Database,
  project: string,
  clients: readonly ClientRow[],
): Promise<ReadonlyMap<string, number>> {
  const cursors = clients.map(({ name, position }) => ({ name, position }));
  const rows = await db.all<BehindRow>(SELECT_BEHIND, [project, JSON.stringify(cursors)]);
  return new Map(rows.flatMap(({ name, since }) => (since === null ? [] : [[name, since]])));
}

/** The log of a project, as its clients are seen beside it. */
interface Log {
  readonly head: number;
  readonly since: ReadonlyMap<string, number>;
  /** The time, Unix ms. */
  readonly at: number;
}

/**
 * A process that was killed leaves its clients' cursors as they were: a client that was not seen for this long is not
 * connected.
 */
function shown(row: ClientRow, { head, since, at }: Log): Client {
  const connected = row.connection !== null && at - row.seen_at < CURSOR_LEASE_MS;
  return {
    name: row.name,
    position: row.position,
    head,
    behind: Math.max(0, head - row.position),
    behind_since: isoOrNull(since.get(row.name) ?? null),
    connected,
    connected_at: connected ? isoOrNull(row.connected_at) : null,
    seen_at: iso(row.seen_at),
    created_at: iso(row.created_at),
  };
}
