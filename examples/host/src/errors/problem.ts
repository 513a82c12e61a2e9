/** Problems: the errors that the API answers with, as RFC 9457 describes them. */
import { fitting, shortened, shortIssues } from './shortened.js';

/** Every code with its HTTP status and its title. The list is closed: docs/api.md has a row for each. */
export const PROBLEMS = {
  invalid_request: [400, 'The request is not as the route describes it'],
  invalid_json: [400, 'The body is not JSON'],
  invalid_cursor: [400, 'The cursor is not one that this list gave'],
  unauthorized: [401, 'A valid key is required'],
  signature_invalid: [401, 'The source of the request could not be verified'],
  quota_exceeded: [402, 'The plan has no room for another rule'],
  forbidden: [403, 'The key does not have the scope that is required'],
  cross_origin: [403, 'A change with a session must come from the same origin'],
  not_found: [404, 'There is no such resource'],
  method_not_allowed: [405, 'The resource does not take this method'],
  conflict: [409, 'The request contradicts the state of the resource'],
  idempotency_conflict: [409, 'The idempotency key was used with another request'],
  version_conflict: [412, 'The resource was changed since it was read'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The content type is not supported'],
  invalid_rule: [422, 'The rule is not valid'],
  invalid_document: [422, 'The document is not valid'],
  invalid_event: [422, 'The event does not match the schema of its type'],
  too_many_requests: [429, 'Too many requests'],
  internal_error: [500, 'The service failed'],
  overloaded: [503, 'The service is busy'],
  store_unavailable: [503, 'The database cannot be reached, or its disk is full'],
  dry_run_timeout: [503, 'The dry-run took too long'],
  clock_skewed: [503, 'The clock of the process is not that of the database'],
  stopping: [503, 'The service is stopping'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

/** A code of {@link PROBLEMS}. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The remedy for each code, for the reference. */
export const REMEDIES: Readonly<Record<ProblemCode, string>> = {
  invalid_request:
    '`issues` or `detail` names each part that is wrong. Correct it; a repetition is refused, too.',
  invalid_json: 'Send JSON in UTF-8.',
  invalid_cursor: 'Give `next` of an earlier page of the same list, or leave `cursor` out to start again.',
  unauthorized: 'Send `Authorization: Bearer <key>` with a key that was not revoked, or sign in.',
  signature_invalid:
    "Sign with the secret in the channel's source settings; the channel counts what it refuses.",
  quota_exceeded: 'Delete rules or choose a larger plan; `limit` and `plan` say what the plan allows.',
  forbidden: 'Use a key with the scope that `detail` names.',
  cross_origin: 'Change things from the pages of the service itself, or with a key.',
  not_found: 'It does not exist, or it belongs to another project. Check the id and the path.',
  method_not_allowed: 'The header `Allow` has the methods of this path.',
  conflict: 'Read the resource again, and do what `detail` says.',
  idempotency_conflict: 'Give each request a key of its own; repeat one only with the same body.',
  version_conflict: 'Read the resource again, and repeat the change with its new `ETag`.',
  body_too_large: 'Send less at a time.',
  unsupported_media_type: 'Send `content-type: application/json`, or what the route names.',
  invalid_rule: '`issues` has everything that is wrong with the rule, each with a pointer into it.',
  invalid_document: '`issues` has everything that is wrong with the document, each with a pointer into it.',
  invalid_event:
    '`issues` has the first things that are wrong with `data`, each with a pointer into the event. Correct the event, or the schema of its type.',
  too_many_requests: 'Repeat it after `Retry-After` seconds, and do fewer of these at the same time.',
  internal_error: 'Repeat it. The log of the service has the reason under `request_id`.',
  overloaded: 'Nothing was stored. Repeat it after `Retry-After` seconds.',
  store_unavailable:
    'Nothing is known to be stored. Repeat it after `Retry-After` seconds, with the same `Idempotency-Key`.',
  dry_run_timeout: 'Choose a smaller window, or a match that is faster.',
  clock_skewed: 'For the operator of the service: synchronize the clocks of the process and of its database.',
  stopping: 'Repeat it: another process answers, or this one when it has started again.',
};

/** The `type` of a problem: where the reference of the service describes it, relative to its origin. */
export const problemType = (code: ProblemCode): string => `/reference#${problemAnchor(code)}`;
export const problemAnchor = (code: ProblemCode): string => `problem-${code}`;

/** One thing that is wrong in a document; `pointer` is an RFC 6901 pointer into it. */
export interface ProblemIssue {
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
}

/** The maximum of issues in a problem: the search for them ends there. */
export const MAX_ISSUES = 100;

/** Members beside the standard ones. */
export interface ProblemDetails {
  readonly issues?: readonly ProblemIssue[];
  /** Issues that there are beside `issues`. */
  readonly issuesLeftOut?: number;
  /** Seconds for the Retry-After header. */
  readonly retryAfter?: number;
  /** Further members of the answer, such as `limit` and `plan` of a `quota_exceeded`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** Most UTF-16 units of the JSON of all issues. */
const MOST_ISSUE_UNITS = 32_768;

/** A caller who sent much that is wrong does not get all of it back: the answer says how many issues it leaves out. */
function boundedDetails(
  { issues, issuesLeftOut = 0, ...details }: ProblemDetails,
  detail: string,
): ProblemDetails {
  if (issues === undefined) return details;
  const told = issues.slice(0, MAX_ISSUES).map(({ code, pointer, message }) => ({ code, pointer, message }));
  const short = shortIssues(told, detail);
  const { items } = fitting(short, { items: MAX_ISSUES, units: MOST_ISSUE_UNITS });
  return { ...details, issues: items, issuesLeftOut: issuesLeftOut + issues.length - items.length };
}

/**
 * An error that is answered to the caller. Its message never holds a secret, SQL or a stack. It is bounded however much
 * the caller sent.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  /**
   * @param code - Decides the status.
   * @param message - A sentence for the caller: what is wrong, where, and what to do.
   * @param details - Further members.
   */
  constructor(code: ProblemCode, message: string, details: ProblemDetails = {}) {
    super(shortened(message));
    this.code = code;
    this.details = boundedDetails(details, this.message);
  }

  /** The HTTP status. */
  get status(): number {
    return PROBLEMS[this.code][0];
  }
}

/** @param what - The resource, such as `rule`. */
export const notFound = (what: string): Problem => new Problem('not_found', `there is no such ${what}`);
