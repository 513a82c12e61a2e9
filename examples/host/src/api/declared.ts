/** The problem codes that a route may answer with: its own, and those that follow from its definition. */
import { type ProblemCode, PROBLEMS } from '../errors/problem.js';
import type { RouteDefinition } from './route.js';

/**
 * Whether an answer may be refused when there is no room for it: nothing has been changed, so the caller may ask again.
 * The answer to a change is always sent.
 */
export const isRead = ({ method, access }: RouteDefinition): boolean => method === 'GET' || access === 'read';

/** For each code: whether a route may answer with it, although its definition does not name it. */
const FOLLOWS: Partial<Record<ProblemCode, (route: RouteDefinition) => boolean>> = {
  invalid_request: ({ query, body, idempotent }) =>
    query !== undefined || body !== undefined || idempotent === true,
  invalid_json: ({ body }) => body !== undefined && body !== 'raw',
  unsupported_media_type: ({ body }) => body !== undefined && body !== 'raw',
  body_too_large: ({ body }) => body !== undefined,
  too_many_requests: ({ body, access }) => body !== undefined && body !== 'raw' && access !== 'anybody',
  unauthorized: ({ access }) => access !== 'anybody',
  forbidden: ({ access }) => access !== 'anybody' && access !== 'admin',
  cross_origin: ({ method }) => method !== 'GET',
  not_found: ({ access, path }) => access === 'admin' || path.includes('{'),
  version_conflict: ({ versioned }) => versioned === true,
  idempotency_conflict: ({ idempotent }) => idempotent === true,
  internal_error: () => true,
  overloaded: (route) => route.body !== undefined || isRead(route),
  store_unavailable: () => true,
  stopping: () => true,
};

/** Every code that a route may answer with, in the order of {@link PROBLEMS}. */
export const problemsOf = (route: RouteDefinition): readonly ProblemCode[] =>
  (Object.keys(PROBLEMS) as ProblemCode[]).filter(
    (code) => route.problems?.includes(code) === true || FOLLOWS[code]?.(route) === true,
  );

/** The same by HTTP status. */
export function problemsByStatus(route: RouteDefinition): ReadonlyMap<number, readonly ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(route)) {
    const [status] = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** The status of success. */
export const statusOf = ({ status, answer, produces }: RouteDefinition): number =>
  status ?? (answer === undefined && produces === undefined ? 204 : 200);
