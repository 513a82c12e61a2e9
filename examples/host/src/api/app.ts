/** The HTTP side: from a table of bound routes to one `fetch`. */
import { Hono } from 'hono';
import type { ByteRate } from '../limits/byte-rate.js';
import { hasMore } from '../ground/counting.js';
import { isUuid, newId } from '../ground/ids.js';
import { originOf } from '../ground/origin.js';
import { notFound, Problem } from '../ground/problem.js';
import type { Charge, Ledger } from '../limits/ledger.js';
import { createMemory, strangersAt, unread } from '../limits/memory.js';
import { jsonAnswer, problemAnswer, problemOf } from './answers.js';
import { headerPairs, type NodeBindings, readBody } from './body.js';
import { isRead } from './declared.js';
import { assertMayEnter } from './guard.js';
import type { Authenticate, Principal } from './principal.js';
import { type BoundRoute, type Call, type RouteDefinition, Streamed, WithHeaders } from './route.js';
import { createSending, type Delivery, type Sending } from './sending.js';
import { validated } from './validation.js';

/** A request that was answered, for the log and the metrics. */
export interface Served {
  readonly requestId: string;
  /** The path of the route, not of the request, which may hold an address. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly actor: string | null;
  /** The error behind a status of 500 or more. */
  readonly error?: unknown;
}

/** The pages of the service, served to everybody by GET beside the API. */
export interface Pages {
  /** As the router writes them, such as `/dashboard/*`. */
  readonly paths: readonly string[];
  /**
   * Null where there is nothing at the path.
   *
   * @param path - Decoded.
   * @param headers - Of the request.
   */
  answer(path: string, headers: Headers): Response | null;
}

/** Dependencies of the HTTP application. */
export interface AppParts {
  readonly routes: readonly BoundRoute[];
  readonly pages?: Pages;
  readonly authenticate: Authenticate;
  /** Asked where the operator names a project; a key or a session always has one that exists. */
  readonly projectExists: (id: string) => Promise<boolean>;
  /** Called after each answer has been made. */
  readonly served: (served: Served) => void;
  readonly now: () => number;
  /** True once the service stops: new requests are refused. */
  readonly isStopping: () => boolean;
  /** Bytes of JSON that each project may have parsed; left out, any number. */
  readonly bodies?: ByteRate;
  /** The ledger that bodies and answers are charged to; the application has its own unless one is given. */
  readonly memory?: Ledger;
  /** The origin that the configuration names; without it, each request's own. */
  readonly origin?: string;
}

const DEFAULT_MAX_BYTES = 1_048_576;
/** Most bytes of JSON that are read for somebody who has shown no key. */
const STRANGERS_MAX_BYTES = 4_096;

/** The parts that all requests of an application share. */
interface Shared extends AppParts {
  readonly memory: Ledger;
  readonly sending: Sending;
}

/** A fetch function that serves every route of the table, and answers problems for everything else. */
export function createApp(parts: AppParts): Hono<{ Bindings: NodeBindings }> {
  const app = new Hono<{ Bindings: NodeBindings }>();
  const shared: Shared = { memory: createMemory(), ...parts, sending: createSending(parts.now) };
  for (const bound of parts.routes) {
    const { method, path } = bound.definition;
    app.on(method, honoPath(path), (context) =>
      serve(bound, shared, context.req.raw, context.req.param() as Record<string, string>, context.env),
    );
  }
  const refusal = ({ headers }: Request, problem: Problem): Response =>
    problemAnswer(problem, requestIdOf(headers, parts.now()));
  const nothing = (request: Request): Response =>
    refusal(request, new Problem('not_found', 'there is no such path'));
  const { pages = NO_PAGES } = parts;
  for (const path of pages.paths) {
    app.get(path, ({ req }) => pages.answer(req.path, req.raw.headers) ?? nothing(req.raw));
  }
  const ofPages = pages.paths.map((path) => [path, ['GET', 'HEAD']] as const);
  for (const [path, methods] of [...methodsByPath(parts.routes), ...ofPages]) {
    app.all(honoPath(path), ({ req }) => {
      const problem = new Problem('method_not_allowed', `this path takes ${methods.join(', ')}`);
      const answer = refusal(req.raw, problem);
      answer.headers.set('allow', methods.join(', '));
      return answer;
    });
  }
  app.notFound(({ req }) => nothing(req.raw));
  return app;
}

const NO_PAGES: Pages = { paths: [], answer: () => null };

const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

function methodsByPath(routes: readonly BoundRoute[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { definition } of routes) {
    methods.set(definition.path, [...(methods.get(definition.path) ?? []), definition.method]);
  }
  return methods;
}

/** A caller may name its request, as gateways do; anything but a short plain word is replaced. */
const requestIdOf = (headers: Headers, at: number): string => {
  const given = headers.get('x-request-id');
  return given !== null && /^[\w.-]{8,64}$/.test(given) ? given : newId(at);
};

async function serve(
  { definition, handle }: BoundRoute,
  parts: Shared,
  request: Request,
  params: Record<string, string>,
  env: NodeBindings = {},
): Promise<Response> {
  const began = parts.now();
  const requestId = requestIdOf(request.headers, began);
  let principal: Principal | null = null;
  let charge: Charge | null = null;
  /** Charges the body first, then the answer. */
  const charged = (owner = ownerOf(principal, params.project, definition)): Charge =>
    (charge ??= parts.memory.open(owner));
  const delivery = (mayRefuse: boolean): Delivery => {
    return { charge: charged(), outgoing: env.outgoing, mayRefuse };
  };
  const ended = (response: Response, error?: unknown): Response => {
    const { status } = response;
    const { path: route, method } = definition;
    const actor = principal?.actor ?? null;
    parts.served({ requestId, route, method, status, ms: parts.now() - began, actor, error });
    response.headers.set('x-request-id', requestId);
    return response;
  };
  try {
    if (parts.isStopping()) {
      throw new Problem('stopping', 'the service is stopping; try again', { retryAfter: 1 });
    }
    principal = await parts.authenticate(request.headers);
    const { access, method } = definition;
    const project = params.project ?? null;
    const origin = (): string => originOf(request.headers, parts.origin) ?? new URL(request.url).origin;
    assertMayEnter(principal, { access, method, project, headers: request.headers, origin });
    await assertProject(principal, params.project, parts);
    const bytes = (owner?: string): Promise<Uint8Array> =>
      readBody(request, env, maxBytesOf(definition), charged(owner));
    const sender = project ?? principal?.project ?? '';
    // The bodies of strangers are too small to count.
    const counted = principal === null ? bytes : () => bytes().then((all) => spend(parts, sender, all));
    const call: Call = {
      params: paramsOf(definition, params),
      query: (definition.query === undefined
        ? {}
        : validated(definition.query, queryOf(request.url), 'query')) as never,
      body: (await bodyOf(definition, request, counted)) as never,
      principal: principal as never,
      headers: request.headers,
      rawHeaders: () => headerPairs(request, env),
      request,
      bytes,
      reserve: (size) => {
        if (!charged().set(size)) throw unread();
      },
      requestId,
      // Made when it is asked for: most routes do not, and it costs as much as all of a small request.
      get signal() {
        return request.signal;
      },
    };
    const answer = await handle(call);
    const to = delivery(isRead(definition));
    return ended(
      answer instanceof Streamed
        ? parts.sending.stream(answer.body, answer.headers, to)
        : parts.sending.whole(answerOf(definition, answer), to),
    );
  } catch (error) {
    const problem = problemOf(error);
    const answer = parts.sending.whole(problemAnswer(problem, requestId), delivery(false));
    return ended(answer, problem.status >= 500 ? error : undefined);
  }
}

/** @throws Problem `too_many_requests` where the project has sent more than it may. */
function spend({ bodies, now }: AppParts, project: string, content: Uint8Array): Uint8Array {
  const waitMs = bodies?.take(project, content.byteLength, now()) ?? 0;
  if (waitMs === 0) return content;
  const message = 'the project sends more JSON to the API than it may: send the request again later';
  throw new Problem('too_many_requests', message, { retryAfter: Math.ceil(waitMs / 1_000) });
}

/** The owner of the memory that a request takes. */
const ownerOf = (
  principal: Principal | null,
  project: string | undefined,
  { path }: RouteDefinition,
): string => (principal === null ? strangersAt(path) : (principal.project ?? project ?? 'operator'));

/** Without this, the operator could make keys and endpoints of a project that does not exist. */
async function assertProject(
  principal: Principal | null,
  project: string | undefined,
  { projectExists }: AppParts,
): Promise<void> {
  if (principal?.project !== null || project === undefined) return;
  if (!isUuid(project) || !(await projectExists(project))) throw notFound('project');
}

/** An id that is not well formed names nothing, so it is `not_found` and not `invalid_request`. */
function paramsOf({ params }: RouteDefinition, given: Record<string, string>): Call['params'] {
  const result = params.safeParse(given);
  if (!result.success) throw new Problem('not_found', 'there is no such resource');
  return result.data;
}

const maxBytesOf = ({ maxBytes, access, body }: RouteDefinition): number =>
  maxBytes ?? (access === 'anybody' && body !== 'raw' ? STRANGERS_MAX_BYTES : DEFAULT_MAX_BYTES);

/** Most parameters of a query, of which each that is not known is looked at, too. */
const MAX_PARAMETERS = 100;

/**
 * A name that comes twice is a list, for the routes that take one.
 *
 * @throws Problem `invalid_request` where there are too many parameters, before any is read.
 */
function queryOf(url: string): Record<string, string | string[]> {
  const { search, searchParams } = new URL(url);
  if (hasMore(search, '&', MAX_PARAMETERS - 1)) {
    throw new Problem('invalid_request', `the query has more than ${MAX_PARAMETERS} parameters: send fewer`);
  }
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of searchParams) {
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return { ...query };
}

async function bodyOf(
  { body }: RouteDefinition,
  { headers }: Request,
  bytes: () => Promise<Uint8Array>,
): Promise<unknown> {
  if (body === undefined || body === 'raw') return undefined;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const content = await bytes();
  // A route whose body may be left out takes an empty one.
  if (content.byteLength === 0) return validated(body, undefined, 'body');
  if (type !== 'application/json') {
    throw new Problem('unsupported_media_type', 'send the body as content-type: application/json');
  }
  return validated(body, parsed(content), 'body');
}

function parsed(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content)) as unknown;
  } catch {
    throw new Problem('invalid_json', 'the body is not JSON in UTF-8');
  }
}

function answerOf({ status = 200 }: RouteDefinition, answer: unknown): Response {
  if (answer instanceof Response) return answer;
  if (answer instanceof WithHeaders) {
    return jsonAnswer(status, answer.body as object | undefined, answer.headers);
  }
  return jsonAnswer(status, answer as object | undefined);
}
