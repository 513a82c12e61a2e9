/**
 * The mistakes that are made most often with bodies and secrets: from what was given, back to what may have been
 * signed.
 */
import { gunzipSync } from 'node:zlib';

/** A value that may have been meant, and how it became what was given. */
export interface Variant<T> {
  readonly value: T;
  /** Completes "the body that was given …" or "the secret that was given …"; null for the value as it was given. */
  readonly how: string | null;
}

type Change<T> = readonly [how: string, change: (given: T) => T | null];

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** A change of text; bodies that are not UTF-8 have none. */
const ofText =
  (change: (text: string) => string | null) =>
  (body: Uint8Array): Uint8Array | null => {
    const text = textOf(body);
    const changed = text === null ? null : change(text);
    return changed === null ? null : utf8(changed);
  };

const ofJson = (print: (value: unknown) => string): ((body: Uint8Array) => Uint8Array | null) =>
  ofText((text) => {
    try {
      return print(JSON.parse(text));
    } catch {
      return null;
    }
  });

const asPython = (value: unknown): string => spaced(JSON.stringify(value));

/** JSON with a blank after each comma and colon outside of strings. */
const spaced = (text: string): string =>
  text.replace(
    /("(?:[^"\\]|\\.)*")|([,:])/g,
    (_, string: string | undefined, mark: string) => string ?? `${mark} `,
  );

const asciiOnly = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const PARSED = 'was parsed and written again';

const BODY_CHANGES: readonly Change<Uint8Array>[] = [
  ['has a byte order mark that was not signed', (body) => (hasMark(body) ? body.subarray(3) : null)],
  ['has a line break at its end that was not signed', ofText((text) => text.replace(/\r?\n$/, ''))],
  ['has lost the line break at its end', ofText((text) => `${text}\n`)],
  ['has lost the line break (CR LF) at its end', ofText((text) => `${text}\r\n`)],
  ['has blanks around it that were not signed', ofText((text) => text.trim())],
  ['has its line breaks changed from LF to CR LF', ofText((text) => text.replaceAll('\r\n', '\n'))],
  ['has its line breaks changed from CR LF to LF', ofText((text) => text.replace(/\r?\n/g, '\r\n'))],
  [`${PARSED}, with other blanks than were signed`, ofJson((value) => JSON.stringify(value))],
  [`${PARSED}, without its blanks`, ofJson(asPython)],
  [`${PARSED}, without its escapes`, ofJson((value) => asciiOnly(JSON.stringify(value)))],
  [`${PARSED}, without its blanks and escapes`, ofJson((value) => asciiOnly(asPython(value)))],
  [
    `${PARSED}, without the escapes of its slashes`,
    ofJson((value) => JSON.stringify(value).replaceAll('/', '\\/')),
  ],
  [`${PARSED}, without its indentation`, ofJson((value) => JSON.stringify(value, null, 2))],
  [`${PARSED}, without its indentation`, ofJson((value) => JSON.stringify(value, null, 4))],
  [
    'is JSON text with the body in it: parse it once more',
    ofJson((value) => (typeof value === 'string' ? value : '')),
  ],
  ['was read as Latin-1 and written as UTF-8', ofLatin1],
  ['is compressed', decompressed],
  ['is in base64: decode it', (body) => fromBase64(Buffer.from(body).toString('latin1').trim())],
];

const textOf = (body: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
};

const hasMark = (body: Uint8Array): boolean => Buffer.from(body.subarray(0, 3)).equals(Buffer.from('\ufeff'));

function ofLatin1(body: Uint8Array): Uint8Array | null {
  const text = textOf(body);
  return text === null || /[^\0-\xff]/.test(text) ? null : Buffer.from(text, 'latin1');
}

const MAX_DECOMPRESSED = 33_554_432;

function decompressed(body: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(body, { maxOutputLength: MAX_DECOMPRESSED });
  } catch {
    return null;
  }
}

const fromBase64 = (text: string): Uint8Array | null =>
  /^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;

const PREFIX = /^[a-z]+_/;

const BLANKS = /^[\s"'`]+|[\s"'`]+$/g;
const AROUND = 'has blanks, quotes or a line break around it';
const ENCODED = 'Standard Webhooks uses the bytes that it encodes';
/** The bytes that a secret of Standard Webhooks encodes. */
const bytesOf = (secret: string): Uint8Array => Buffer.from(secret.replace(PREFIX, ''), 'base64');

const STANDARD_CHANGES: readonly Change<string | Uint8Array>[] = [
  [AROUND, (secret) => bytesOf(String(secret).replace(BLANKS, ''))],
  [`was signed with as text: ${ENCODED}`, (secret) => utf8(String(secret))],
  [
    `was signed with as text, without its prefix: ${ENCODED}`,
    (secret) => utf8(String(secret).replace(PREFIX, '')),
  ],
];

/** Secrets are used whole, as UTF-8: none of these changes is right, and each is what somebody's code has done. */
const SECRET_CHANGES: readonly Change<string | Uint8Array>[] = [
  [AROUND, (secret) => String(secret).replace(BLANKS, '')],
  ['was signed with from base64: a sender here uses it as it is', (secret) => fromBase64(String(secret))],
  [
    'was signed with without its prefix, from base64: a sender here uses it whole',
    (secret) => fromBase64(String(secret).replace(PREFIX, '')),
  ],
  [
    'was signed with without its prefix: a sender here uses it whole',
    (secret) => String(secret).replace(PREFIX, ''),
  ],
  [
    'was signed with from hexadecimal: a sender here uses it as it is',
    (secret) => (/^(?:[\da-f]{2}){8,}$/i.test(String(secret)) ? Buffer.from(String(secret), 'hex') : null),
  ],
  ['lacks the line break at its end', (secret) => `${String(secret)}\n`],
];

/** The value as it should be used, then what may have been meant by what was given. */
const variantsOf = <T>(given: T, changes: readonly Change<T>[], right: T = given): readonly Variant<T>[] => [
  { value: right, how: null },
  ...changes.flatMap(([how, change]) => {
    const value = change(given);
    return value === null ? [] : [{ value, how }];
  }),
];

export const bodiesLike = (body: Uint8Array): readonly Variant<Uint8Array>[] =>
  variantsOf(body, BODY_CHANGES);

/** The keys that may have been meant by a secret. */
export const secretsLike = (
  secret: string,
  scheme: 'svc' | 'standard_webhooks',
): readonly Variant<string | Uint8Array>[] =>
  scheme === 'svc'
    ? variantsOf<string | Uint8Array>(secret, SECRET_CHANGES)
    : variantsOf<string | Uint8Array>(secret, STANDARD_CHANGES, bytesOf(secret));
