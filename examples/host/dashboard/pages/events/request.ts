/** The request that brought an event, read from `raw_payload`. Pure. */

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** True if the body is not UTF-8, and is therefore in base64. */
  readonly isBase64: boolean;
}

/** @returns Null for an event that no request brought. */
export function requestOf(payload: unknown): RawRequest | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { method, path, query, headers, body, encoding } = payload as Readonly<Record<string, unknown>>;
  return {
    ...{ method: text(method), path: text(path), query: text(query), body: text(body) },
    headers: Array.isArray(headers) ? headers.map(pairOf) : [],
    isBase64: encoding === 'base64',
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const pairOf = (pair: unknown): readonly [string, string] =>
  Array.isArray(pair) ? [text(pair[0]), text(pair[1])] : ['', ''];
