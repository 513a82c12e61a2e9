/** Edits of channels: each one transaction, with its entry in the audit log. */
import { randomBytes } from 'node:crypto';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Transaction } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { expectVersion, isChange } from '../http/version.js';
import {
  checkSourceSettings,
  type SourceName,
  type SourceSettings,
  channelPathProblem,
} from '../sources/index.js';
import type { SourceIn } from './routes.js';
import type { NewChannel } from './settings.js';
import { shownChannel } from './shown.js';
import { type ChannelRow, SELECT_FOR_UPDATE, UPDATE } from './statements.js';
import { API_CHANNEL, assertHasOtherApi, completeProjects } from './api-channels.js';
import type { Vault } from './vault.js';

/** Dependencies and callbacks of edits. */
export interface EditParts {
  readonly db: Database;
  readonly now: () => number;
  readonly vault: Vault;
  /** Adds a signing secret to a new channel. */
  readonly addSecret: (tx: Queries, channel: string, at: number) => Promise<unknown>;
  /** Called after each change. */
  readonly changed: () => void;
}

/** The new values of some settings. */
type NewSettings = { readonly [Name in Exclude<keyof NewChannel, 'type'>]?: NewChannel[Name] | undefined };

/** The channel and the author of a change. */
export interface About {
  readonly project: string;
  readonly id: string;
  readonly headers: Headers;
  readonly actor: string;
}

/** Edits. */
export interface Edits {
  create(project: string, settings: NewChannel, actor: string): Promise<ChannelRow>;
  /** Makes the channel by which the owner of a new project publishes events. */
  createApi(tx: Transaction, project: string, actor: string): Promise<ChannelRow>;
  /** Makes that channel for the projects that have none, which are older than such channels. */
  completeProjects(): Promise<void>;
  update(about: About, settings: NewSettings): Promise<ChannelRow>;
  renewAddress(about: About): Promise<ChannelRow>;
  remove(about: About): Promise<void>;
}

type Edit = (
  before: ChannelRow,
  at: number,
  tx: Transaction,
) => Partial<ChannelRow> | Promise<Partial<ChannelRow>>;

export function createEdits(parts: EditParts): Edits {
  const { db, now, vault, changed } = parts;
  /** The channel as the audit log shows it: without its address. */
  const audited = (row: ChannelRow) =>
    shownChannel({ row, settings: vault.showSettings(row.id, row.source_settings) }, null);
  const change = async (
    { project, id, headers, actor }: About,
    action: string,
    edit: Edit,
  ): Promise<ChannelRow> => {
    const row = await db.transaction(async (tx) => {
      const at = now();
      const before = await rowForUpdate(tx, project, id);
      expectVersion(headers, before.version);
      const edits = await edit(before, at, tx);
      if (!isChange(before, edits)) return before;
      const after = { ...before, ...edits, version: before.version + 1, updated_at: at };
      await write(tx, after);
      const states = { before: audited(before), after: audited(after) };
      await writeAudit(tx, at, { project, actor, action, resource: `channel:${id}`, ...states });
      await tx.notify('channels', project);
      return after;
    });
    changed();
    return row;
  };
  const insert = inserting(parts, audited);
  const createApi: Edits['createApi'] = (tx, project, actor) => insert(tx, project, API_CHANNEL, actor);
  return {
    create: (project, settings, actor) => db.transaction((tx) => insert(tx, project, settings, actor)),
    createApi,
    completeProjects: () => completeProjects(db, createApi),
    update: (about, { name, source, requires_key, topic_path, ordering_path }) =>
      change(about, 'channel.updated', ({ type }) => {
        assertFits(type, { source, requires_key, topic_path, ordering_path });
        return {
          ...(name !== undefined && { name }),
          ...(source !== undefined && sourceColumns(vault, about.id, source)),
          ...(requires_key !== undefined && { requires_key: requires_key ? 1 : 0 }),
          ...(topic_path !== undefined && { topic_path }),
          ...(ordering_path !== undefined && { ordering_path }),
        };
      }),
    renewAddress: (about) =>
      change(about, 'channel.address_renewed', ({ type }) => {
        if (type === 'api') throw new Problem('conflict', 'a channel of type api has no address');
        return { address: newAddress() };
      }),
    async remove(about) {
      // The old address must never open the channel again, and the source's secrets are of no more use.
      const gone = { address: newAddress(), source: 'none', source_settings: null };
      await change(about, 'channel.deleted', async ({ type, project_id }, deleted_at, tx) => {
        if (type === 'api') await assertHasOtherApi(tx, project_id, about.id);
        return { ...gone, deleted_at };
      });
    },
  };
}

/** Makes a channel with its first signing secret. */
const inserting =
  ({ now, vault, addSecret }: EditParts, audited: (row: ChannelRow) => object) =>
  async (tx: Transaction, project: string, settings: NewChannel, actor: string): Promise<ChannelRow> => {
    const at = now();
    const id = newId(at);
    assertFits(settings.type, settings);
    const row: ChannelRow = {
      ...NEW,
      ...{ id, project_id: project, name: settings.name, address: newAddress(), type: settings.type },
      ...sourceColumns(vault, id, settings.source),
      topic_path: settings.topic_path,
      ordering_path: settings.ordering_path,
      requires_key: settings.requires_key ? 1 : 0,
      created_at: at,
      updated_at: at,
    };
    await tx.insert('channels', [{ ...row }]);
    await addSecret(tx, id, at);
    const entry = { project, actor, action: 'channel.created', resource: `channel:${id}` };
    await writeAudit(tx, at, { ...entry, after: audited(row) });
    await tx.notify('channels', project);
    return row;
  };

/**
 * @throws Problem `invalid_document` for a topic path that cannot be read, and for settings that the type has no use
 *   for.
 */
function assertFits(type: string, { source, requires_key, ...paths }: NewSettings): void {
  const ofApi =
    'a channel of type api has no use for it: events are published with a key, and name their type';
  const ofPaths = (['topic_path', 'ordering_path'] as const).flatMap((name) => {
    const path = paths[name] ?? null;
    const problem = path === null ? null : type === 'api' ? ofApi : channelPathProblem(path);
    return problem === null ? [] : [[name, problem] as const];
  });
  const issues = [
    ...(type === 'api' && source !== undefined && source.name !== 'none' ? [['source', ofApi] as const] : []),
    ...(type === 'api' && requires_key === false
      ? [['requires_key', 'events are published with a key'] as const]
      : []),
    ...ofPaths,
  ].map(([name, message]) => ({ code: 'invalid_value', pointer: `/${name}`, message }));
  const [first] = issues;
  if (first === undefined) return;
  throw new Problem('invalid_document', `${first.pointer.slice(1)}: ${first.message}`, { issues });
}

/** Values that all new channels have. */
const NEW = { rejected: 0, rejected_at: null, version: 1, deleted_at: null } as const;

/** 128 random bits. */
const newAddress = (): string => randomBytes(16).toString('hex');

/** Locks the row of a channel. */
export async function rowForUpdate(tx: Queries, project: string, id: string): Promise<ChannelRow> {
  const row = await tx.get<ChannelRow>(SELECT_FOR_UPDATE, [project, id]);
  if (row === undefined) throw notFound('channel');
  return row;
}

async function write(tx: Transaction, row: ChannelRow): Promise<void> {
  const { id, name, address, source, source_settings, requires_key } = row;
  const { version, updated_at, deleted_at, topic_path, ordering_path } = row;
  const values = [id, name, address, source, source_settings, requires_key];
  await tx.run(UPDATE, [...values, version, updated_at, deleted_at, topic_path, ordering_path]);
}

function sourceColumns(vault: Vault, id: string, { name, ...settings }: SourceIn) {
  assertSettings(name, settings);
  return { source: name, source_settings: vault.sealSettings(id, settings) };
}

function assertSettings(name: SourceName, settings: SourceSettings): void {
  const issues = checkSourceSettings(name, settings);
  const [first] = issues;
  if (first === undefined) return;
  throw new Problem('invalid_document', `source: ${first.message}`, {
    issues: issues.map((issue) => ({ ...issue, pointer: `/source${issue.pointer}` })),
  });
}
