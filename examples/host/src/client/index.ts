/**
 * The typed client of the API: a method for each route of the table, made of fetch and the package's own JSON. For
 * pages and for scripts.
 */
import { stringifyJson } from 'headgate/slim';
import { PATHS } from './paths.js';
import { errorOf } from './problem-error.js';
import type { Api, CallOptions, RawBody, RouteName } from './types.js';

export { allOf } from './all-of.js';
export { ApiError, type ProblemBody } from './problem-error.js';
export type { Api, CallOptions, Input, Output, RawBody, RouteName } from './types.js';

/** How the service is reached. */
export interface ApiOptions {
  /** Such as `https://hooks.example.com`; an empty text is the origin of the page. */
  readonly baseUrl: string;
  /** A key; left out in a page, which has a session. */
  readonly key?: string;
  readonly fetch?: typeof fetch;
}

type QueryValue = string | number | undefined;

/** The members of an input that are not parameters of the path. */
interface AnyInput extends CallOptions {
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly ifMatch?: string | number;
  readonly idempotencyKey?: string;
}

/** ETags of answers, for as long as the answers live. */
const versions = new WeakMap<object, string>();

/** The version of what was answered, for `ifMatch` of the change; undefined if it has none. */
export const versionOf = (answer: object): string | undefined => versions.get(answer);

/** Texts of answers with a number that a double may not hold, for as long as the answers live. */
const texts = new WeakMap<object, string>();

/**
 * Matches the start of a JSON number of sixteen characters and more, or with an exponent, but not the digits of an id.
 */
const LONG_NUMBER = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]+[eE])/;

/**
 * The JSON of an answer, where it has a number that a double may not hold: there it has all of its digits. Else
 * undefined.
 */
export const textOf = (answer: object): string | undefined => texts.get(answer);

/**
 * The client of a service.
 *
 * A method throws {@link ApiError} for each problem; what `fetch` throws when nobody answers goes through.
 *
 * @example
 * const api = createApi({ baseUrl: 'https://hooks.example.com', key });
 * const rule = await api.getRule({ project, rule: id });
 * await api.updateRule({ project, rule: id, body: { enabled: false }, ifMatch: versionOf(rule) });
 */
export function createApi(options: ApiOptions): Api {
  const methods = Object.entries(PATHS).map(([name, address]) => {
    const [method = '', path = '', mark] = address.split(' ');
    return [
      name,
      async (input: AnyInput = {}) => {
        const response = await sent(options, method, path, input);
        return mark === undefined ? read(response) : response;
      },
    ];
  });
  return Object.fromEntries(methods) as Record<RouteName, unknown> as Api;
}

async function sent(options: ApiOptions, method: string, path: string, input: AnyInput): Promise<Response> {
  const { fetch: send = fetch, baseUrl } = options;
  const response = await send(baseUrl.replace(/\/$/, '') + filled(path, input) + search(input.query), {
    method,
    headers: headersOf(options, input),
    ...(input.body !== undefined && {
      // A rule may be deeper than the stack of the engine's own function.
      body: input.contentType === undefined ? stringifyJson(input.body) : (input.body as RawBody),
    }),
    ...(input.signal !== undefined && { signal: input.signal }),
    credentials: 'same-origin',
    // A redirect would take the key somewhere else.
    redirect: 'error',
  });
  if (!response.ok && response.status !== 304) throw await errorOf(response);
  return response;
}

async function read(response: Response): Promise<object | undefined> {
  if (response.status === 204) return undefined;
  const text = await response.text();
  const answer = JSON.parse(text) as object;
  if (LONG_NUMBER.test(text)) texts.set(answer, text);
  const etag = response.headers.get('etag');
  if (etag !== null) versions.set(answer, etag);
  return answer;
}

/** The path with its parameters, each of which is one segment whatever it holds. */
const filled = (path: string, input: object): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = (input as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    throw new TypeError(`${name}: give the ${name} as a text that is not empty`);
  });

/** Members that are undefined are left out; a list repeats its name. */
function search(query: AnyInput['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one) => [name, `${one}`]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function headersOf({ key }: ApiOptions, input: AnyInput): Record<string, string> {
  const { body, contentType = 'application/json', ifMatch, idempotencyKey, headers } = input;
  return {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': contentType }),
    ...(ifMatch !== undefined && { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...headers,
  };
}
