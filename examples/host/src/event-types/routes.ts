/** The routes of event types: the catalog of what a project publishes. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { inProject, instant, line, pageOf, pageQuery } from '../api/shapes.js';
import { publishedType } from '../ingest/routes.js';

/** Most event types of a project. */
export const MAX_EVENT_TYPES = 1_000;
/** Most bytes of the JSON of a schema, and of an example. */
export const MAX_SCHEMA_BYTES = 65_536;

/** A path may name a type that could not be published: it does not exist. */
const inType = inProject.extend({ type: z.string().regex(/^[\w.-]{1,128}$/) });

const description = line(1_000);
const document = z.looseObject({});

/** An event type in a list. */
export const eventTypeItem = z.object({
  name: z.string(),
  description: z.string().nullable(),
  /** Events of this type can still be published; the pages advise against using it. */
  deprecated: z.boolean(),
  /** Whether publishing checks `data` against the schema. */
  strict: z.boolean(),
  has_schema: z.boolean(),
  version: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type EventTypeItem = z.output<typeof eventTypeItem>;

/** An event type as the API shows it. */
export const eventType = eventTypeItem.extend({
  schema: document.nullable().describe('JSON Schema 2020-12 of `data`'),
  example: document.nullable().describe('An example of `data`'),
});
export type EventType = z.output<typeof eventType>;

const settings = z.strictObject({
  description: description.nullable(),
  schema: document
    .nullable()
    .describe('JSON Schema 2020-12 of `data`, at most 64 KiB; `pattern` is RE2, as in rules'),
  example: document.nullable().describe('An example of `data`, at most 64 KiB; it must match the schema'),
  deprecated: z.boolean(),
  strict: z.boolean().describe('Refuse events of this type whose `data` does not match the schema'),
});

export const listEventTypes = route({
  name: 'listEventTypes',
  method: 'GET',
  path: '/projects/{project}/event-types',
  access: 'read',
  summary: 'Lists the event types of a project, by name',
  params: inProject,
  query: pageQuery,
  answer: pageOf(eventTypeItem),
  problems: ['invalid_cursor'],
});

export const createEventType = route({
  name: 'createEventType',
  method: 'POST',
  path: '/projects/{project}/event-types',
  access: 'manage',
  summary: 'Adds an event type to the catalog',
  description: `The catalog describes what a project publishes; events of types that it does not list can be published, too.
Only with \`strict\` is the \`data\` of published events checked against the schema. A project has at most ${MAX_EVENT_TYPES} types.`,
  params: inProject,
  body: z.strictObject({
    name: publishedType,
    description: settings.shape.description.default(null),
    schema: settings.shape.schema.default(null),
    example: settings.shape.example.default(null),
    deprecated: settings.shape.deprecated.default(false),
    strict: settings.shape.strict.default(false),
  }),
  status: 201,
  answer: eventType,
  problems: ['conflict', 'invalid_document', 'too_many_requests', 'overloaded'],
});

export const getEventType = route({
  name: 'getEventType',
  method: 'GET',
  path: '/projects/{project}/event-types/{type}',
  access: 'read',
  summary: 'Shows an event type with its schema and its example',
  params: inType,
  answer: eventType,
});

export const updateEventType = route({
  name: 'updateEventType',
  method: 'PATCH',
  path: '/projects/{project}/event-types/{type}',
  access: 'manage',
  summary: 'Changes an event type; holds for events that are published from now on',
  params: inType,
  body: settings.partial(),
  answer: eventType,
  versioned: true,
  problems: ['conflict', 'invalid_document', 'too_many_requests', 'overloaded'],
});

export const deleteEventType = route({
  name: 'deleteEventType',
  method: 'DELETE',
  path: '/projects/{project}/event-types/{type}',
  access: 'manage',
  summary: 'Removes an event type from the catalog; its events can still be published, without a check',
  params: inType,
  status: 204,
  versioned: true,
});

/** All routes of this module. */
export const eventTypeRoutes = {
  ...{ listEventTypes, createEventType, getEventType, updateEventType, deleteEventType },
};
