/** The routes of channels and their signing secrets. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, instant, line, pageOf, pageQuery } from '../api/shapes.js';
import { MAX_SECRETS, rotation, signingSecret, signingSecrets } from '../signing-secrets/routes.js';

/** The names of the table of sources, which a browser cannot load; a test compares them. */
export const SOURCE_NAMES = [
  'none',
  'github',
  'stripe',
  'slack',
  'standard_webhooks',
  'headgate',
  'token',
] as const;

const sourceName = z.enum(SOURCE_NAMES);
const channelType = z.enum(['webhook', 'api']);
const orderingPath = line(500)
  .nullable()
  .describe(
    'Path of the ordering key, a string or a number, such as `data.body.order.id`; null: events have none',
  );
const topicPath = line(500)
  .nullable()
  .describe(
    'Path of the topic, such as `data.body.event`; null: as the source says, which for most is `data.body.type`',
  );

/** A channel as the API shows it: the secrets of its source are never shown again. */
export const channel = z.object({
  id: z.string(),
  name: z.string(),
  type: channelType.describe('`webhook` takes requests of providers, `api` events that you publish'),
  /** Null for callers that may not manage, since anyone who knows the address can send, and for the type `api`. */
  address: z.string().nullable(),
  /** The URL that requests are sent to; null like the address. */
  url: z.string().nullable(),
  source: z.object({
    name: sourceName,
    header: z.string().nullable(),
    /** How many there are. */
    secrets: z.number().int(),
  }),
  requires_key: z.boolean(),
  topic_path: z.string().nullable(),
  ordering_path: z.string().nullable(),
  /** Requests that the source has not signed. */
  rejected: z.number().int(),
  rejected_at: instant.nullable(),
  version: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type Channel = z.output<typeof channel>;

const source = z.strictObject({
  name: sourceName,
  /** All secrets: what was there before is replaced. */
  secrets: z.array(z.string().max(1_000)).max(MAX_SECRETS).default([]),
  /** For the source `token`: the header that carries it. */
  header: z.string().max(100).nullable().default(null),
});
export type SourceIn = z.output<typeof source>;

const inChannel = inProject.extend({ channel: id });

export const listChannels = route({
  name: 'listChannels',
  method: 'GET',
  path: '/projects/{project}/channels',
  access: 'read',
  summary: 'Lists the channels of a project, newest first',
  params: inProject,
  query: pageQuery,
  answer: pageOf(channel),
  problems: ['invalid_cursor'],
});

export const createChannel = route({
  name: 'createChannel',
  method: 'POST',
  path: '/projects/{project}/channels',
  access: 'manage',
  summary: 'Creates a channel with a first signing secret and, for webhooks, an address',
  params: inProject,
  body: z.strictObject({
    name: line(200),
    type: channelType.default('webhook'),
    source: source.default({ name: 'none', secrets: [], header: null }),
    requires_key: z.boolean().optional().describe('By default `false`, and always `true` for the type `api`'),
    topic_path: topicPath.default(null),
    ordering_path: orderingPath.default(null),
  }),
  status: 201,
  answer: channel,
  problems: ['invalid_document'],
});

export const getChannel = route({
  name: 'getChannel',
  method: 'GET',
  path: '/projects/{project}/channels/{channel}',
  access: 'read',
  summary: 'Shows a channel',
  params: inChannel,
  answer: channel,
});

export const updateChannel = route({
  name: 'updateChannel',
  method: 'PATCH',
  path: '/projects/{project}/channels/{channel}',
  access: 'manage',
  summary: 'Changes a channel; a source is replaced as a whole, with its secrets',
  params: inChannel,
  body: z
    .strictObject({
      name: line(200),
      source,
      requires_key: z.boolean(),
      topic_path: topicPath,
      ordering_path: orderingPath,
    })
    .partial(),
  answer: channel,
  versioned: true,
  problems: ['invalid_document', 'version_conflict'],
});

export const deleteChannel = route({
  name: 'deleteChannel',
  method: 'DELETE',
  path: '/projects/{project}/channels/{channel}',
  access: 'manage',
  summary: 'Deletes a channel: nothing comes in any more, and what has come in is still delivered',
  params: inChannel,
  status: 204,
  versioned: true,
  problems: ['conflict', 'version_conflict'],
});

export const renewAddress = route({
  name: 'renewAddress',
  method: 'POST',
  path: '/projects/{project}/channels/{channel}/address',
  access: 'manage',
  summary: 'Gives a channel another address; the old one is closed',
  params: inChannel,
  answer: channel,
  versioned: true,
  problems: ['conflict', 'version_conflict'],
});

export const revealSecrets = route({
  name: 'revealSecrets',
  method: 'GET',
  path: '/projects/{project}/channels/{channel}/secrets',
  access: 'manage',
  summary: 'Shows the signing secrets of a channel, oldest first; each showing is in the audit log',
  params: inChannel,
  answer: signingSecrets,
});

export const rotateSecret = route({
  name: 'rotateSecret',
  method: 'POST',
  path: '/projects/{project}/channels/{channel}/secrets',
  access: 'manage',
  summary: 'Adds a signing secret; those before it sign for another 24 hours, or as long as is given',
  params: inChannel,
  body: rotation,
  status: 201,
  answer: signingSecret,
  problems: ['conflict', 'invalid_document'],
});

export const removeSecret = route({
  name: 'removeSecret',
  method: 'DELETE',
  path: '/projects/{project}/channels/{channel}/secrets/{secret}',
  access: 'manage',
  summary: 'Removes a signing secret that was replaced, at once',
  params: inChannel.extend({ secret: id }),
  status: 204,
  problems: ['conflict'],
});

/** All routes of this module. */
export const channelRoutes = {
  ...{ listChannels, createChannel, getChannel, updateChannel, deleteChannel, renewAddress },
  ...{ revealSecrets, rotateSecret, removeSecret },
};
