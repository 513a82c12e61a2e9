/** Fields for the values of a rule: their state while somebody types, and the JSON that they give. */
import { parseJson, stringifyJson } from 'headgate/slim';
import { childrenOf, sliceOf, type Source, type SourceNode } from './source.js';
import { countOf, MOST_UNPAGED, pagesOf, type ValuePage, withValues } from './value-pages.js';

/**
 * A field for one value. Texts are as they were typed, so that what is half-written is kept, and numbers keep all
 * digits.
 */
export type ScalarField =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'json'; readonly text: string };

/** A field for a list of values; a long one is in pages, and each of its values is JSON. */
export type ListField =
  | { readonly kind: 'list'; readonly items: readonly ScalarField[] }
  | { readonly kind: 'pages'; readonly pages: readonly ValuePage[] };

/** A field for the value of a leaf or of an op: one value, or a list of them. */
export type ValueField = ScalarField | ListField;

export const isList = (field: ValueField): field is ListField =>
  field.kind === 'list' || field.kind === 'pages';

/** The kinds of fields that hold one value. */
export type ScalarKind = ScalarField['kind'];

export const EMPTY_TEXT: ScalarField = { kind: 'text', text: '' };

/** JSON text, and why it is not JSON where that is so. */
export interface FieldText {
  readonly text: string;
  /** A sentence for the person who types. */
  readonly fault: string | null;
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Characters that a field of one line drops or shows wrongly. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}]|\p{Cs}/u;

/** The field that shows a value; what no simple field shows faithfully is shown as JSON. */
export function fieldOf(source: Source, node: SourceNode): ScalarField {
  return fieldOfText(sliceOf(source, node));
}

/** The field that shows the value of a JSON text. */
export function fieldOfText(text: string): ScalarField {
  switch (text[0]) {
    case '"':
      return textField(JSON.parse(text) as string) ?? { kind: 'json', text };
    case 't':
    case 'f':
      return { kind: 'boolean', value: text === 'true' };
    case 'n':
      return { kind: 'null' };
    case '{':
    case '[':
      return { kind: 'json', text };
    default:
      return { kind: 'number', text };
  }
}

const textField = (text: string): ScalarField | null =>
  UNSHOWABLE.test(text) ? null : { kind: 'text', text };

/** The field for a value at hand, such as one that an event has. */
export function fieldOfJson(value: unknown): ScalarField {
  switch (typeof value) {
    case 'string':
      return textField(value) ?? { kind: 'json', text: JSON.stringify(value) };
    case 'number':
      return { kind: 'number', text: JSON.stringify(value) };
    case 'boolean':
      return { kind: 'boolean', value };
    default:
      return value === null ? { kind: 'null' } : { kind: 'json', text: stringifyJson(value) };
  }
}

/** The JSON text of a field. What is not JSON yet is given as it was typed, with a sentence. */
export function textOf(field: ValueField): FieldText {
  switch (field.kind) {
    case 'text':
      return whole(JSON.stringify(field.text));
    case 'number':
      return JSON_NUMBER.test(field.text.trim())
        ? whole(field.text.trim())
        : { text: field.text, fault: numberFault(field.text) };
    case 'boolean':
      return whole(String(field.value));
    case 'null':
      return whole('null');
    case 'json':
      return jsonText(field.text);
    case 'list':
      return listText(field.items);
    case 'pages':
      return whole(`[${field.pages.flat().join(', ')}]`);
  }
}

const whole = (text: string): FieldText => ({ text, fault: null });

const numberFault = (text: string): string =>
  text.trim() === '' ? 'Give a number.' : 'This is not a number. Give one such as 12.5, or choose text.';

function jsonText(text: string): FieldText {
  try {
    parseJson(text);
    return whole(text.trim());
  } catch (error) {
    const fault = text.trim() === '' ? 'Give a value as JSON, such as "text", 5 or null.' : sentence(error);
    return { text, fault };
  }
}

/** A message of the library as a sentence of a page. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function listText(items: readonly ScalarField[]): FieldText {
  const texts = items.map(textOf);
  return {
    text: `[${texts.map(({ text }) => text).join(', ')}]`,
    fault: texts.find(({ fault }) => fault !== null)?.fault ?? null,
  };
}

/** The field of a JSON array. */
export function listAt(source: Source, node: SourceNode): ListField {
  if (node.pages !== undefined) return { kind: 'pages', pages: node.pages };
  return inPages(childrenOf(source, node).map((child) => sliceOf(source, child)));
}

/** The field of a list of JSON texts. */
const inPages = (texts: readonly string[]): ListField =>
  texts.length > MOST_UNPAGED
    ? { kind: 'pages', pages: pagesOf(texts) }
    : { kind: 'list', items: texts.map(fieldOfText) };

/** A list with more values at its end. */
export function withItems(list: ListField, items: readonly ScalarField[]): ListField {
  const textsOf = (some: readonly ScalarField[]): string[] => some.map((item) => textOf(item).text);
  if (list.kind === 'pages') return { kind: 'pages', pages: withValues(list.pages, textsOf(items)) };
  const all = [...list.items, ...items];
  return all.length > MOST_UNPAGED ? inPages(textsOf(all)) : { kind: 'list', items: all };
}

/** The first value of a list. */
export const firstOf = (list: ListField): ScalarField | undefined => {
  if (list.kind === 'list') return list.items[0];
  const text = list.pages[0]?.[0];
  return text === undefined ? undefined : fieldOfText(text);
};

/** Whether nothing has been written into a field. */
export function isBlank(field: ValueField): boolean {
  if ('text' in field) return field.text === '';
  if (field.kind === 'pages') return countOf(field.pages) === 0;
  return field.kind === 'list' && field.items.length === 0;
}

/**
 * Converts a field to another kind; gives the same field where that would lose something.
 *
 * @example
 * retyped({ kind: 'text', text: '5' }, 'number'); // { kind: 'number', text: '5' }
 * retyped({ kind: 'text', text: 'five' }, 'number'); // the same field
 */
export function retyped(field: ScalarField, kind: ScalarKind): ScalarField {
  if (field.kind === kind) return field;
  if (isBlank(field)) return blankOf(kind);
  const { text, fault } = textOf(field);
  if (kind === 'json') return fault === null ? { kind, text } : field;
  const typed = field.kind === 'text' ? field.text : text;
  return fault === null ? (readAs(kind, field.kind === 'json' ? unquoted(text) : typed) ?? field) : field;
}

/** An empty field of a kind. */
export function blankOf(kind: ScalarKind): ScalarField {
  switch (kind) {
    case 'boolean':
      return { kind, value: true };
    case 'null':
      return { kind };
    default:
      return { kind, text: '' };
  }
}

/** The text of a JSON string; any other JSON as it is. */
function unquoted(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

function readAs(kind: ScalarKind, typed: string): ScalarField | null {
  switch (kind) {
    case 'text':
      return textField(typed);
    case 'number':
      return JSON_NUMBER.test(typed.trim()) ? { kind, text: typed.trim() } : null;
    case 'boolean':
      return typed === 'true' || typed === 'false' ? { kind, value: typed === 'true' } : null;
    case 'null':
      return typed === 'null' ? { kind } : null;
    case 'json':
      return null;
  }
}

/**
 * Reads what was typed into the list of `in`: as the kind that the event has there, where it can be read so, else as
 * text.
 */
export const typedItem = (text: string, kind: ScalarKind): ScalarField =>
  readAs(kind, text) ?? { kind: 'text', text };

/** A field as a short text, for chips and lists. */
export const shownField = (field: ScalarField): string =>
  field.kind === 'text' ? field.text : textOf(field).text;
