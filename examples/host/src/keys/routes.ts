/** The routes of keys and sessions. */
import { z } from 'zod';
import { PORTAL_ROLES, route, SCOPES } from '../api/route.js';
import { id, inProject, instant, line, pageOf, pageQuery } from '../api/shapes.js';

const scope = z.enum(SCOPES);

/** A key as the API shows it: never the key itself. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The end of the key, by which its owner recognises it. */
  last_four: z.string(),
  scopes: z.array(scope),
  created_at: instant,
  created_by: z.string(),
  created_by_name: z
    .string()
    .nullable()
    .describe('The name of the key that made it, itself or by a session; null for all others'),
  last_used_at: instant.nullable(),
  revoked_at: instant.nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

/** The principal of a request. */
export const session = z.object({
  /** Null for the operator of the service. */
  project: z.string().nullable(),
  scopes: z.array(scope),
  /** As it is in the audit log. */
  actor: z.string(),
  portal: z
    .enum(PORTAL_ROLES)
    .nullable()
    .describe('The role of a session of the portal; null for all others'),
  /** Null for a key. */
  expires_at: instant.nullable(),
});
export type Session = z.output<typeof session>;

const inKey = inProject.extend({ key: id });
/** Longer than any key, and short enough to be hashed. */
const MAX_KEY_LENGTH = 200;

export const listKeys = route({
  name: 'listKeys',
  method: 'GET',
  path: '/projects/{project}/keys',
  access: 'manage',
  summary: 'Lists the keys of a project, newest first, also those that were revoked',
  params: inProject,
  query: pageQuery,
  answer: pageOf(apiKey),
  problems: ['invalid_cursor'],
});

export const createKey = route({
  name: 'createKey',
  method: 'POST',
  path: '/projects/{project}/keys',
  access: 'manage',
  summary: 'Creates a key, and shows it this once',
  params: inProject,
  body: z.strictObject({
    name: line(100),
    scopes: z
      .array(scope)
      .min(1)
      .max(SCOPES.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'each scope once'),
  }),
  status: 201,
  answer: apiKey.extend({ key: z.string() }),
});

export const revokeKey = route({
  name: 'revokeKey',
  method: 'DELETE',
  path: '/projects/{project}/keys/{key}',
  access: 'manage',
  summary: 'Revokes a key, and ends all sessions that were begun with it',
  description: 'Holds in every process within two seconds. A key that was revoked stays in the list.',
  params: inKey,
  status: 204,
});

export const signIn = route({
  name: 'signIn',
  method: 'POST',
  path: '/session',
  access: 'anybody',
  summary: 'Begins a session with a key that may read or manage, or with a one-time token',
  description: 'The session is a cookie. It ends after seven days, or when its key is revoked.',
  params: z.object({}),
  body: z
    .strictObject({
      key: z.string().max(MAX_KEY_LENGTH).optional(),
      token: z.string().max(MAX_KEY_LENGTH).optional(),
    })
    .refine(({ key, token }) => (key === undefined) !== (token === undefined), 'give a key or a token'),
  // Anybody may send it, and a key is short.
  maxBytes: 1_024,
  status: 201,
  answer: session,
  problems: ['unauthorized', 'forbidden', 'cross_origin'],
});

export const getSession = route({
  name: 'getSession',
  method: 'GET',
  path: '/session',
  access: 'anybody',
  summary: 'Shows who makes the request',
  params: z.object({}),
  answer: session,
  problems: ['unauthorized'],
});

export const signOut = route({
  name: 'signOut',
  method: 'DELETE',
  path: '/session',
  access: 'anybody',
  summary: 'Ends the session of the cookie',
  params: z.object({}),
  status: 204,
  problems: ['cross_origin'],
});

export const endSessions = route({
  name: 'endSessions',
  method: 'DELETE',
  path: '/projects/{project}/sessions',
  access: 'manage',
  summary: 'Ends all sessions of a project, those of the portal too, and takes back its unused links',
  params: inProject,
  answer: z.object({ ended: z.number().int() }),
});

/** Seconds. A link is opened at once, so an hour is long. */
const LINK_SECONDS = 3_600;
const MAX_LINK_SECONDS = 86_400;

export const createPortalLink = route({
  name: 'createPortalLink',
  method: 'POST',
  path: '/projects/{project}/portal-links',
  access: 'manage',
  summary: 'Creates an address that begins one session of the portal, for a customer',
  description:
    'Give the `url` to the browser of the customer, best in a frame; see docs/portal.md. The session has a cookie of its own and ends ' +
    'after a day, or when the key that has made the link is revoked.',
  params: inProject,
  body: z.strictObject({
    role: z
      .enum(PORTAL_ROLES)
      .describe(
        '`viewer` reads endpoints, events and attempts; `owner` also changes endpoints and their own secrets, tests, redelivers and replays',
      ),
    name: line(200).nullable().default(null).describe('The person that it is for, for the audit log'),
    expires_in: z
      .number()
      .int()
      .min(1)
      .max(MAX_LINK_SECONDS)
      .default(LINK_SECONDS)
      .describe('Seconds within which the address must be opened'),
  }),
  status: 201,
  answer: z.object({
    id: z.string().describe('The actor of its session in the audit log is `portal:<id>`'),
    url: z.string(),
    role: z.enum(PORTAL_ROLES),
    expires_at: instant,
  }),
});

/** All routes of this module. */
export const keyRoutes = {
  ...{ listKeys, createKey, revokeKey, signIn, getSession, signOut, endSessions },
  createPortalLink,
};
