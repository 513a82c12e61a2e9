/** The routes of SDK clients. The stream itself is a WebSocket at `/projects/{project}/stream`: see docs/clients.md. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { inProject, instant, pageOf, pageQuery } from '../api/shapes.js';

const name = z.string().regex(/^[A-Za-z0-9._-]{1,100}$/);
const ofClient = inProject.extend({ client: name });

/** A name and its cursor in the log. */
export const client = z.object({
  name,
  position: z.number().int().describe('Acknowledged up to this position of the log'),
  head: z.number().int().describe('The last position of the log'),
  behind: z.number().int().describe('Entries of the log that are not acknowledged'),
  behind_since: instant.nullable().describe('When the oldest of them came; null if there is none'),
  connected: z.boolean(),
  connected_at: instant.nullable(),
  seen_at: instant,
  created_at: instant,
});
export type Client = z.output<typeof client>;

export const listClients = route({
  name: 'listClients',
  method: 'GET',
  path: '/projects/{project}/clients',
  access: 'read',
  summary: 'Lists the names of SDK clients with their cursors in the log, by name',
  params: inProject,
  query: pageQuery,
  answer: pageOf(client),
  problems: ['invalid_cursor'],
});

export const getClient = route({
  name: 'getClient',
  method: 'GET',
  path: '/projects/{project}/clients/{client}',
  access: 'read',
  summary: 'Shows an SDK client',
  params: ofClient,
  answer: client,
});

export const deleteClient = route({
  name: 'deleteClient',
  method: 'DELETE',
  path: '/projects/{project}/clients/{client}',
  access: 'manage',
  summary: 'Forgets the cursor of an SDK client',
  description: 'A client that connects with the name afterwards is new. One that is connected is closed.',
  params: ofClient,
  status: 204,
});

/** All routes of this module. */
export const clientRoutes = { listClients, getClient, deleteClient };
