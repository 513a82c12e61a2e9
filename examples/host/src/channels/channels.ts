/** Channels: where events come in, and what they are signed with. */
import type { z } from 'zod';
import { idBefore, pageOfRows } from '../api/page.js';
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import type { Database, Queries } from '../db/index.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import { isUuid } from '../ids.js';
import { notFound } from '../errors/problem.js';
import { etag } from '../http/version.js';
import type { Sealer } from '../secrets/sealing.js';
import type { IngestChannel, SourceName } from '../sources/index.js';
import { type About, createEdits, type Edits, rowForUpdate } from './edits.js';
import type { NewChannel } from './settings.js';
import {
  type Channel,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  removeSecret,
  renewAddress,
  revealSecrets,
  rotateSecret,
  updateChannel,
} from './routes.js';
import {
  createSigningSecrets,
  type NamedSecret,
  type SigningSecrets,
} from '../signing-secrets/signing-secrets.js';
import { isStandardSecret } from '../secrets/signing-secret.js';
import { shownChannel } from './shown.js';
import {
  type ChannelRow,
  FIND_BY_ADDRESS,
  FIND_BY_ID,
  SELECT,
  SELECT_ANY,
  SELECT_OLDEST,
  SELECT_OLDEST_API,
  SELECT_PAGE,
  SELECT_SECRETS_OF_PROJECT,
  type SecretOfChannelRow,
} from './statements.js';
import { createVault, resealAll, type Resealed, type Vault } from './vault.js';

/** Dependencies of this module. */
export interface ChannelParts {
  readonly db: Database;
  readonly now: () => number;
  readonly sealer: Sealer;
  /** Before `/in/…`, such as `https://hooks.example.com`; without a slash at its end. */
  readonly publicUrl: string;
}

/** A channel by which events are published. */
export type PublishChannel = Pick<IngestChannel, 'id' | 'project' | 'name'>;

/** Channels. */
export interface Channels {
  /** The channel of an address, or of an id; null if it does not exist. At most a second old. */
  find(addressOrId: string): Promise<IngestChannel | null>;
  /** The secrets to sign with now, oldest first, also of a channel that was deleted. At most a second old. */
  secretsOf(channelId: string): Promise<readonly string[]>;
  /**
   * The secrets that sign for a channel of a project now, oldest first, even if it was deleted; none of another one.
   */
  secretsIn(project: string, channelId: string): Promise<readonly NamedSecret[]>;
  /** The name of a channel of the project none of whose secrets Standard Webhooks can use; null without one. */
  unusableIn(queries: Queries, project: string): Promise<string | null>;
  /** The channel of this id, or the oldest one of the project; null if it does not exist. */
  channelOf(
    project: string,
    id: string | null,
  ): Promise<{ readonly id: string; readonly name: string } | null>;
  /** Seals with the newest key what older keys have sealed. To be called once after the start. */
  reseal(): Promise<Resealed>;
  /** Makes the channel of type `api` of a new project. */
  createApi: Edits['createApi'];
  /** Makes that channel for older projects. To be called once after the start. */
  completeProjects: Edits['completeProjects'];
  /** The channel by which a project publishes: the one of this id, or its first. Null if none is of this type. */
  apiChannel(project: string, id: string | null): Promise<PublishChannel | null>;
  stop(): void;
  readonly routes: readonly BoundRoute[];
}

export function createChannels({ db, now, sealer, publicUrl }: ChannelParts): Channels {
  const vault = createVault(sealer);
  const secrets = createSigningSecrets({ db, now, sealer, kind: 'channel', lock: rowForUpdate });
  const found = createFreshCache({
    now,
    load: async (addressOrId: string) => {
      const byAddress = !isUuid(addressOrId);
      const row = await db.get<ChannelRow>(byAddress ? FIND_BY_ADDRESS : FIND_BY_ID, [addressOrId]);
      return row === undefined ? null : ingestChannel(row, byAddress, vault);
    },
  });
  const firstApi = createFreshCache({
    now,
    load: async (project: string) => {
      const row = await db.get<ChannelRow>(SELECT_OLDEST_API, [project]);
      return row === undefined ? null : ingestChannel(row, false, vault);
    },
  });
  const clear = (): void => {
    found.clear();
    firstApi.clear();
    secrets.clear();
  };
  const edits = createEdits({ db, now, vault, addSecret: secrets.add, changed: clear });
  return {
    find: (addressOrId) => found.get(addressOrId),
    secretsOf: (channelId) => secrets.of(channelId),
    async secretsIn(project, channelId) {
      const row = await db.get<ChannelRow>(SELECT_ANY, [project, channelId]);
      return row === undefined ? [] : secrets.named(channelId);
    },
    async unusableIn(queries, project) {
      const rows = await queries.all<SecretOfChannelRow>(SELECT_SECRETS_OF_PROJECT, [project, now()]);
      const usable = new Set(
        rows.filter((row) => isStandardSecret(secrets.open(row))).map((row) => row.owner_id),
      );
      return rows.find((row) => !usable.has(row.owner_id))?.name ?? null;
    },
    async channelOf(project, id) {
      const row = await (id === null
        ? db.get<ChannelRow>(SELECT_OLDEST, [project])
        : db.get<ChannelRow>(SELECT, [project, id]));
      return row === undefined ? null : { id: row.id, name: row.name };
    },
    reseal: () => resealAll(db, sealer),
    createApi: edits.createApi,
    completeProjects: edits.completeProjects,
    async apiChannel(project, id) {
      const channel = await (id === null ? firstApi.get(project) : found.get(id));
      return channel?.project === project && channel.type === 'api' ? channel : null;
    },
    stop: db.listen('channels', clear),
    routes: [...channelRoutes({ db, vault, publicUrl }, edits), ...secretRoutes(secrets)],
  };
}

function ingestChannel(row: ChannelRow, byAddress: boolean, vault: Vault): IngestChannel {
  const { id, project_id: project, name, address, topic_path: topicPath, ordering_path: orderingPath } = row;
  const type = row.type as IngestChannel['type'];
  const settings = vault.openSettings(id, row.source_settings);
  const source = { name: row.source as SourceName, settings };
  const requiresKey = row.requires_key === 1;
  return { id, project, name, address, type, topicPath, orderingPath, byAddress, source, requiresKey };
}

/** The path that events are sent to. */
const pathOf = ({ type, address, project_id: project }: ChannelRow): string =>
  type === 'api' ? `/projects/${project}/events` : `/in/${address}`;

/** The settings of a new channel, with the defaults that its type has. */
const newChannel = (body: z.output<(typeof createChannel)['body']>): NewChannel => ({
  ...body,
  requires_key: body.requires_key ?? body.type === 'api',
});

/** Needed to read and show channels. */
interface ShowParts {
  readonly db: Database;
  readonly vault: Vault;
  readonly publicUrl: string;
}

function channelRoutes({ db, vault, publicUrl }: ShowParts, edits: Edits): readonly BoundRoute[] {
  /** Hides the address, which lets its holder send events, from principals without the scope `manage`. */
  const shown = (row: ChannelRow, { scopes }: Principal): Channel =>
    shownChannel(
      { row, settings: vault.showSettings(row.id, row.source_settings) },
      scopes.has('manage') ? `${publicUrl}${pathOf(row)}` : null,
    );
  const versioned = (row: ChannelRow, principal: Principal): WithHeaders<Channel> =>
    new WithHeaders(shown(row, principal), { etag: etag(row.version) });
  return [
    bind(listChannels, async ({ params: { project }, query: { limit, cursor }, principal }) => {
      const rows = await db.all<ChannelRow>(SELECT_PAGE, [project, idBefore(cursor), limit + 1]);
      return pageOfRows(rows, limit, (row) => shown(row, principal));
    }),
    bind(createChannel, async ({ params, body, principal }) =>
      versioned(await edits.create(params.project, newChannel(body), principal.actor), principal),
    ),
    bind(getChannel, async ({ params: { project, channel }, principal }) => {
      const row = await db.get<ChannelRow>(SELECT, [project, channel]);
      if (row === undefined) throw notFound('channel');
      return versioned(row, principal);
    }),
    bind(updateChannel, async (call) =>
      versioned(await edits.update(aboutOf(call), call.body), call.principal),
    ),
    bind(renewAddress, async (call) => versioned(await edits.renewAddress(aboutOf(call)), call.principal)),
    bind(deleteChannel, async (call) => {
      await edits.remove(aboutOf(call));
      return undefined;
    }),
  ];
}

const secretRoutes = (secrets: SigningSecrets): readonly BoundRoute[] => [
  bind(revealSecrets, (call) => secrets.reveal(ownerOf(call))),
  bind(rotateSecret, (call) => secrets.rotate(ownerOf(call), call.body)),
  bind(removeSecret, (call) => secrets.remove(ownerOf(call), call.params.secret)),
];

const ownerOf = ({
  params: { project, channel: owner },
  principal: { actor },
}: Omit<EditCall, 'headers'>) => ({
  project,
  owner,
  actor,
});

/** The members of a call that edits need. */
interface EditCall {
  readonly params: { readonly project: string; readonly channel: string };
  readonly headers: Headers;
  readonly principal: Principal;
}

const aboutOf = ({ params: { project, channel: id }, headers, principal: { actor } }: EditCall): About => ({
  project,
  id,
  headers,
  actor,
});
