/** Events of AWS Lambda: function URLs, API Gateway (both payload formats), load balancers. */
import type { Answer, Incoming } from './process.js';
import { tooLarge } from './process.js';
import { ReceiverError } from './receiver-error.js';

/** The part of a Lambda event that is used. */
export interface LambdaEvent {
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  /** Instead of `headers` from load balancers with multi-value headers; beside them in payload format 1.0. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  /** API Gateway's payload format 1.0, and load balancers. */
  readonly httpMethod?: string;
  readonly path?: string;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  /** Function URLs, and payload format 2.0. */
  readonly rawPath?: string;
  readonly rawQueryString?: string;
  readonly requestContext?: { readonly http?: { readonly method?: string } };
}

/** The return value of a Lambda function. */
export interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  /** Present where the event has `multiValueHeaders` alone: that load balancer takes no others. */
  readonly multiValueHeaders?: Record<string, string[]>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** @throws {@link ReceiverError} `wrong_request` */
export function fromLambda(event: LambdaEvent): Incoming {
  if (Object(event) !== event) {
    throw new ReceiverError('wrong_request', "receiver.lambda takes Lambda's event");
  }
  return {
    method: event.httpMethod ?? event.requestContext?.http?.method ?? '',
    url: urlOf(event),
    headers: event.headers ?? event.multiValueHeaders ?? {},
    body: (maxBytes) => bodyOf(event, maxBytes),
  };
}

export function toLambda(event: LambdaEvent, { status, headers, body }: Answer): LambdaResult {
  const result = { statusCode: status, headers: { ...headers }, body: body ?? '', isBase64Encoded: false };
  if (Object(event) !== event || event.headers || !event.multiValueHeaders) return result;
  const many = Object.entries(headers).map(([name, value]): [string, string[]] => [name, [value]]);
  return { ...result, multiValueHeaders: Object.fromEntries(many) };
}

function urlOf({ rawPath, rawQueryString, path = '', queryStringParameters }: LambdaEvent): string {
  const query =
    rawQueryString ?? String(new URLSearchParams(queryStringParameters as Record<string, string>));
  return (rawPath ?? path) + (query && `?${query}`);
}

/** @throws {@link ReceiverError} `body_parsed`, `body_too_large` */
function bodyOf({ body, isBase64Encoded }: LambdaEvent, maxBytes: number): Uint8Array {
  const text: unknown = body ?? '';
  if (typeof text !== 'string') throw changed('the body is not a string');
  const bytes = isBase64Encoded ? decode(text) : encode(text);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

/** The base64 of a JSON object, as `JSON.stringify` writes it. */
const ENCODED_OBJECT = /^eyJ[A-Za-z\d+/]*=*$/;

function encode(text: string): Uint8Array {
  if (ENCODED_OBJECT.test(text)) throw changed('the body is base64, and isBase64Encoded is not true');
  return new TextEncoder().encode(text);
}

function decode(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    throw changed('isBase64Encoded is true, but the body is not base64');
  }
}

const changed = (how: string): ReceiverError =>
  new ReceiverError('body_parsed', `${how}: pass Lambda's event on as it came`);
