/** One request to a route, from its arrival to its answer. */
import type { Rate } from '../limits/rate.js';
import { hasMore } from '../limits/counting.js';
import { isUuid, newId } from '../ids.js';
import { originOf } from '../http/origin.js';
import { notFound, Problem } from '../errors/problem.js';
import type { Charge, Ledger } from '../limits/ledger.js';
import { strangersAt, unread } from '../limits/memory.js';
import { jsonAnswer, problemAnswer, problemOf } from './answers.js';
import { headerPairs, type NodeBindings, readBody } from './body.js';
import { isRead } from './declared.js';
import { assertMayEnter } from './guard.js';
import type { Authenticate, Principal } from './principal.js';
import { type BoundRoute, type Call, type RouteDefinition, Streamed, WithHeaders } from './route.js';
import type { Delivery, Sending } from './sending.js';
import { assertJsonType, validated } from './validation.js';

/** A request that was answered, for the log and the metrics. */
export interface Served {
  readonly requestId: string;
  /** The path of the route, not of the request, which may hold an address. */
  readonly route: string;
  readonly method: string;
  /** 499 where the caller has gone away, as proxies write it. */
  readonly status: number;
  readonly ms: number;
  readonly actor: string | null;
  /** The error behind a status of 500 or more. */
  readonly error?: unknown;
}

/** The parts that all requests of an application share. */
export interface ServingParts {
  readonly authenticate: Authenticate;
  /** Called if the operator names a project; the project of a key or a session always exists. */
  readonly projectExists: (id: string) => Promise<boolean>;
  /** Called after each answer has been made. */
  readonly served: (served: Served) => void;
  readonly now: () => number;
  /** True once the service stops: new requests are refused. */
  readonly isStopping: () => boolean;
  /** Bytes of JSON that each project may have parsed; left out, any number. */
  readonly bodies?: Rate;
  /** The origin that the configuration names; without it, each request's own. */
  readonly origin?: string;
  /** The ledger that bodies and answers are charged to. */
  readonly memory: Ledger;
  readonly sending: Sending;
}

const DEFAULT_MAX_BYTES = 1_048_576;
/** The status under which a request is recorded whose caller has gone away. */
const GONE = 499;
/** Most bytes of JSON that are read for a caller without a key. */
const STRANGERS_MAX_BYTES = 4_096;

/** A caller may name its request, as gateways do; anything but a short plain word is replaced. */
export const requestIdOf = (headers: Headers, at: number): string => {
  const given = headers.get('x-request-id');
  return given !== null && /^[\w.-]{8,64}$/.test(given) ? given : newId(at);
};

/** One request with its caller and the memory that it takes; made for that request, and gone with its answer. */
export class Serving {
  readonly #bound: BoundRoute;
  readonly #parts: ServingParts;
  readonly #request: Request;
  readonly #params: Record<string, string>;
  readonly #env: NodeBindings;
  readonly #began: number;
  readonly #id: string;
  #principal: Principal | null = null;
  #charge: Charge | null = null;

  constructor(
    bound: BoundRoute,
    parts: ServingParts,
    request: Request,
    params: Record<string, string>,
    env: NodeBindings = {},
  ) {
    this.#bound = bound;
    this.#parts = parts;
    this.#request = request;
    this.#params = params;
    this.#env = env;
    this.#began = parts.now();
    this.#id = requestIdOf(request.headers, this.#began);
  }

  async answer(): Promise<Response> {
    const { definition, handle } = this.#bound;
    const { sending } = this.#parts;
    try {
      await this.#enter();
      const answer = await handle(await this.#call());
      const to = this.#delivery(isRead(definition));
      return this.#ended(
        answer instanceof Streamed
          ? sending.stream(answer.body, answer.headers, to)
          : sending.whole(answerOf(definition, answer), to),
      );
    } catch (error) {
      const problem = problemOf(error);
      const answer = sending.whole(problemAnswer(problem, this.#id), this.#delivery(false));
      if (problem.status < 500) return this.#ended(answer);
      return this.#isGone(error) ? this.#ended(answer, GONE) : this.#ended(answer, problem.status, error);
    }
  }

  /** Authenticates the caller, and checks that it may call the route. */
  async #enter(): Promise<void> {
    const { isStopping, authenticate, origin: configured } = this.#parts;
    if (isStopping()) {
      throw new Problem('stopping', 'the service is stopping; try again', { retryAfter: 1 });
    }
    const { headers, url } = this.#request;
    const { access, portal, method } = this.#bound.definition;
    const { project } = this.#params;
    const principal = await authenticate(headers);
    this.#principal = principal;
    const origin = (): string => originOf(headers, configured) ?? new URL(url).origin;
    assertMayEnter(principal, { access, portal, method, project: project ?? null, headers, origin });
    await assertProject(principal, project, this.#parts);
  }

  /** The request as its route takes it: validated, with its body read if the route declares one. */
  async #call(): Promise<Call> {
    const { definition } = this.#bound;
    const [request, env, principal] = [this.#request, this.#env, this.#principal];
    const bytes = (owner?: string): Promise<Uint8Array> =>
      readBody(request, env, maxBytesOf(definition), this.#charged(owner));
    const sender = this.#params.project ?? principal?.project ?? '';
    // The bodies of strangers are too small to count.
    const counted = principal === null ? bytes : () => bytes().then((all) => spend(this.#parts, sender, all));
    return {
      params: paramsOf(definition, this.#params),
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
        if (!this.#charged().set(size)) throw unread();
      },
      requestId: this.#id,
      // Made on demand: most routes do not use it, and it costs as much as the rest of a small request.
      get signal() {
        return request.signal;
      },
    };
  }

  /** Charges the body first, then the answer. */
  #charged(owner = ownerOf(this.#principal, this.#params.project, this.#bound.definition)): Charge {
    return (this.#charge ??= this.#parts.memory.open(owner));
  }

  #delivery(mayRefuse: boolean): Delivery {
    return { charge: this.#charged(), outgoing: this.#env.outgoing, mayRefuse };
  }

  /** Whether a call has ended because nobody waits for its answer. */
  #isGone(error: unknown): boolean {
    const { signal } = this.#request;
    return signal.aborted && error === signal.reason;
  }

  /** @param status - As it is recorded. */
  #ended(response: Response, status = response.status, error?: unknown): Response {
    const { path: route, method } = this.#bound.definition;
    const ms = this.#parts.now() - this.#began;
    const actor = this.#principal?.actor ?? null;
    this.#parts.served({ requestId: this.#id, route, method, status, ms, actor, error });
    response.headers.set('x-request-id', this.#id);
    return response;
  }
}

/** @throws Problem `too_many_requests` if the project has sent more than it may. */
function spend({ bodies, now }: ServingParts, project: string, content: Uint8Array): Uint8Array {
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
  { projectExists }: ServingParts,
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

/** Most parameters of a query. Unknown ones count too, since each is looked at. */
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
  { body, verbatim }: RouteDefinition,
  { headers }: Request,
  bytes: () => Promise<Uint8Array>,
): Promise<unknown> {
  if (body === undefined || body === 'raw' || verbatim === true) return undefined;
  const content = await bytes();
  // A route whose body may be left out takes an empty one.
  if (content.byteLength === 0) return validated(body, undefined, 'body');
  assertJsonType(headers);
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
