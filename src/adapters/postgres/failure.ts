/** Maps errors of Postgres, its driver and the network to codes of `StoreError`. */
import { HeadgateError, StoreError, type StoreErrorCode } from '../../errors.js';

/** Codes of failed statements. `store_damaged` is not among them: the store finds damage in rows that it has read. */
type FailureKind = Exclude<StoreErrorCode, 'store_damaged'>;

const MESSAGES: Readonly<Record<FailureKind, string>> = {
  store_unreachable: 'Postgres cannot be reached, or the connection broke',
  store_full: 'Postgres has no room left',
  store_locked: 'Postgres gave up waiting for a lock, or two transactions waited for each other',
  store_outdated: 'The tables are not there, or are older than this package: call migrate()',
  store_failed: 'Postgres refused; the cause has its words',
};

/**
 * The first pattern that matches decides. Codes of five characters are SQLSTATEs; longer ones are Node's.
 * See https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const KINDS: readonly (readonly [RegExp, FailureKind])[] = [
  [/^(08...|57P0[1235]|53300|25P03)$/, 'store_unreachable'],
  [/^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST\w+|ENET\w+)$/, 'store_unreachable'],
  [/^(53100|53200)$/, 'store_full'],
  [/^(55P03|40001|40P01)$/, 'store_locked'],
  [/^(42P01|3F000|42703)$/, 'store_outdated'],
];
/** Messages of connection errors that the driver itself throws, which have no code. */
const DISCONNECTED = /connect|terminated|timeout/i;

const isOurs = (error: unknown): error is HeadgateError => error instanceof HeadgateError;

/** An error of a driver, of Drizzle (the driver's is its `cause`) or of Prisma (the driver's is in `meta`). */
interface DriverError {
  readonly code?: unknown;
  /** Replaces `code` in the driver's error of Prisma. */
  readonly originalCode?: unknown;
  readonly message?: string;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: DriverError } };
}

function driverErrorOf(error: unknown): DriverError {
  const outer: DriverError = error instanceof Error ? error : {};
  const { code, cause, meta } = outer;
  return meta?.driverAdapterError?.cause ?? (code === undefined && cause instanceof Error ? cause : outer);
}

/**
 * The error that the store throws for an error of Postgres, its driver or the network. Its code tells a host what
 * happened to its own statements: `store_locked` may be tried again, and `store_full` and `store_unreachable` may pass.
 * The original is the `cause` and not in the message, since Postgres quotes values.
 *
 * @param error - The caught error, also one of Drizzle, Kysely, Prisma, TypeORM or postgres.js; an error of this
 * package is returned unchanged.
 */
export function storeErrorOf(error: unknown): HeadgateError {
  if (isOurs(error)) return error;
  const { originalCode, code = originalCode, message } = driverErrorOf(error);
  const word = typeof code === 'string' ? code : '';
  const lost = word === '' && DISCONNECTED.test(message ?? '') ? 'store_unreachable' : null;
  const kind = lost ?? KINDS.find(([pattern]) => pattern.test(word))?.[1] ?? 'store_failed';
  return new StoreError(kind, `${MESSAGES[kind]}${word === '' ? '' : ` (${word})`}`, { cause: error });
}
