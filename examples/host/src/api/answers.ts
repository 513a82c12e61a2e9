/** Responses: JSON and problems. */
import { HeadgateError, stringifyJson } from 'headgate';
import { DatabaseUnavailable } from '../db/index.js';
import { Problem, PROBLEMS, problemType } from '../errors/problem.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';
/** Answers are for their caller alone, and never a page. */
const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** A JSON answer; the value may be of any depth. */
export const jsonAnswer = (
  status: number,
  body: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  body === undefined
    ? new Response(null, {
        status: status === 200 ? 204 : status,
        headers: { ...COMMON_HEADERS, ...headers },
      })
    : jsonText(stringifyJson(body), status, headers);

/** A JSON answer that is a text already. */
export const jsonText = (
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(bodyOf(text), {
    status,
    headers: { 'content-type': JSON_TYPE, ...lengthOf(text), ...COMMON_HEADERS, ...headers },
  });

/**
 * From this length on, a text becomes bytes when it is read, and is let go of: a response of a text would keep both.
 */
const LONG = 65_536;

function bodyOf(text: string): BodyInit {
  if (text.length < LONG) return text;
  let unread = text;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.enqueue(Buffer.from(unread));
    unread = '';
    controller.close();
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

/** Sending an answer charges its length. */
const lengthOf = (text: string) => ({ 'content-length': `${Buffer.byteLength(text)}` });

/**
 * The problem that an error is answered with. An error that nobody expected becomes `internal_error`, and tells
 * nothing.
 *
 * @param error - Anything that was thrown.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable) {
    return new Problem('store_unavailable', `${error.message}; try again`, { retryAfter: 1 });
  }
  if (error instanceof HeadgateError && (error.code as string).startsWith('store_')) {
    return new Problem('store_unavailable', 'the database cannot be reached; try again', { retryAfter: 1 });
  }
  return new Problem(
    'internal_error',
    'the service failed; the log has the reason under the id of this request',
  );
}

/** The JSON of a problem, as RFC 9457 describes it. */
export function problemBody({ code, message, details }: Problem, requestId: string): object {
  const [status, title] = PROBLEMS[code];
  return {
    type: problemType(code),
    title,
    status,
    code,
    detail: message,
    request_id: requestId,
    ...(details.issues !== undefined && { issues: details.issues }),
    ...(details.issuesLeftOut && { issues_left_out: details.issuesLeftOut }),
    ...details.members,
  };
}

/** The response of a problem. */
export function problemAnswer(problem: Problem, requestId: string): Response {
  const { code, status, details } = problem;
  const text = stringifyJson(problemBody(problem, requestId));
  const headers: Record<string, string> = {
    'content-type': PROBLEM_TYPE,
    ...lengthOf(text),
    ...COMMON_HEADERS,
    'x-request-id': requestId,
  };
  if (details.retryAfter !== undefined) headers['retry-after'] = `${details.retryAfter}`;
  if (code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  return new Response(text, { status, headers });
}
