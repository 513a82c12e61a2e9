/** The routes of receivers. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, instant, line, pageOf, pageQuery } from '../api/shapes.js';

/** Most requests of a receiver that are kept: an older one falls out as a new one comes. */
export const KEPT_REQUESTS = 50;
/** Most bytes of a body that are kept. */
export const KEPT_BYTES = 65_536;
/** Longer than any sender waits, so that a time-out can be seen. */
const MAX_DELAY_MS = 12_000;

const statusCode = z.number().int().min(200).max(599);
const delay = z.number().int().min(0).max(MAX_DELAY_MS);

/** A receiver as the API shows it. */
export const receiver = z.object({
  id: z.string(),
  name: z.string(),
  /** The URL that requests are sent to. Anyone who knows it can send. */
  url: z.string(),
  /** The status of its answers. */
  status_code: statusCode,
  /** How long it waits before it answers. */
  delay_ms: delay,
  /** Requests that were kept, also those that have fallen out: a list of them is new where this number is. */
  arrived: z.number().int(),
  arrived_at: instant.nullable(),
  version: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type Receiver = z.output<typeof receiver>;

/** Why a request is not verified: the codes of the library's verifier, and two of this host. */
export const REASONS = [
  'missing_header',
  'malformed_header',
  'timestamp_mismatch',
  'timestamp_too_old',
  'timestamp_in_future',
  'signature_mismatch',
  'unknown_channel',
  'body_too_large',
] as const;

/** Whether one of the project's channels has signed a request, as it was judged when it arrived. */
export const verdict = z.object({
  ok: z.boolean(),
  /** Null if it is verified. */
  code: z.enum(REASONS).nullable(),
  message: z.string().nullable(),
  /** The channel of this project that the body names; null if it names none. */
  channel_id: z.string().nullable(),
  /** The secrets of that channel whose signatures fit: several while one replaces another. */
  secret_ids: z.array(z.string()),
  /** The time of the signature. */
  signed_at: instant.nullable(),
});
export type Verdict = z.output<typeof verdict>;

/** A request that a receiver has kept. */
export const receivedRequest = z.object({
  id: z.string(),
  received_at: instant,
  /** As they came, in order and with repeats. Cookies and credentials are withheld. */
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** As text, with U+FFFD for bytes that are not UTF-8. */
  body: z.string(),
  /** Size of the whole body. */
  body_bytes: z.number().int(),
  /** True if only the beginning is kept. */
  body_cut: z.boolean(),
  /** The status of the answer. */
  status_code: z.number().int(),
  /** From its header, where the request is verified; which event the request is about, the signed body tells. */
  event_id: z.string().nullable(),
  verdict,
});
export type ReceivedRequest = z.output<typeof receivedRequest>;

const inReceiver = inProject.extend({ receiver: id });

export const listReceivers = route({
  name: 'listReceivers',
  method: 'GET',
  path: '/projects/{project}/receivers',
  access: 'read',
  summary: 'Lists the receivers of a project, newest first',
  params: inProject,
  query: pageQuery,
  answer: pageOf(receiver),
  problems: ['invalid_cursor'],
});

export const createReceiver = route({
  name: 'createReceiver',
  method: 'POST',
  path: '/projects/{project}/receivers',
  access: 'manage',
  summary: 'Creates a receiver: a URL that keeps what arrives, for people who have no URL yet',
  description:
    'Create an endpoint with its URL. Deliveries to it stay within the service, so they reach it wherever that is.',
  params: inProject,
  body: z.strictObject({
    name: line(200),
    status_code: statusCode.default(200),
    delay_ms: delay.default(0),
  }),
  status: 201,
  answer: receiver,
  problems: ['conflict'],
});

export const getReceiver = route({
  name: 'getReceiver',
  method: 'GET',
  path: '/projects/{project}/receivers/{receiver}',
  access: 'read',
  summary: 'Shows a receiver; its `arrived` changes when new requests arrive',
  params: inReceiver,
  answer: receiver,
});

export const updateReceiver = route({
  name: 'updateReceiver',
  method: 'PATCH',
  path: '/projects/{project}/receivers/{receiver}',
  access: 'manage',
  summary: 'Tells a receiver what to answer, and how late',
  params: inReceiver,
  body: z.strictObject({ name: line(200), status_code: statusCode, delay_ms: delay }).partial(),
  answer: receiver,
  versioned: true,
});

export const deleteReceiver = route({
  name: 'deleteReceiver',
  method: 'DELETE',
  path: '/projects/{project}/receivers/{receiver}',
  access: 'manage',
  summary: 'Deletes a receiver with all that it has kept; from then on its URL is not found',
  params: inReceiver,
  status: 204,
  versioned: true,
});

export const listReceivedRequests = route({
  name: 'listReceivedRequests',
  method: 'GET',
  path: '/projects/{project}/receivers/{receiver}/requests',
  access: 'read',
  summary: 'Lists the last requests of a receiver, newest first, each verified or with the reason why not',
  params: inReceiver,
  query: pageQuery,
  answer: pageOf(receivedRequest),
  problems: ['invalid_cursor'],
});

export const receive = route({
  name: 'receive',
  method: 'POST',
  path: '/receive/{token}',
  access: 'anybody',
  summary: 'Keeps a request for the people who watch the receiver',
  description: `Answered with the status that the receiver was told to answer with, and as late. Bodies may have 256 KiB. A
receiver takes five requests a second, and 25 at once; more are \`too_many_requests\`.`,
  params: z.object({ token: z.string().regex(/^[\da-f]{32}$/) }),
  body: 'raw',
  maxBytes: 262_144,
  produces: 'text/plain; charset=utf-8',
  anyStatus: true,
  problems: ['too_many_requests'],
});

/** All routes of this module. */
export const receiverRoutes = {
  ...{ listReceivers, createReceiver, getReceiver, updateReceiver, deleteReceiver },
  ...{ listReceivedRequests, receive },
};
