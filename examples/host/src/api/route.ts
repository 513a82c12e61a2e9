/**
 * The table of routes: one definition drives routing, access, validation, OpenAPI, the reference page, the typed client
 * and the tests that walk every route. A definition is data; a module binds its definitions to what they do.
 */
import type { z } from 'zod';
import type { HeaderPairs } from '../http/headers.js';
import type { ProblemCode } from '../errors/problem.js';
import { PORTAL_ROLES, type PortalRole, type Principal, type Scope, SCOPES } from './principal.js';

export { PORTAL_ROLES, type PortalRole, type Scope, SCOPES };

/**
 * The callers that a route accepts: a key or session with a scope (`manage` includes `read`), the operator of
 * the service, or anybody. A route under `/projects/{project}` takes keys of that project alone.
 */
export type Access = Scope | 'admin' | 'anybody';

type Shape = z.ZodObject;

/** One route. */
export interface RouteDefinition<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Unique; the name of the client's method and the `operationId`, such as `listRules`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Such as `/projects/{project}/rules/{rule}`. */
  readonly path: string;
  readonly access: Access;
  /**
   * The role with which sessions of the portal may call the route, too. Left out: none may. Its handler hides what
   * `portal.ts` lists.
   */
  readonly portal?: PortalRole;
  /** Begins with a verb: what the route does, in a line. */
  readonly summary: string;
  /** More, as Markdown. */
  readonly description?: string;
  readonly params: Params;
  readonly query?: Query;
  /** The JSON body. Left out: the route takes none. `'raw'`: the handler reads the request itself. */
  readonly body?: Body | 'raw';
  /** True if the handler reads the JSON of the body from its text, and validates it by `body` itself. */
  readonly verbatim?: boolean;
  /** Most bytes of the body. Left out: 1 MiB, and 4 KiB of JSON from anybody. */
  readonly maxBytes?: number;
  /** The status of success, 200 unless given. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Another status of success, with the same answer, where nothing had to be done. */
  readonly alsoStatus?: 200;
  /** The JSON of success. Left out: 204, or `produces`. */
  readonly answer?: Answer;
  /** The content type of an answer that is not JSON, such as `text/event-stream`. */
  readonly produces?: string;
  /** Server-sent events by name, each with its content, for callers that accept `text/event-stream`. */
  readonly events?: Readonly<Record<string, string>>;
  /** True if the owner of the resource has chosen the status of the answer. */
  readonly anyStatus?: true;
  /** True if `If-Match` is read. */
  readonly versioned?: boolean;
  /** True if `Idempotency-Key` is read. */
  readonly idempotent?: boolean;
  /** True if `If-None-Match` is read: an answer that the caller has already is 304. */
  readonly cached?: boolean;
  /** The codes that this route answers with, beside those that follow from what it is: see `problemsOf`. */
  readonly problems?: readonly ProblemCode[];
}

/** A request that has passed access and validation. */
export interface Call<Definition extends RouteDefinition = RouteDefinition> {
  readonly params: z.output<Definition['params']>;
  readonly query: Definition['query'] extends z.ZodType
    ? z.output<Definition['query']>
    : Record<string, never>;
  readonly body: Definition['verbatim'] extends true
    ? undefined
    : Definition['body'] extends z.ZodType
      ? z.output<Definition['body']>
      : undefined;
  /** Null only if the access is `anybody`. */
  readonly principal: Definition['access'] extends 'anybody' ? Principal | null : Principal;
  readonly headers: Headers;
  /** The headers as they came, in order and with repeats. */
  readonly rawHeaders: () => HeaderPairs;
  readonly request: Request;
  /**
   * Bytes of the body, for `body: 'raw'` and `verbatim`.
   *
   * @param owner - The project whose memory they take; the caller's own unless given.
   * @throws Problem `body_too_large`, `overloaded`
   */
  readonly bytes: (owner?: string) => Promise<Uint8Array>;
  /**
   * Takes memory for an answer before its parts are read.
   *
   * @throws Problem `overloaded`
   */
  readonly reserve: (bytes: number) => void;
  /** The id of the request; it is in the log and in every problem. */
  readonly requestId: string;
  /** Fires when the caller goes away, or the service stops. */
  readonly signal: AbortSignal;
}

/** The result of a handler: the JSON of success, with or without headers, or a whole response. */
export type Answer<Definition extends RouteDefinition> =
  | (Definition['answer'] extends z.ZodType ? z.input<Definition['answer']> : undefined)
  | WithHeaders<Definition['answer'] extends z.ZodType ? z.input<Definition['answer']> : undefined>
  | Streamed
  | Response;

/** An answer with headers of its own, such as `ETag`. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/**
 * An answer that is made while it is read. It keeps no more than `MAX_STREAM_QUEUE` bytes for a reader that is slow.
 */
export class Streamed {
  readonly body: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** Checks a definition's type, and returns it as it is. */
export const route = <const Definition extends RouteDefinition>(definition: Definition): Definition =>
  definition;

/** A route with what it does. */
export interface BoundRoute {
  readonly definition: RouteDefinition;
  readonly handle: (call: Call) => Promise<unknown>;
}

/** Binds a definition to what it does. */
export const bind = <Definition extends RouteDefinition>(
  definition: Definition,
  handle: (call: Call<Definition>) => Promise<Answer<Definition>>,
): BoundRoute => ({ definition, handle: handle });
