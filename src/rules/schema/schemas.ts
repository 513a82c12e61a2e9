/**
 * JSON Schemas of a rule, node by node. Each says all there is to say about one object and nothing
 * about the objects below it, so that a tree of any depth is checked by a loop over its nodes.
 * `description` completes the sentence "must be …" in the messages made from these schemas.
 */
import { forms, idleForms, type Form, type LeafName } from '../operators/index.js';
import type { NodeSchema } from './problems.js';

const text = (description: string) => ({ type: 'string', description });

const path = text('a path such as data.body.action');

/** The schema of an object with these members and no other. */
export const object = <P extends object, R extends readonly (keyof P & string)[]>(
  properties: P,
  required: R,
) => ({ type: 'object', properties, required, additionalProperties: false }) as const;

const anyValue = { description: 'any JSON value' };

function leafSchema(form: Form) {
  const { value, operators } = form;
  const names = Object.keys(operators);
  const op = { enum: names, description: `one of ${names.join(', ')}` };
  return object({ path, op, value }, idleForms.includes(form) ? ['path', 'op'] : ['path', 'op', 'value']);
}

/** The leaves, one for each kind of value. */
export const leafSchemas = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ forms.map((form) => [form.name, leafSchema(form)]),
) as Readonly<Record<LeafName, ReturnType<typeof leafSchema>>>;

/** The four actions. */
export const actionSchemas = {
  drop: object({ type: { const: 'drop' } }, ['type']),
  transform: object(
    {
      type: { const: 'transform' },
      ops: { type: 'array', minItems: 1, maxItems: 100, description: 'an array of 1 to 100 ops' },
    },
    ['type', 'ops'],
  ),
  route_only: object(
    {
      type: { const: 'route_only' },
      endpoint_ids: {
        type: 'array',
        minItems: 1,
        maxItems: 1_000,
        description: 'an array of 1 to 1,000 endpoint UUIDs',
        items: {
          type: 'string',
          pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
          description: 'a UUID such as 3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10',
        },
      },
    },
    ['type', 'endpoint_ids'],
  ),
  tag: object(
    {
      type: { const: 'tag' },
      tags: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        description: 'an array of 1 to 50 tags',
        items: { type: 'string', minLength: 1, maxLength: 100, description: 'text of 1 to 100 characters' },
      },
    },
    ['type', 'tags'],
  ),
} as const;

/** The five ops of a transform. */
export const opSchemas = {
  set: object({ op: { const: 'set' }, path, value: anyValue }, ['op', 'path', 'value']),
  redact: object(
    {
      op: { const: 'redact' },
      path,
      regex: text('an RE2 pattern'),
      replace: { type: 'string', maxLength: 1_000, description: 'a string of at most 1,000 characters' },
      deep: { type: 'boolean', description: 'true or false' },
    },
    ['op', 'path', 'regex', 'replace'],
  ),
  uppercase: object({ op: { const: 'uppercase' }, path }, ['op', 'path']),
  lowercase: object({ op: { const: 'lowercase' }, path }, ['op', 'path']),
  trim: object({ op: { const: 'trim' }, path }, ['op', 'path']),
} as const;

/** The schema of a group's children. */
export const children = {
  type: 'array',
  minItems: 1,
  description: 'an array of at least one leaf or group',
} as const;

/** The two groups. */
export const groupSchemas = {
  all: object({ all: children }, ['all']),
  any: object({ any: children }, ['any']),
} as const;

const name = { type: 'string', minLength: 1, maxLength: 200, description: 'text of 1 to 200 characters' };
const description = { type: 'string', maxLength: 2_000, description: 'text of at most 2,000 characters' };
const stage = { const: 'deliver', description: '"deliver"' };
const priority = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'a whole number from -9,007,199,254,740,991 to 9,007,199,254,740,991; lower runs first',
};
const below = { type: 'object', description: 'an object' };
/** The members of a rule document, with any contents. */
export const documentMembers = { name, description, stage, match: below, action: below, priority };
/** The members that must be there. */
export const documentRequired = ['name', 'stage', 'match', 'action', 'priority'] as const;

/** The outermost object of a rule, with and without the members that a server adds. */
export const ruleSchemas = {
  document: object(documentMembers, documentRequired),
  rule: object(
    {
      id: { type: 'string', minLength: 1, maxLength: 200, description: 'text of 1 to 200 characters' },
      ...documentMembers,
      enabled: { type: 'boolean', description: 'true or false' },
      counts: { description: 'what the server counts; ignored here' },
    },
    ['id', ...documentRequired],
  ),
};

const otherSchemas = { ...actionSchemas, ...opSchemas, ...groupSchemas, ...ruleSchemas } as const;

/** Name of an object that is checked on its own. */
export type NodeName = LeafName | keyof typeof otherSchemas;

/** Every object that is checked on its own. */
export const nodeSchemas: Readonly<Record<NodeName, NodeSchema>> = { ...leafSchemas, ...otherSchemas };
