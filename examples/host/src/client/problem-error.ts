/** Problems as errors. */
import type { ProblemCode, ProblemIssue } from '../errors/problem.js';

/** The members that every problem has, and those that some have. */
export interface ProblemBody {
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly request_id: string;
  readonly issues?: readonly ProblemIssue[];
  readonly [member: string]: unknown;
}

/** An answer that is a problem. Its message is a sentence for people; programs read `code`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode;
  readonly status: number;
  /** Name it when you ask for help: it is in the log of the service. */
  readonly requestId: string;
  /** All that is wrong with a document. */
  readonly issues: readonly ProblemIssue[];
  /** Seconds to wait before the next try; null if the service names none. */
  readonly retryAfter: number | null;
  /** The whole problem. */
  readonly body: ProblemBody;

  constructor(body: ProblemBody, retryAfter: number | null) {
    super(body.detail);
    this.code = body.code;
    this.status = body.status;
    this.requestId = body.request_id;
    this.issues = body.issues ?? [];
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/**
 * The error of an unsuccessful response. A proxy's answer, which is not a problem document, becomes `internal_error`.
 */
export async function errorOf(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  if (response.headers.get('content-type')?.startsWith('application/problem+json') === true) {
    return new ApiError((await response.json()) as ProblemBody, retryAfter);
  }
  await response.body?.cancel();
  const { status, statusText: title } = response;
  const request_id = response.headers.get('x-request-id') ?? '';
  const detail = `the answer is ${status} without a problem; something between here and the service may have made it`;
  return new ApiError({ title, status, code: 'internal_error', detail, request_id }, retryAfter);
}
