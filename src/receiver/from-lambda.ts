/** Events of AWS Lambda: function URLs, API Gateway (both payload formats), load balancers. */
import type { Answer, Incoming } from './process.js';
import { tooLarge } from './process.js';

/** The part of a Lambda event that is used. */
export interface LambdaEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  /** API Gateway's payload format 1.0, and load balancers. */
  readonly httpMethod?: string;
  readonly path?: string;
  /** Function URLs, and payload format 2.0. */
  readonly rawPath?: string;
  readonly requestContext?: { readonly http?: { readonly method?: string } };
}

/** The return value of a Lambda function. */
export interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export const fromLambda = (event: LambdaEvent): Incoming => ({
  method: event.httpMethod ?? event.requestContext?.http?.method ?? '',
  url: event.rawPath ?? event.path ?? '',
  headers: event.headers ?? {},
  body: (maxBytes) => Promise.resolve(bodyOf(event, maxBytes)),
});

export const toLambda = ({ status, headers, body }: Answer): LambdaResult => ({
  statusCode: status,
  headers: { ...headers },
  body: body ?? '',
});

function bodyOf({ body, isBase64Encoded = false }: LambdaEvent, maxBytes: number): Uint8Array | string {
  const text = body ?? '';
  const bytes = isBase64Encoded ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) : text;
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}
