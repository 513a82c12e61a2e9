/** The path of a delivery from its request on: read, verified, handled once, answered. Independent of frameworks. */
import { HeadgateError } from '../errors.js';
import { type HeaderSource, readHeader } from '../signing/header-source.js';
import { readEvent } from './event.js';
import { createOnce } from './once.js';
import type { ReceiverOptions, RequestInfo } from './options.js';
import { ReceiverError, statusOf } from './receiver-error.js';
import { createVerifiers } from './verifiers.js';

/** A request, whatever its framework. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderSource;
  /** Reads the raw body. @throws {@link ReceiverError} */
  readonly body: (maxBytes: number) => Uint8Array | Promise<Uint8Array>;
}

/** An answer. Its body is the code of the error, or nothing. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const NO_METHOD = "no method (give the event of Lambda's proxy integration)";
const HANDLED: Answer = { status: 204, headers: {}, body: null };
/** Seconds after which a delivery may come again. */
const RETRY_AFTER = '5';

/** Answers requests, each of which is read by a function that may throw. It never rejects. */
export function createProcess<E>(options: ReceiverOptions<E>): (read: () => Incoming) => Promise<Answer> {
  const { maxBytes = 1_048_576, schema, onError = logError } = options;
  const verifierOf = createVerifiers(options);
  const handleOnce = createOnce(options);

  const receive = async (incoming: Incoming): Promise<void> => {
    const { method, headers, body } = incoming;
    if (method !== 'POST') {
      throw new ReceiverError('method_not_allowed', `got ${method || NO_METHOD}; deliveries come by POST`);
    }
    const about = infoOf(incoming);
    assertPlain(about);
    const bytes = await body(maxBytes);
    const verify = await verifierOf(about);
    const delivery = await verify(bytes, headers);
    await handleOnce(await readEvent(bytes, schema), delivery, about);
  };

  /** The sender gets its answer whatever the function does, now or later. */
  const tell = async (error: HeadgateError, about: RequestInfo): Promise<void> => {
    try {
      await onError(error, about);
    } catch {
      // It has nobody to tell.
    }
  };

  return async (read) => {
    let about = NOTHING_KNOWN;
    try {
      const incoming = read();
      about = infoOf(incoming);
      await receive(incoming);
      return HANDLED;
    } catch (thrown) {
      const error: HeadgateError =
        thrown instanceof HeadgateError
          ? (thrown as HeadgateError)
          : new ReceiverError('handler_failed', 'the receiver failed', { cause: thrown });
      void tell(error, about);
      return refusal(error);
    }
  };
}

const NOTHING_KNOWN: RequestInfo = { url: '', header: () => null };

const infoOf = ({ url, headers }: Incoming): RequestInfo => ({
  url,
  header: (name) => readHeader(headers, name.toLowerCase()) ?? null,
});

/** Signed are the bytes that the sender has made, and it compresses none. */
function assertPlain({ header }: RequestInfo): void {
  if (/^(identity)?$/i.test(header('content-encoding') ?? '')) return;
  throw new ReceiverError(
    'body_compressed',
    'content-encoding: the signature covers the plain body; let no proxy compress requests',
  );
}

export const tooLarge = (maxBytes: number): ReceiverError =>
  new ReceiverError('body_too_large', `the body has more than ${maxBytes} bytes; raise maxBytes if it may`);

function refusal(error: HeadgateError): Answer {
  const status = statusOf(error);
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(status === 503 && { 'retry-after': RETRY_AFTER }),
      ...(status === 405 && { allow: 'POST' }),
    },
    body: JSON.stringify({ code: error.code }),
  };
}

/** One line, and the cause, if there is one. */
function logError({ name, code, message, cause }: HeadgateError): void {
  console.error(`${name} ${code}: ${message}`, ...(cause === undefined ? [] : [cause]));
}
