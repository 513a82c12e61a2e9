/** Channels: where events come in, and what they are signed with. */
import { randomBytes } from 'node:crypto';
import { idBefore, pageOfRows } from '../api/page.js';
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Transaction } from '../db/index.js';
import { createFreshCache } from '../ground/fresh-cache.js';
import { isUuid, newId } from '../ground/ids.js';
import { notFound, Problem } from '../ground/problem.js';
import { etag, expectVersion, isChange } from '../ground/version.js';
import type { Sealer } from '../secrets/sealing.js';
import { checkSourceSettings, type SourceName, type SourceSettings } from '../sources/index.js';
import {
  type Channel,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  renewAddress,
  type SourceIn,
  updateChannel,
} from './routes.js';
import { createSecrets, type NamedSecret } from './secrets.js';
import { shownChannel } from './shown.js';
import {
  type ChannelRow,
  FIND_BY_ADDRESS,
  FIND_BY_ID,
  SELECT,
  SELECT_ANY,
  SELECT_FOR_UPDATE,
  SELECT_OLDEST,
  SELECT_PAGE,
  UPDATE,
} from './statements.js';
import { createVault, resealAll, type Resealed } from './vault.js';

/** Dependencies of this room. */
export interface ChannelParts {
  readonly db: Database;
  readonly now: () => number;
  readonly sealer: Sealer;
  /** Before `/in/…`, such as `https://hooks.example.com`; without a slash at its end. */
  readonly publicUrl: string;
}

/** A channel as ingest needs it. */
export interface IngestChannel {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly address: string;
  /** True where it was found by its address; false by its id, which opens nothing without a key. */
  readonly byAddress: boolean;
  readonly source: { readonly name: SourceName; readonly settings: SourceSettings };
  readonly requiresKey: boolean;
}

/** Channels. */
export interface Channels {
  /** The channel of an address, or of an id; null where there is none. At most a second old. */
  find(addressOrId: string): Promise<IngestChannel | null>;
  /** The secrets to sign with now, oldest first, also of a channel that was deleted. At most a second old. */
  secretsOf(channelId: string): Promise<readonly string[]>;
  /** The secrets that sign for a channel of a project now, oldest first, also where it was deleted; none of another one. */
  secretsIn(project: string, channelId: string): Promise<readonly NamedSecret[]>;
  /** The channel of this id, or the oldest one of the project; null where there is none. */
  channelOf(
    project: string,
    id: string | null,
  ): Promise<{ readonly id: string; readonly name: string } | null>;
  /** Seals with the newest key what older keys have sealed. To be called once after the start. */
  reseal(): Promise<Resealed>;
  stop(): void;
  readonly routes: readonly BoundRoute[];
}

/** 128 random bits. */
const newAddress = (): string => randomBytes(16).toString('hex');

export function createChannels({ db, now, sealer, publicUrl }: ChannelParts): Channels {
  const vault = createVault(sealer);
  const secrets = createSecrets({ db, now, vault, lock: rowForUpdate });
  const open = (row: ChannelRow) => ({ row, settings: vault.showSettings(row.id, row.source_settings) });

  const found = createFreshCache({
    now,
    load: async (addressOrId: string): Promise<IngestChannel | null> => {
      const byAddress = !isUuid(addressOrId);
      const row = await db.get<ChannelRow>(byAddress ? FIND_BY_ADDRESS : FIND_BY_ID, [addressOrId]);
      if (row === undefined) return null;
      const source = {
        name: row.source as SourceName,
        settings: vault.openSettings(row.id, row.source_settings),
      };
      const { id, project_id: project, name, address } = row;
      return { id, project, name, address, byAddress, source, requiresKey: row.requires_key === 1 };
    },
  });
  const clear = (): void => {
    found.clear();
    secrets.clear();
  };
  const unlisten = db.listen('channels', clear);

  /** Hides the address, which lets its holder send events, from principals without the scope `manage`. */
  const shown = (row: ChannelRow, { scopes }: Principal): Channel =>
    shownChannel(open(row), scopes.has('manage') ? `${publicUrl}/in/${row.address}` : null);
  const versioned = (row: ChannelRow, principal: Principal): WithHeaders<Channel> =>
    new WithHeaders(shown(row, principal), { etag: etag(row.version) });
  /** As it stands in the audit log: without its address. */
  const audited = (row: ChannelRow): Channel => shownChannel(open(row), null);

  const create = (project: string, settings: NewChannel, actor: string): Promise<ChannelRow> =>
    db.transaction(async (tx) => {
      const at = now();
      const id = newId(at);
      const row: ChannelRow = {
        id,
        project_id: project,
        name: settings.name,
        address: newAddress(),
        ...sourceColumns(id, settings.source),
        requires_key: settings.requires_key ? 1 : 0,
        rejected: 0,
        rejected_at: null,
        version: 1,
        created_at: at,
        updated_at: at,
        deleted_at: null,
      };
      await tx.insert('channels', [{ ...row }]);
      await secrets.add(tx, id, at);
      const resource = `channel:${id}`;
      await writeAudit(tx, at, { project, actor, action: 'channel.created', resource, after: audited(row) });
      await tx.notify('channels', project);
      return row;
    });
  const sourceColumns = (id: string, { name, ...settings }: SourceIn) => {
    assertSettings(name, settings);
    return { source: name, source_settings: vault.sealSettings(id, settings) };
  };
  const change = async ({ project, id, headers, actor, action }: Change, edit: Edit): Promise<ChannelRow> => {
    const row = await db.transaction(async (tx) => {
      const at = now();
      const before = await rowForUpdate(tx, project, id);
      expectVersion(headers, before.version);
      const edits = edit(before, at);
      if (!isChange(before, edits)) return before;
      const after = { ...before, ...edits, version: before.version + 1, updated_at: at };
      await write(tx, after);
      const states = { before: audited(before), after: audited(after) };
      await writeAudit(tx, at, { project, actor, action, resource: `channel:${id}`, ...states });
      await tx.notify('channels', project);
      return after;
    });
    clear();
    return row;
  };
  return {
    find: (addressOrId) => found.get(addressOrId),
    secretsOf: (channelId) => secrets.of(channelId),
    async secretsIn(project, channelId) {
      const row = await db.get<ChannelRow>(SELECT_ANY, [project, channelId]);
      return row === undefined ? [] : secrets.named(channelId);
    },
    async channelOf(project, id) {
      const row = await (id === null
        ? db.get<ChannelRow>(SELECT_OLDEST, [project])
        : db.get<ChannelRow>(SELECT, [project, id]));
      return row === undefined ? null : { id: row.id, name: row.name };
    },
    reseal: () => resealAll(db, sealer),
    stop: unlisten,
    routes: [
      bind(listChannels, async ({ params: { project }, query: { limit, cursor }, principal }) => {
        const rows = await db.all<ChannelRow>(SELECT_PAGE, [project, idBefore(cursor), limit + 1]);
        return pageOfRows(rows, limit, (row) => shown(row, principal));
      }),
      bind(createChannel, async ({ params, body, principal }) =>
        versioned(await create(params.project, body, principal.actor), principal),
      ),
      bind(getChannel, async ({ params: { project, channel }, principal }) => {
        const row = await db.get<ChannelRow>(SELECT, [project, channel]);
        if (row === undefined) throw notFound('channel');
        return versioned(row, principal);
      }),
      bind(updateChannel, async ({ params: { project, channel: id }, body, headers, principal }) => {
        const about = { project, id, headers, actor: principal.actor, action: 'channel.updated' };
        const { name, source, requires_key } = body;
        const row = await change(about, () => ({
          ...(name !== undefined && { name }),
          ...(source !== undefined && sourceColumns(id, source)),
          ...(requires_key !== undefined && { requires_key: requires_key ? 1 : 0 }),
        }));
        return versioned(row, principal);
      }),
      bind(renewAddress, async ({ params: { project, channel: id }, headers, principal }) => {
        const about = { project, id, headers, actor: principal.actor, action: 'channel.address_renewed' };
        return versioned(await change(about, () => ({ address: newAddress() })), principal);
      }),
      bind(deleteChannel, async ({ params: { project, channel: id }, headers, principal }) => {
        const about = { project, id, headers, actor: principal.actor, action: 'channel.deleted' };
        // Another address, since the old one must not open it again; the source's secrets have no use any more.
        const gone = { address: newAddress(), source: 'none', source_settings: null };
        await change(about, (_, deleted_at) => ({ ...gone, deleted_at }));
        return undefined;
      }),
      ...secrets.routes,
    ],
  };
}

/** The settings of a new channel. */
interface NewChannel {
  readonly name: string;
  readonly source: SourceIn;
  readonly requires_key: boolean;
}

/** The channel and the author of a change, and the action for the audit log. */
interface Change {
  readonly project: string;
  readonly id: string;
  readonly headers: Headers;
  readonly actor: string;
  readonly action: string;
}

type Edit = (before: ChannelRow, at: number) => Partial<ChannelRow>;

async function rowForUpdate(tx: Queries, project: string, id: string): Promise<ChannelRow> {
  const row = await tx.get<ChannelRow>(SELECT_FOR_UPDATE, [project, id]);
  if (row === undefined) throw notFound('channel');
  return row;
}

async function write(tx: Transaction, row: ChannelRow): Promise<void> {
  const { id, name, address, source, source_settings, requires_key, version, updated_at, deleted_at } = row;
  const values = [id, name, address, source, source_settings, requires_key, version, updated_at, deleted_at];
  await tx.run(UPDATE, values);
}

function assertSettings(name: SourceName, settings: SourceSettings): void {
  const issues = checkSourceSettings(name, settings);
  const [first] = issues;
  if (first === undefined) return;
  throw new Problem('invalid_document', `source: ${first.message}`, {
    issues: issues.map((issue) => ({ ...issue, pointer: `/source${issue.pointer}` })),
  });
}
