/** The schema of rules, which is the package's own, under the names by which routes refer to it. */
import { ruleSchema } from 'headgate';
import type { JsonSchema } from '../api/json-schema.js';

type Schemas = Readonly<Record<string, JsonSchema>>;

const {
  $defs,
  $schema: _dialect,
  properties,
  required,
  ...rest
} = ruleSchema as JsonSchema & {
  readonly $defs: Schemas;
  readonly properties: Schemas;
};

/** Members that the service gives; they may come back with a rule that was read. */
const GIVEN = ['id', 'version', 'counts', 'created_at', 'updated_at', 'warnings'] as const;

const input = {
  ...rest,
  properties: {
    ...properties,
    enabled: { type: 'boolean', description: 'True unless given' },
    ...Object.fromEntries(GIVEN.map((name) => [name, { description: 'Ignored' }])),
  },
};

/** `rule` is a document, `rule_input` what is saved, `rule_edit` what is changed; all others are parts of them. */
export const RULE_SCHEMAS: Schemas = {
  ...$defs,
  rule: { ...rest, required, properties },
  rule_input: { ...input, required },
  rule_edit: {
    ...input,
    properties: { ...input.properties, description: { anyOf: [properties.description, { type: 'null' }] } },
  },
};
