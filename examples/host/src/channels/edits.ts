/** Edits of channels: each one transaction, with its entry in the audit log. */
import { randomBytes } from 'node:crypto';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Transaction } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { expectVersion, isChange } from '../http/version.js';
import { checkSourceSettings, type SourceName, type SourceSettings } from '../sources/index.js';
import type { SourceIn } from './routes.js';
import { shownChannel } from './shown.js';
import { type ChannelRow, SELECT_FOR_UPDATE, UPDATE } from './statements.js';
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

/** The settings of a new channel. */
export interface NewChannel {
  readonly name: string;
  readonly source: SourceIn;
  readonly requires_key: boolean;
}

/** The new values of some settings. */
type NewSettings = { readonly [Name in keyof NewChannel]?: NewChannel[Name] | undefined };

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
  update(about: About, settings: NewSettings): Promise<ChannelRow>;
  renewAddress(about: About): Promise<ChannelRow>;
  remove(about: About): Promise<void>;
}

type Edit = (before: ChannelRow, at: number) => Partial<ChannelRow>;

export function createEdits({ db, now, vault, addSecret, changed }: EditParts): Edits {
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
      const edits = edit(before, at);
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
  return {
    create: (project, settings, actor) =>
      db.transaction(async (tx) => {
        const at = now();
        const id = newId(at);
        const row: ChannelRow = {
          ...NEW,
          ...{ id, project_id: project, name: settings.name, address: newAddress() },
          ...sourceColumns(vault, id, settings.source),
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
      }),
    update: (about, { name, source, requires_key }) =>
      change(about, 'channel.updated', () => ({
        ...(name !== undefined && { name }),
        ...(source !== undefined && sourceColumns(vault, about.id, source)),
        ...(requires_key !== undefined && { requires_key: requires_key ? 1 : 0 }),
      })),
    renewAddress: (about) => change(about, 'channel.address_renewed', () => ({ address: newAddress() })),
    async remove(about) {
      // The old address must never open the channel again, and the source's secrets are of no more use.
      const gone = { address: newAddress(), source: 'none', source_settings: null };
      await change(about, 'channel.deleted', (_, deleted_at) => ({ ...gone, deleted_at }));
    },
  };
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
  const { id, name, address, source, source_settings, requires_key, version, updated_at, deleted_at } = row;
  const values = [id, name, address, source, source_settings, requires_key, version, updated_at, deleted_at];
  await tx.run(UPDATE, values);
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
