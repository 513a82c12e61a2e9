/** The options of receivers, and their checks. */
import { type HeadgateError, OptionError } from '../errors.js';
import { checkNames, VERIFIER_OPTIONS, type VerifierOptions } from '../signing/options.js';
import type { VerifiedDelivery } from '../signing/reader.js';
import type { SeenStore } from './seen.js';
import type { StandardSchema } from './standard-schema.js';

/** An event as it is delivered. Fields beyond these pass through. */
export interface Event<Data = Readonly<Record<string, unknown>>> {
  /** Such as `evt_01J9Z2…`. */
  readonly id: string;
  /** Such as `webhook.received`. */
  readonly type: string;
  /** The block that rules transform. */
  readonly data: Data;
  readonly [field: string]: unknown;
}

/** The part of a request by which its secrets are chosen. Nothing of it is verified. */
export interface RequestInfo {
  /** As the framework gives it: a whole URL, or a path with its query. */
  readonly url: string;
  /** The value of a header; null if it is missing. */
  readonly header: (name: string) => string | null;
}

/** One signing secret, or several during a rotation. */
export type Secrets = string | readonly string[];

/** Options of `createReceiver`. */
export interface ReceiverOptions<E = Event> extends Omit<VerifierOptions, 'secrets'> {
  /**
   * The signing secret of the channel, or several during a rotation. A function gives those of each request, by its URL
   * for example, where one service receives for many.
   */
  readonly secrets: Secrets | ((request: RequestInfo) => Secrets | Promise<Secrets>);
  /**
   * Handles an event. Once its promise has resolved, the delivery is answered with 204. If it rejects, the answer is
   * 503, and the delivery comes again. Senders wait for 10 seconds. Nothing of `request` is verified.
   */
  readonly handle: (event: E, delivery: VerifiedDelivery, request: RequestInfo) => void | Promise<void>;
  /** Finds repeats, so that each event is handled once. Without it, the handler gets them. */
  readonly seen?: SeenStore;
  /**
   * Checks the event, and gives the handler its output: a schema of Zod, Valibot, ArkType or any other Standard Schema.
   */
  readonly schema?: StandardSchema<E>;
  /**
   * Most bytes of a body.
   *
   * @defaultValue `1_048_576`
   */
  readonly maxBytes?: number;
  /**
   * Called with a `SignatureError` or a `ReceiverError` for every delivery that was not handled. The answer does not
   * wait for it.
   *
   * @defaultValue a line on `console.error`
   */
  readonly onError?: (error: HeadgateError, request: RequestInfo) => unknown;
}

const NAMES: readonly string[] = [...VERIFIER_OPTIONS, 'handle', 'seen', 'schema', 'maxBytes', 'onError'];

const hasFunctions = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');

/** @throws {@link OptionError} `invalid_option` */
export function checkOptions<E>(options: ReceiverOptions<E>): void {
  checkNames('options', options, NAMES);
  const { handle, seen, schema, maxBytes = 1, onError } = options;
  const cures = [
    typeof handle !== 'function' && 'handle: give a function of the event',
    seen !== undefined &&
      !hasFunctions(seen, 'begin', 'end') &&
      'seen: give begin(key) and end(key, handled)',
    schema !== undefined && !('~standard' in Object(schema)) && 'schema: give a Standard Schema',
    !(Number.isInteger(maxBytes) && maxBytes > 0) && 'maxBytes: give bytes, 1 or more',
    onError !== undefined && typeof onError !== 'function' && 'onError: give a function of the error',
  ].filter((cure) => cure !== false);
  if (cures.length > 0) throw new OptionError('invalid_option', cures.join('; '));
}
