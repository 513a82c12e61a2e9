/** The problems of one object by its node schema, found by reading the schema: no code is made from it. */
import { isObject } from '../../json.js';
import { codePointLength } from '../../unicode.js';

/** The keywords of JSON Schema that node schemas use of a member. */
export interface MemberSchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly not?: { readonly const: unknown };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: MemberSchema;
}

/** An object with these members and no other. */
export interface NodeSchema {
  readonly properties: Readonly<Record<string, MemberSchema>>;
  readonly required: readonly string[];
}

/** One problem of an object. */
export interface Problem {
  /** The keyword that it breaks. */
  readonly keyword: string;
  readonly member: string;
  /** The index of the wrong item, if the member is a list. */
  readonly item?: number;
}

/** Lists the problems of an object. Objects and lists below its members are not checked. */
export type FindProblems = (node: object) => readonly Problem[];

/** Reads a schema once, for many objects. Problems: what is missing, then unknown keys, then members in their order. */
export function problemsBy({ properties, required }: NodeSchema): FindProblems {
  const known = new Set(Object.keys(properties));
  const members = Object.entries(properties).map(([member, schema]) => ({
    member,
    broken: brokenKeyword(schema),
    brokenItem: schema.items && brokenKeyword(schema.items),
  }));
  return (node) => {
    const found: Problem[] = [];
    const record = node as Readonly<Record<string, unknown>>;
    for (const member of required) {
      if (valueOf(record, member) === undefined) found.push({ keyword: 'required', member });
    }
    for (const key of Object.keys(node)) {
      if (!known.has(key)) found.push({ keyword: 'additionalProperties', member: key });
    }
    for (const { member, broken, brokenItem } of members) {
      const value = valueOf(record, member);
      if (value === undefined) continue;
      const keyword = broken(value);
      if (keyword !== null) found.push({ keyword, member });
      if (brokenItem === undefined || !Array.isArray(value)) continue;
      for (const [item, element] of value.entries()) {
        const keyword = brokenItem(element);
        if (keyword !== null) found.push({ keyword, member, item });
      }
    }
    return found;
  };
}

/** An own member; nothing inherited counts. */
const valueOf = (record: Readonly<Record<string, unknown>>, member: string): unknown =>
  Object.hasOwn(record, member) ? record[member] : undefined;

/** The keyword that a value breaks first; `null` if it breaks none. */
function brokenKeyword(schema: MemberSchema): (value: unknown) => string | null {
  const keywords = Object.keys(schema).flatMap((keyword): [string, (value: never) => boolean][] => {
    const rule = rules[keyword as keyof typeof rules] as
      ((schema: MemberSchema) => (value: never) => boolean) | undefined;
    return rule === undefined ? [] : [[keyword, rule(schema)]];
  });
  return (value) => keywords.find(([, holds]) => !holds(value as never))?.[0] ?? null;
}

/** The requirement of each keyword. The type comes first in every schema, so that the others may rely on it. */
const rules = {
  type: ({ type }: MemberSchema) => {
    const tests = [type].flat().map((name) => types[name as keyof typeof types]);
    return (value: unknown) => tests.some((is) => is(value));
  },
  const: (schema: MemberSchema) => (value: unknown) => value === schema.const,
  enum: (schema: MemberSchema) => (value: unknown) => schema.enum?.includes(value) === true,
  not:
    ({ not }: MemberSchema) =>
    (value: unknown) =>
      value !== not?.const,
  minimum:
    ({ minimum = 0 }: MemberSchema) =>
    (value: number) =>
      value >= minimum,
  maximum:
    ({ maximum = 0 }: MemberSchema) =>
    (value: number) =>
      value <= maximum,
  minLength:
    ({ minLength = 0 }: MemberSchema) =>
    (value: string) =>
      codePointLength(value) >= minLength,
  maxLength:
    ({ maxLength = 0 }: MemberSchema) =>
    (value: string) =>
      value.length <= maxLength || codePointLength(value) <= maxLength,
  pattern: ({ pattern = '' }: MemberSchema) => {
    const expression = new RegExp(pattern, 'u');
    return (value: string) => expression.test(value);
  },
  minItems:
    ({ minItems = 0 }: MemberSchema) =>
    (value: readonly unknown[]) =>
      value.length >= minItems,
  maxItems:
    ({ maxItems = 0 }: MemberSchema) =>
    (value: readonly unknown[]) =>
      value.length <= maxItems,
};

const types = {
  string: (value: unknown) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value: unknown) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
};
