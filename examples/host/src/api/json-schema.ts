/** The schemas of routes as JSON Schema 2020-12. */
import { z } from 'zod';

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema with the named ones that it refers to as `#/$defs/<name>`. */
export interface WithDefinitions {
  readonly schema: JsonSchema;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/**
 * A schema of a route.
 *
 * @param side - `in` for what callers give, before defaults and transforms; `out` for answers.
 */
export function jsonSchemaOf(type: z.ZodType, side: 'in' | 'out'): WithDefinitions {
  const { $defs, ...schema } = z.toJSONSchema(type, {
    io: side === 'in' ? 'input' : 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema, side),
  }) as Record<string, unknown>;
  delete schema.$schema;
  return { schema, named: ($defs ?? {}) as Record<string, JsonSchema> };
}

function tidy(schema: Record<string, unknown>, side: 'in' | 'out'): void {
  // Answers gain members in later versions; callers must not refuse them.
  if (side === 'out' && schema.additionalProperties === false) delete schema.additionalProperties;
  // These bounds are those of every whole number in JSON.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // The pattern of an instant has 400 characters, and says what its format says.
  if (schema.format === 'date-time') delete schema.pattern;
}

/** The same schema with every `#/$defs/<name>` as a reference to `base` and the name. */
export function rebased<Schema>(schema: Schema, base: string): Schema {
  if (Array.isArray(schema)) return schema.map((item: unknown) => rebased(item, base)) as Schema;
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]: [string, unknown]) =>
    name === '$ref' && typeof value === 'string'
      ? [name, value.replace('#/$defs/', base)]
      : [name, rebased(value, base)],
  );
  return Object.fromEntries(entries) as Schema;
}
