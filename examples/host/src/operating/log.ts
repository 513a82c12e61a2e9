/** The log: one JSON object a line on stdout. */
import pino, { type Logger } from 'pino';
import type { Served } from '../api/app.js';

export type { Logger } from 'pino';

/** Headers and members that must never be printed, wherever an object has them. */
const SECRETS = [
  'key',
  'secret',
  'secrets',
  'token',
  'authorization',
  'cookie',
  'password',
  'connectionString',
];

/** @param level - Least level that is printed. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: { service: 'headgate', pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
  });

/** Requests of a kind that comes thousands of times a second are logged where they fail, and else at `debug`. */
const BUSY_ROUTES = new Set(['/in/{channel}', '/healthz', '/readyz', '/metrics']);

/** Writes the line of a request. The route is its pattern: the path of an ingest address is a credential. */
export function logServed(log: Logger, { requestId, method, route, status, ms, actor, error }: Served): void {
  const line = { request_id: requestId, method, route, status, ms: Math.round(ms * 10) / 10, actor };
  if (status >= 500) log.error({ ...line, err: error }, 'request failed');
  else if (BUSY_ROUTES.has(route)) log.debug(line, 'request');
  else log.info(line, 'request');
}
