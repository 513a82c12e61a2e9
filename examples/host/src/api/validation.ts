/** Validates the parts of a request by the schemas of its route. */
import type { z } from 'zod';
import { Problem, type ProblemIssue } from '../ground/problem.js';

/** Most issues that an answer has. */
const MAX_ISSUES = 100;

/**
 * The value as the schema reads it.
 *
 * @param where - The part of the request: `body`, `query`, or `path`.
 * @throws Problem `invalid_request` with every issue.
 */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, MAX_ISSUES).map(issueOf);
  const [first] = issues;
  throw new Problem(
    'invalid_request',
    `the ${where} is not as described: ${first?.pointer ?? ''} ${first?.message ?? ''}`,
    {
      issues,
    },
  );
}

const issueOf = ({ code, path, message }: z.core.$ZodIssue): ProblemIssue => ({
  code: code === 'unrecognized_keys' ? 'unknown_member' : 'invalid_value',
  pointer: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  message,
});
