/** From the bytes of a request to what is stored of it. */
import { isUtf8 } from 'node:buffer';
import { JsonError, stringifyJson } from 'headgate';
import { failure, type Result, success } from '../errors/failure.js';
import { hasMore } from '../limits/counting.js';
import { readJson } from '../http/read-json.js';
import { type BodyKind, bodyKindOf } from './media-type.js';
import { dataOfJson } from '../stored/request.js';
import { type EnvelopeBody, type Hidden, type InboundRequest, rawPayloadText } from './raw-payload.js';

export type { Hidden, InboundRequest } from './raw-payload.js';

/** A request as it is stored: two JSON texts, which are valid at any depth. */
export interface Received {
  /** `{"body":…}`. A body that is JSON is in it as it was sent, unless a key repeats. */
  readonly data: string;
  /** The envelope as it is stored; `wholeRequest` has its body, too. */
  readonly rawPayload: string;
  /** The number of names, values and brackets in a JSON body; 0 for any other body. */
  readonly tokens: number;
}

export type BodyFailureCode = 'unsupported_media_type' | 'invalid_json' | 'invalid_request';

/** Most fields of a form, counted before any is read. */
export const MAX_FIELDS = 2_000;

/**
 * Reads a request by its content type.
 *
 * - JSON is UTF-8, with or without a byte order mark. Of a repeated key the last value counts, and `data` has that one
 *   alone. Numbers beyond a double are refused. Lone surrogates are kept, as the escapes that they are.
 * - A form is an object of strings. The values of a name that repeats are an array.
 * - Text is a string.
 *
 * Bytes of a form or a text that are not UTF-8 are U+FFFD in `data`. The envelope keeps them.
 */
export function readRequest(request: InboundRequest, hidden: Hidden): Result<Received, BodyFailureCode> {
  const kind = bodyKindOf(request.headers);
  if (!kind.ok) return kind;
  const { buffer, byteOffset, byteLength } = request.body;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString();
  const hasText = isUtf8(request.body);
  if (!hasText && kind.value === 'json') return notUtf8(request.body, text);
  const isMarked = text.startsWith(BYTE_ORDER_MARK);
  const read = readers[kind.value](isMarked ? text.slice(1) : text);
  if (!read.ok) return read;
  const { data, isVerbatim, tokens } = read.value;
  const where = whereBodyIs(hasText ? text : null, isVerbatim && !isMarked);
  return success({ data, rawPayload: rawPayloadText(request, where, hidden), tokens });
}

/** @param text - The body; null if it is not UTF-8. */
const whereBodyIs = (text: string | null, isInData: boolean): EnvelopeBody => {
  if (text === null) return 'bytes';
  return isInData ? 'in data' : { text };
};

/** The text of `data`, and whether the text that was read is in it letter by letter. */
interface Read {
  readonly data: string;
  readonly isVerbatim: boolean;
  readonly tokens: number;
}

const BYTE_ORDER_MARK = '\ufeff';

const readers: Readonly<Record<BodyKind, (text: string) => Result<Read, BodyFailureCode>>> = {
  json: readJsonBody,
  form: readForm,
  text: (text) => success(printed(text)),
};

const printed = (body: unknown): Read => ({ data: stringifyJson({ body }), isVerbatim: false, tokens: 0 });

function readJsonBody(text: string): Result<Read, BodyFailureCode> {
  try {
    const { text: once, hasRepeatedNames, tokens } = readJson(text);
    return success({ data: dataOfJson(once), isVerbatim: !hasRepeatedNames, tokens });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return failure(400, 'invalid_json', error.message.replace('this', 'the body'));
  }
}

function readForm(text: string): Result<Read, BodyFailureCode> {
  if (!hasMore(text, '&', MAX_FIELDS - 1)) return success(printed(formFields(text)));
  const message = `the form has more than ${MAX_FIELDS} fields: send fewer, or send JSON`;
  return failure(400, 'invalid_request', message);
}

/** An object of the fields of a form, which may have any name. */
function formFields(text: string): object {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  // Unlike an assignment, this makes a member of `__proto__` too.
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** @param text - The body in which each wrong sequence was replaced. */
function notUtf8(body: Uint8Array, text: string) {
  const position = Buffer.from(text).findIndex((byte, at) => byte !== body[at]);
  return invalidJson(`byte ${position}: the text is not UTF-8`);
}

const invalidJson = (problem: string) => failure(400, 'invalid_json', `the body is not JSON: ${problem}`);
