/** The table of routes as an OpenAPI 3.1 document. */
import type { z } from 'zod';
import { type ProblemCode, PROBLEMS } from '../errors/problem.js';
import { problemsByStatus, statusOf } from './declared.js';
import { type JsonSchema, jsonSchemaOf, rebased } from './json-schema.js';
import type { RouteDefinition } from './route.js';

/** Routes that belong together, under a title. */
export type RouteGroups = Readonly<Record<string, Readonly<Record<string, RouteDefinition>>>>;

/** The content of a document. */
export interface OpenApiParts {
  readonly groups: RouteGroups;
  /** Schemas that routes refer to as `#/$defs/<name>`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The version of the service. */
  readonly version: string;
}

/** An OpenAPI document; the members that the service itself reads. */
export interface OpenApiDocument extends JsonSchema {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema;
}

/** An operation; the members that tests read. */
export interface Operation extends JsonSchema {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

const COMPONENTS = '#/components/schemas/';
const INFO = `Webhooks in, rules, signed deliveries out. Every error is a problem (RFC 9457) with a \`code\`. SDK clients read
events over a WebSocket at \`/projects/{project}/stream\`, which this document cannot describe.`;

const SECURITY_SCHEMES = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of the project: `Authorization: Bearer hg_key_…`. The scope manage includes read.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-headgate',
    description: 'A session; see signIn. On this machine without TLS the cookie is named `headgate`.',
  },
  portal: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-headgate-portal',
    description:
      'A session of the portal with this role; owner includes viewer. Requests need the header `Headgate-Portal`, too. See createPortalLink.',
  },
  operator: { type: 'http', scheme: 'bearer', description: "The operator's key." },
} as const;

/** The members that all problems have. */
const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'RFC 9457; some codes have further members.',
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'Where the reference page describes the code: `/reference#problem-<code>`',
    },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { enum: Object.keys(PROBLEMS) },
    detail: { type: 'string', description: 'What is wrong, where, and what to do' },
    request_id: { type: 'string', description: 'It is in the log of the service, too' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          code: { type: 'string' },
          pointer: { type: 'string', description: 'RFC 6901, into the part of the request that is wrong' },
          message: { type: 'string' },
        },
        required: ['code', 'pointer', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
};

/** The document of a table. */
export function openApi({ groups, schemas, version }: OpenApiParts): OpenApiDocument {
  const named: Record<string, JsonSchema> = { ...schemas, problem: PROBLEM };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [group, routes] of Object.entries(groups)) {
    for (const route of Object.values(routes)) {
      (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, group, named);
    }
  }
  const document = {
    openapi: '3.1.1',
    info: { title: 'Headgate', version, description: INFO, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: Object.keys(groups).map((name) => ({ name })),
    paths,
    components: { schemas: named, securitySchemes: SECURITY_SCHEMES },
  };
  return rebased(document, COMPONENTS);
}

function operation(route: RouteDefinition, group: string, named: Record<string, JsonSchema>): Operation {
  const { name, summary, description, body } = route;
  const schema = (type: z.ZodType, side: 'in' | 'out'): JsonSchema => {
    const made = jsonSchemaOf(type, side);
    Object.assign(named, made.named);
    return made.schema;
  };
  return {
    operationId: name,
    tags: [group],
    summary,
    ...(description !== undefined && { description }),
    security: security(route),
    parameters: [
      ...parameters('path', schema(route.params, 'in')),
      ...(route.query === undefined ? [] : parameters('query', schema(route.query, 'in'))),
      ...headersIn(route),
    ],
    ...(body !== undefined && {
      requestBody:
        body === 'raw'
          ? { content: { '*/*': {} } }
          : {
              required: !body.safeParse(undefined).success,
              content: { 'application/json': { schema: schema(body, 'in') } },
            },
    }),
    responses: { ...success(route, schema), ...problems(route) },
  };
}

function security({ access, portal }: RouteDefinition): readonly JsonSchema[] {
  if (access === 'anybody') return [];
  if (access === 'admin') return [{ operator: [] }];
  const isForPeople = access === 'read' || access === 'manage';
  return [
    ...[{ key: [access] }, { operator: [] }],
    ...(isForPeople ? [{ session: [access] }] : []),
    ...(portal === undefined ? [] : [{ portal: [portal] }]),
  ];
}

function parameters(where: 'path' | 'query', schema: JsonSchema): readonly JsonSchema[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: of,
  }));
}

const HEADERS = {
  versioned: ['If-Match', 'The ETag that was read: where the resource has changed since, nothing is done'],
  idempotent: [
    'Idempotency-Key',
    '1 to 255 visible ASCII characters: a repeated request within 24 hours does nothing more',
  ],
  cached: ['If-None-Match', 'The ETag of an earlier answer'],
} as const;

const headersIn = (route: RouteDefinition): readonly JsonSchema[] =>
  Object.entries(HEADERS)
    .filter(([member]) => route[member as keyof typeof HEADERS] === true)
    .map(([, [name, description]]) => ({ name, in: 'header', description, schema: { type: 'string' } }));

function success(
  route: RouteDefinition,
  schema: (type: z.ZodType, side: 'out') => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const { answer, produces, events, cached } = route;
  const content = {
    ...(answer !== undefined && { 'application/json': { schema: schema(answer, 'out') } }),
    ...(produces !== undefined && { [produces]: {} }),
    ...(events !== undefined && { 'text/event-stream': { schema: eventStream(events) } }),
  };
  const done = {
    description: 'Success',
    ...(route.versioned === true &&
      answer !== undefined && { headers: { ETag: { schema: { type: 'string' } } } }),
    ...(Object.keys(content).length > 0 && { content }),
  };
  return {
    ...(route.alsoStatus !== undefined && { [route.alsoStatus]: done }),
    [statusOf(route)]: done,
    ...(route.anyStatus === true && { default: { ...done, description: 'The status that was chosen' } }),
    ...(cached === true && { 304: { description: 'The caller has this answer already' } }),
  };
}

/** OpenAPI 3.1 has no schema for a stream, so the events are described. */
const eventStream = (events: Readonly<Record<string, string>>): JsonSchema => ({
  type: 'string',
  description: `Server-sent events. ${Object.entries(events)
    .map(([name, content]) => `\`${name}\`: ${content}.`)
    .join(' ')}`,
});

const problems = (route: RouteDefinition): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    [...problemsByStatus(route)].map(([status, codes]) => [status, problemResponse(status, codes)]),
  );

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds', schema: { type: 'string' } },
};

const problemResponse = (status: number, codes: readonly ProblemCode[]): JsonSchema => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}`).join('. '),
  ...((status === 503 || status === 429) && { headers: RETRY_AFTER }),
  content: {
    'application/problem+json': {
      schema: { allOf: [{ $ref: '#/$defs/problem' }, { properties: { code: { enum: codes } } }] },
    },
  },
});
