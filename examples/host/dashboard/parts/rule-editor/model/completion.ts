/** Completion in the JSON of a rule, from the schema of rules and the facts about the project. */
import { ruleSchema } from 'headgate/slim';
import { sampleFields, type FoundPath, valueOfSample } from './paths.js';
import { contextAt, type TextContext } from './text-context.js';
import { textOf } from './value-field.js';

/** The facts about the project that completion proposes. */
export interface Known {
  readonly paths: readonly FoundPath[];
  readonly endpoints: readonly { readonly id: string; readonly name: string }[];
  readonly tags: readonly string[];
}

/** Something to insert. */
export interface Suggestion {
  /** As it is listed. */
  readonly label: string;
  /** Beside the label. */
  readonly detail: string;
  /** JSON text. */
  readonly insert: string;
  /** The position of the caret in it, in UTF-16 units; its end if left out. */
  readonly cursor?: number;
}

/** Suggestions, and the text that the chosen one replaces. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
}

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly not?: unknown;
}

const ROOT = ruleSchema as Schema;

/** The suggestions at a position; null if nothing is known to fit. */
export function completionAt(text: string, position: number, known: Known): Completion | null {
  const context = contextAt(text, position);
  if (context === null) return null;
  const { from, to } = context;
  const suggestions = context.at === 'name' ? names(context, text.slice(to)) : values(context, known);
  return suggestions.length === 0 ? null : { from, to, suggestions };
}

/** The schemas without references and alternatives. */
function plain(schema: Schema): readonly Schema[] {
  if (schema.$ref !== undefined) return plain(ROOT.$defs![schema.$ref.slice('#/$defs/'.length)]!);
  return schema.oneOf === undefined ? [schema] : schema.oneOf.flatMap(plain);
}

/**
 * The schemas that the value at the position may follow: of all alternatives those that agree with the members around
 * it.
 */
function schemasAt({ frames, path }: TextContext, depth = frames.length): readonly Schema[] {
  let schemas = plain(ROOT);
  for (let i = 0; i < depth; i++) {
    const key = path[i];
    const { members } = frames[i]!;
    schemas = fitting(schemas, members, key).flatMap((schema) => {
      const below = typeof key === 'number' ? schema.items : schema.properties?.[key ?? ''];
      return below === undefined ? [] : plain(below);
    });
  }
  return schemas;
}

/** The alternatives that an object with these members can follow. The member at hand is left out of account. */
function fitting(
  schemas: readonly Schema[],
  members: ReadonlyMap<string, string>,
  key: string | number | null | undefined,
): readonly Schema[] {
  const others = [...members].filter(([name]) => name !== key);
  return schemas.filter((schema) => others.every(([name, text]) => admits(schema, name, text)));
}

function admits({ properties }: Schema, name: string, text: string): boolean {
  const member = properties?.[name];
  if (member === undefined) return properties === undefined;
  const allowed = member.enum ?? (member.const === undefined ? null : [member.const]);
  return allowed === null || allowed.some((value) => JSON.stringify(value) === text);
}

function names(context: TextContext, after: string): Suggestion[] {
  const depth = context.frames.length - 1;
  const { members } = context.frames[depth]!;
  const schemas = fitting(schemasAt(context, depth), members, context.name);
  const hasColon = /^\s*:/.test(after);
  const byName = new Map<string, { schemas: Schema[]; isRequired: boolean }>();
  for (const { properties = {}, required = [] } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      const entry = byName.get(name) ?? { schemas: [], isRequired: false };
      byName.set(name, {
        schemas: [...entry.schemas, schema],
        isRequired: entry.isRequired || required.includes(name),
      });
    }
  }
  return [...byName]
    .filter(([name]) => name === context.name || !members.has(name))
    .sort(([, a], [, b]) => Number(b.isRequired) - Number(a.isRequired))
    .map(([name, { schemas }]) => nameSuggestion(name, schemas, hasColon));
}

function nameSuggestion(name: string, schemas: readonly Schema[], hasColon: boolean): Suggestion {
  const all = schemas.flatMap(plain);
  const detail = all[0]?.description ?? '';
  const insert = JSON.stringify(name);
  if (hasColon) return { label: name, detail, insert };
  const [start, end] = startOf(all);
  const head = `${insert}: ${start}`;
  return { label: name, detail, insert: head + end, cursor: head.length };
}

/** The begin and the end of a value that follows some schemas; nothing where they do not agree. */
function startOf(schemas: readonly Schema[]): readonly [string, string] {
  const [first] = schemas;
  if (first === undefined) return ['', ''];
  if (schemas.length === 1 && first.const !== undefined) return [JSON.stringify(first.const), ''];
  if (schemas.some(({ type }) => type !== first.type)) return ['', ''];
  if (first.enum !== undefined || first.type === 'string') return ['"', '"'];
  if (first.type === 'array') return ['[', ']'];
  return first.type === 'object' ? ['{ ', ' }'] : ['', ''];
}

function values(context: TextContext, known: Known): Suggestion[] {
  const schemas = schemasAt(context);
  const own = schemas.flatMap(ofSchema);
  const all = [...ofProject(context, known), ...own];
  return all.filter(({ insert }, i) => all.findIndex((other) => other.insert === insert) === i);
}

/** Values that a schema names, or the beginning of an object that it describes. */
function ofSchema({
  const: only,
  enum: several,
  type,
  properties,
  required = [],
  description = '',
}: Schema): Suggestion[] {
  const literal = (value: unknown): Suggestion => ({
    label: JSON.stringify(value),
    detail: '',
    insert: JSON.stringify(value),
  });
  if (only !== undefined) return [literal(only)];
  if (several !== undefined) return several.map(literal);
  if (type === 'boolean') return [literal(true), literal(false)];
  if (type === 'array') return [{ label: '[ ]', detail: description, insert: '[]', cursor: 1 }];
  if (type !== 'object' || properties === undefined) return [];
  return [objectSuggestion(properties, required)];
}

function objectSuggestion(
  properties: NonNullable<Schema['properties']>,
  required: readonly string[],
): Suggestion {
  const parts = required.map((name) => ({ name, ...memberOf(name, properties[name]!) }));
  const open = parts.find(({ isFixed }) => !isFixed);
  const before = parts
    .slice(0, open === undefined ? parts.length : parts.indexOf(open))
    .map(({ text }) => `${text}, `);
  const insert = `{ ${parts.map(({ text }) => text).join(', ')} }`;
  return {
    ...labelOf(properties, required),
    insert,
    ...(open !== undefined && { cursor: 2 + before.join('').length + open.cursor }),
  };
}

/** A member of an inserted object, and where in it somebody types on. */
function memberOf(
  name: string,
  schema: Schema,
): { readonly text: string; readonly cursor: number; readonly isFixed: boolean } {
  const [start, end] =
    schema.enum === undefined ? startOf(plain(schema)) : [JSON.stringify(schema.enum[0]), ''];
  const head = `"${name}": ${start}`;
  return { text: head + end, cursor: head.length, isFixed: (schema.enum ?? schema.const) !== undefined };
}

/** Objects are told apart by the value of their fixed member, or by their names. */
function labelOf(
  properties: NonNullable<Schema['properties']>,
  required: readonly string[],
): Pick<Suggestion, 'label' | 'detail'> {
  const members = `{ ${required.join(', ')} }`;
  const fixed = Object.values(properties).find(
    (member) => member.const !== undefined && member.description === undefined,
  );
  const names = properties.op?.enum;
  if (names !== undefined) return { label: names.join(', '), detail: members };
  if (fixed !== undefined) return { label: String(fixed.const), detail: members };
  return { label: required.join(', '), detail: properties[required[0] ?? '']?.description ?? '' };
}

/** Paths, values, endpoints and tags that the project has. */
function ofProject({ frames, path }: TextContext, known: Known): Suggestion[] {
  const inner = frames.at(-1);
  const key = path.at(-1);
  const list = typeof key === 'number' ? path.at(-2) : null;
  if (key === 'path' && inner !== undefined) return known.paths.map(pathSuggestion);
  if (list === 'endpoint_ids') {
    return known.endpoints.map(({ id, name }) => ({ label: name, detail: id, insert: JSON.stringify(id) }));
  }
  if (list === 'tags') {
    return known.tags.map((tag) => ({ label: tag, detail: 'a tag in use', insert: JSON.stringify(tag) }));
  }
  const leaf = key === 'value' ? inner : list === 'value' ? frames.at(-2) : undefined;
  const at = leaf?.members.get('path');
  const found = known.paths.find((one) => JSON.stringify(one.path) === at);
  return sampleFields(found).map((field) => {
    const { text } = textOf(field);
    return { label: text, detail: 'known value', insert: text };
  });
}

function pathSuggestion({ path, samples }: FoundPath): Suggestion {
  const [sample] = samples;
  const shown =
    sample === undefined ? '' : valueOfSample(sample) === undefined ? `${sample.text}…` : sample.text;
  return { label: path, detail: shown, insert: JSON.stringify(path) };
}
