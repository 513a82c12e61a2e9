/** The log: one JSON object a line on stdout. */
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Served } from '../api/serving.js';

export type { Logger } from 'pino';

/** Members that are never printed, at any depth, whatever the case of their names. */
const SECRET_NAMES = new Set([
  ...['key', 'keys', 'secret', 'secrets', 'token', 'password', 'connectionstring', 'connection_string'],
  ...['authorization', 'cookie', 'set-cookie', 'adminkey', 'sealingkeys', 'body', 'payload'],
]);
/** Keys of the service, signing secrets, and passwords in connection strings, wherever a text has one. */
const SECRET_TEXTS = /\b(hg_(?:key|ses|once)_|whsec_)[\w+/=-]+|(:\/\/[^\s:/@"]*:)[^\s/@"]+(?=@)/g;
const CENSOR = '[redacted]';
const MAX_DEPTH = 6;

/**
 * A log that prints no secret: members are left out by their names, and keys that occur in a text by their form.
 *
 * @param level - Least level that is printed.
 * @param destination - Stdout unless given.
 */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      base: { service: 'headgate', pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (line) => shown(line, 0) as typeof line },
      // Errors are plain objects by then; pino's own serializer would join their messages.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: (line) => line.replace(SECRET_TEXTS, `$1$2${CENSOR}`) },
    },
    destination,
  );

function shown(value: unknown, depth: number): unknown {
  if (value instanceof Error) return shownError(value, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => shown(item, depth + 1));
  const members = Object.entries(value).map(([name, member]): [string, unknown] =>
    SECRET_NAMES.has(name.toLowerCase()) ? [name, CENSOR] : [name, shown(member, depth + 1)],
  );
  return Object.fromEntries(members);
}

/** An error without members of its own: those of Postgres hold the values of the row that it refused. */
function shownError(error: Error, depth: number): object {
  const { name, message, stack, cause } = error;
  const { code } = error as { readonly code?: unknown };
  return {
    ...{ type: name, message, stack },
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(cause !== undefined && depth < MAX_DEPTH && { cause: shown(cause, depth + 1) }),
  };
}

/** Requests of a kind that comes thousands of times a second are logged where they fail, and else at `debug`. */
const BUSY_ROUTES = new Set(['/in/{channel}', '/healthz', '/readyz', '/metrics']);

/** Writes the line of a request. The route is its pattern: the path of an ingest address is a credential. */
export function logServed(log: Logger, { requestId, method, route, status, ms, actor, error }: Served): void {
  const line = { request_id: requestId, method, route, status, ms: Math.round(ms * 10) / 10, actor };
  if (status >= 500) log.error({ ...line, err: error }, 'request failed');
  else if (BUSY_ROUTES.has(route)) log.debug(line, 'request');
  else log.info(line, 'request');
}
