/** The form of an event type: its documents as they are typed, and the body that they make. Pure. */
import type { Input } from '../../data/index.js';
import { faultAt, readJson, readSource, type TextFault } from '../../parts/rule-editor/index.js';
import type { EventType } from './status.js';

export interface Form {
  readonly description: string;
  /** JSON; empty for none. */
  readonly schema: string;
  /** JSON; empty for none. */
  readonly example: string;
  readonly strict: boolean;
  readonly deprecated: boolean;
}

export const formOf = ({ description, schema, example, strict, deprecated }: EventType): Form => ({
  description: description ?? '',
  schema: textOf(schema),
  example: textOf(example),
  strict,
  deprecated,
});

const textOf = (document: object | null): string =>
  document === null ? '' : JSON.stringify(document, null, 2);

/** A document that was typed: an object, null for none, or the faults of its text. */
type Typed = { readonly value: Record<string, unknown> | null } | { readonly faults: readonly TextFault[] };

export function typedDocument(text: string): Typed {
  if (text.trim() === '') return { value: null };
  const read = readJson(text);
  if ('faults' in read) return { faults: read.faults };
  const { value } = read;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { value: value as Record<string, unknown> };
  }
  return { faults: [faultAt(readSource(text), { pointer: '', message: 'Write an object: { … }' }, 'error')] };
}

/** One thing that the service refuses, with a pointer into the body. */
interface Issue {
  readonly pointer: string;
  readonly message: string;
}

/**
 * The faults of a document: those of its text, or else the positions of what the service has refused.
 *
 * @param under - The member of the body, such as `/schema`.
 */
export function faultsIn(text: string, under: string, issues: readonly Issue[]): readonly TextFault[] {
  const typed = typedDocument(text);
  if ('faults' in typed) return typed.faults;
  if (typed.value === null) return [];
  const source = readSource(text);
  return issues
    .filter(({ pointer }) => pointer === under || pointer.startsWith(`${under}/`))
    .map(({ pointer, message }) =>
      faultAt(source, { pointer: pointer.slice(under.length), message }, 'error'),
    );
}

type Body = Input<'updateEventType'>['body'];

/** The body that the form makes; null while one of its documents is not JSON. */
export function bodyOf({ description, schema, example, strict, deprecated }: Form): Body | null {
  const [ofSchema, ofExample] = [typedDocument(schema), typedDocument(example)];
  if ('faults' in ofSchema || 'faults' in ofExample) return null;
  return {
    description: description.trim() === '' ? null : description.trim(),
    ...{ schema: ofSchema.value, example: ofExample.value, strict, deprecated },
  };
}
