/** Schemas as people read them: an outline of members, types and bounds, and the smallest body that is valid. */
import type { JsonSchema } from './json-schema.js';

/** The members of JSON Schema that the routes use. */
interface Node {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** The same for a schema with transforms, whose `examples` zod leaves out. */
  readonly example?: unknown;
  readonly format?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const INDENT = '  ';

/** The outline of a schema, in lines. */
export const outline = (schema: JsonSchema, indent = ''): string => typeText(schema, indent);

function typeText(node: Node, indent: string): string {
  if (node.$ref !== undefined) return node.$ref.split('/').at(-1) ?? '';
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = node.anyOf ?? node.oneOf;
  if (choices !== undefined) return choices.map((one) => typeText(one, indent)).join(' | ');
  if (node.items !== undefined) return `[${typeText(node.items, indent)}]${bounds(node)}`;
  if (node.properties !== undefined) return membersText(node, indent);
  if (typeof node.additionalProperties === 'object') {
    return `{ [name]: ${typeText(node.additionalProperties, indent)} }`;
  }
  const { type = 'any JSON' } = node;
  const name = typeof type === 'string' ? type : type.join(' | ');
  return `${node.format ?? name}${bounds(node)}`;
}

function membersText({ properties = {}, required = [] }: Node, indent: string): string {
  const inner = indent + INDENT;
  const lines = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?';
    const { description, default: fallback } = member;
    const notes = [
      ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
      ...(description === undefined ? [] : [description]),
    ];
    const note = notes.length === 0 ? '' : `  // ${notes.join('; ')}`;
    return `${inner}${name}${mark}: ${typeText(member, inner)}${note}\n`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function bounds(node: Node): string {
  const least = node.minimum ?? node.minLength ?? node.minItems;
  const most = node.maximum ?? node.maxLength ?? node.maxItems;
  if (least === undefined && most === undefined) return '';
  return most === undefined ? ` (${least ?? 0}…)` : ` (${least ?? ''}…${most})`;
}

/** A value that has the required members alone, for an example; null if the schema is a reference. */
export function smallest(schema: JsonSchema): unknown {
  const node: Node = schema;
  if (node.$ref !== undefined) return null;
  if (node.example !== undefined) return node.example;
  if (node.examples !== undefined) return node.examples[0];
  const [first] = node.anyOf ?? node.oneOf ?? [];
  if (first !== undefined) return smallest(first as JsonSchema);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  switch (node.type) {
    case 'object': {
      const { properties = {}, required = [] } = node;
      return Object.fromEntries(
        required.map((name) => [name, smallest((properties[name] ?? {}) as JsonSchema)]),
      );
    }
    case 'array':
      return (node.minItems ?? 0) > 0 ? [smallest((node.items ?? {}) as JsonSchema)] : [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(node.minimum ?? 1, 1);
    case 'string':
      return EXAMPLES[node.format ?? ''] ?? '…';
    default:
      return null;
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  uuid: '019aa5c0-0000-7000-8000-000000000000',
  'date-time': '2026-01-01T00:00:00.000Z',
};
