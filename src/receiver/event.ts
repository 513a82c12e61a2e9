/** Reads the event from a body that is genuine. */
import type { ReceiverOptions } from './options.js';
import { ReceiverError } from './receiver-error.js';
import type { StandardIssue } from './standard-schema.js';

/** An event with the id that its body has, which is signed. */
export interface ReadEvent<E> {
  readonly id: string;
  readonly event: E;
}

/** @throws {@link ReceiverError} `invalid_json`, `invalid_event` */
export async function readEvent<E>(
  body: Uint8Array,
  schema: ReceiverOptions<E>['schema'],
): Promise<ReadEvent<E>> {
  const value = parse(body);
  const { id } = Object(value) as { readonly id?: unknown };
  if (typeof id !== 'string') throw new ReceiverError('invalid_event', 'the body is JSON without an id');
  if (schema === undefined) return { id, event: value as E };
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return { id, event: result.value };
  throw new ReceiverError(
    'invalid_event',
    `the schema refuses the event: ${result.issues.map(told).join('; ')}`,
  );
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // Its error would quote the body.
    throw new ReceiverError('invalid_json', 'the body is genuine, but not JSON');
  }
}

const told = ({ path = [], message }: StandardIssue): string =>
  `${path.map((part) => `/${String(typeof part === 'object' ? part.key : part)}`).join('') || 'event'}: ${message}`;
