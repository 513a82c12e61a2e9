/** A request as a command for a POSIX shell: curl then sends the same bytes. Pure. */
import type { Output } from '../../data/index.js';

type Exchange = NonNullable<Output<'getAttempt'>['exchange']>;
export type SentRequest = NonNullable<Exchange['request']>;

/** The value of a header that the API does not show. */
const MASK = '••••••••';
/** Headers that curl makes of the URL, the body and its connection. */
const OF_CURL = /^(?:content-length|connection|keep-alive|transfer-encoding|host)$/i;
/** Headers that curl adds unless it is told not to; the last one if a body is longer than 1,024 bytes. */
const ADDED = ['User-Agent', 'Accept', 'Content-Type', 'Expect'] as const;
/** Linux allows 128 KiB for an argument. A longer body goes through a pipe. */
const MAX_ARGUMENT = 100_000;
/** Characters that a terminal takes for keys when they are pasted, or that are invisible; not the line feed. */
const UNSAFE = /[^\P{C}\n]|[\u2028\u2029]/u;
const BREAK = ' \\\n  ';

/** In single quotes a shell changes nothing; only the quote itself cannot be there. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A value of a header has one byte for each character, and a terminal sends UTF-8: other bytes are named. */
const quotedHeader = (text: string): string =>
  quoted(text).replace(
    /[^ -~]+/g,
    (bytes) => `'"$(printf '${Array.from(bytes, (byte) => octal(byte.charCodeAt(0))).join('')}')"'`,
  );

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** The names of the headers whose values have to be filled in. */
export const maskedNames = ({ headers }: Pick<SentRequest, 'headers'>): readonly string[] =>
  headers.filter(({ value }) => value === MASK).map(({ name }) => name);

/**
 * @param url - The URL of the attempt; its query does not matter, since the target has it.
 * @returns Null if the body is not known.
 */
export function curlOf(url: string, { target, headers, body }: SentRequest): string | null {
  if (body === null) return null;
  const { origin, host } = new URL(url);
  const options = [
    // Brackets and braces in a URL are patterns otherwise.
    `${/[[\]{}]/.test(origin + target) ? '--globoff ' : ''}${quoted(origin + target)}`,
    ...headers.filter(({ name, value }) => !isOfCurl(name, value, host)).map(headerOption),
    ...ADDED.filter((added) => !headers.some(({ name }) => name.toLowerCase() === added.toLowerCase()))
      .filter((added) => added !== 'Expect' || body.text.length > 1_024)
      .map((added) => `-H '${added}:'`),
  ];
  const asText = body.encoding === 'utf8' && !UNSAFE.test(body.text) && body.text.length <= MAX_ARGUMENT / 3;
  if (asText) return `curl ${[...options, `--data-raw ${quoted(body.text)}`].join(BREAK)}`;
  const piped = `printf %s '${base64Of(body)}' | base64 -d | curl `;
  return piped + [...options, '--data-binary @-'].join(BREAK);
}

/** A host that is not that of the URL has to be named. */
const isOfCurl = (name: string, value: string, host: string): boolean =>
  OF_CURL.test(name) && (name.toLowerCase() !== 'host' || value === host);

function headerOption({ name, value }: SentRequest['headers'][number]): string {
  if (value === MASK) return `-H ${quoted(`${name}: <value of ${name}>`)}`;
  // With a colon and no value, curl leaves the header out.
  return `-H ${value === '' ? quoted(`${name};`) : quotedHeader(`${name}: ${value}`)}`;
}

function base64Of({ encoding, text }: NonNullable<SentRequest['body']>): string {
  if (encoding === 'base64') return text;
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
