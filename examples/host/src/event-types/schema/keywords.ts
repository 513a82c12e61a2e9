/** The keywords of JSON Schema 2020-12: which of them hold schemas, which assert, and which are refused. Pure data. */

/**
 * The content of a keyword: one schema, a list of them, an object of them, schemas that are only referred to, a
 * reference, or no schema. An annotation asserts nothing and is left out of what is compiled.
 */
export type Content = 'schema' | 'list' | 'map' | 'definitions' | 'reference' | 'assertion' | 'annotation';

/** A keyword that may be used. */
export interface Keyword {
  readonly content: Content;
  /** True if its schemas apply to the same value as the keyword, not to a part of it. */
  readonly isInPlace: boolean;
}

const of = (content: Content, names: string, isInPlace = false): readonly [string, Keyword][] =>
  names.split(' ').map((name) => [name, { content, isInPlace }]);

export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ...of('schema', 'not if then else', true),
  ...of('list', 'allOf anyOf oneOf', true),
  ...of('map', 'dependentSchemas', true),
  ...of('schema', 'items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties'),
  ...of('list', 'prefixItems'),
  ...of('map', 'properties patternProperties'),
  ...of('definitions', '$defs definitions'),
  ...of('reference', '$ref', true),
  ...of('assertion', 'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum'),
  ...of('assertion', 'maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains'),
  ...of('assertion', 'maxProperties minProperties required dependentRequired'),
  ...of('annotation', '$schema $comment title description default deprecated readOnly writeOnly examples'),
  ...of('annotation', 'format contentEncoding contentMediaType contentSchema'),
]);

/** Keywords that exist and may not be used here, with the remedy. */
export const REFUSED: ReadonlyMap<string, string> = new Map([
  ...['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', 'id'].map(
    (name) =>
      [name, 'refer to schemas within this one by a pointer, such as { "$ref": "#/$defs/address" }'] as const,
  ),
  ['$vocabulary', 'leave it out: the vocabularies are those of JSON Schema 2020-12'],
  ['dependencies', 'use dependentRequired or dependentSchemas'],
  ['additionalItems', 'use prefixItems and items'],
  ['nullable', 'use a list of types, such as { "type": ["string", "null"] }'],
]);

/** The one dialect that is read. */
export const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
