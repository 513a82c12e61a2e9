/** Reads a captured request: as it was on the wire, or as JSON with headers and body. */
import { UsageError } from '../context.js';

/** Headers by name in lower case; those that came several times joined as fetch does it. */
export type Headers = ReadonlyMap<string, string>;

/** A request that was captured. */
export interface CapturedRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** @throws {@link UsageError} for bytes that are not a request. */
export function readRequest(bytes: Uint8Array): CapturedRequest {
  return requestInJson(bytes) ?? requestOnWire(bytes);
}

const LINE_BREAK = 10;

function requestOnWire(bytes: Uint8Array): CapturedRequest {
  const lines: string[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_BREAK, start);
    const line = latin1(bytes.subarray(start, end < 0 ? bytes.length : end)).replace(/\r$/, '');
    start = end < 0 ? bytes.length : end + 1;
    // Leading empty lines are none of the request's.
    if (line === '' && lines.length > 0) break;
    if (line !== '') lines.push(line);
    if (end < 0) break;
  }
  const [first = ''] = lines;
  const isRequestLine = /^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/.test(first);
  return { headers: headersOf(isRequestLine ? lines.slice(1) : lines), body: bytes.subarray(start) };
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** @throws {@link UsageError} for a line that is not a header. */
export function headersOf(lines: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    // As `curl -v` marks the lines that it sends.
    const [, name, value = ''] = /^(?:> )?([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined) {
      throw new UsageError(`header ${index + 1} is not a header: give lines such as Name: value`);
    }
    add(headers, name, value);
  }
  return headers;
}

function add(headers: Map<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  const before = headers.get(key);
  headers.set(key, before === undefined ? value : `${before}, ${value}`);
}

/** The request in a JSON object with `headers`, as functions of AWS Lambda get it; null for anything else. */
function requestInJson(bytes: Uint8Array): CapturedRequest | null {
  const value = parsed(bytes);
  if (value === null || typeof value.headers !== 'object' || value.headers === null) return null;
  const headers = new Map<string, string>();
  for (const [name, text] of Object.entries(value.headers)) add(headers, name, [text].flat().join(', '));
  const body = typeof value.body === 'string' ? value.body : '';
  return { headers, body: Buffer.from(body, value.isBase64Encoded === true ? 'base64' : 'utf8') };
}

interface LambdaLike {
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly isBase64Encoded?: unknown;
}

function parsed(bytes: Uint8Array): LambdaLike | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
