/** Validates the parts of a request by the schemas of its route. */
import type { z } from 'zod';
import { MAX_ISSUES, Problem, type ProblemIssue } from '../errors/problem.js';
import { excessOf } from './bounds.js';

/**
 * The value as the schema reads it.
 *
 * @param where - The part of the request: `body`, `query`, or `path`.
 * @throws Problem `invalid_request` with the first issues, and the number of those that it leaves out.
 */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const excess = excessOf(schema, value);
  if (excess !== null) throw invalid(where, [issueOf({ ...excess, code: 'too_big' })]);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  throw invalid(where, issues.slice(0, MAX_ISSUES).map(issueOf), issues.length);
}

/** @throws Problem `unsupported_media_type` */
export function assertJsonType(headers: Headers): void {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new Problem('unsupported_media_type', 'send the body as content-type: application/json');
}

/** @param all - The number of all issues. */
function invalid(where: string, issues: readonly ProblemIssue[], all = issues.length): Problem {
  const [first] = issues;
  const message = `the ${where} is not as described: ${first?.pointer ?? ''} ${first?.message ?? ''}`;
  return new Problem('invalid_request', message, { issues, issuesLeftOut: all - issues.length });
}

interface Found {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const issueOf = ({ code, path, message }: Found): ProblemIssue => ({
  code: code === 'unrecognized_keys' ? 'unknown_member' : 'invalid_value',
  pointer: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  message,
});
