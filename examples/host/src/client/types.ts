/** The types of the client's methods, inferred from the table of routes. */
import type { z } from 'zod';
import type { RouteDefinition } from '../api/route.js';
import type { table } from '../api-table.js';

type Table = typeof table;

/** Names of the routes, which are those of the methods. */
export type RouteName = keyof Table;

type ParamsOf<Route extends RouteDefinition> = {
  readonly [Name in keyof Route['params']['shape']]: string;
};

type QueryOf<Route extends RouteDefinition> = Route['query'] extends z.ZodType
  ? object extends z.input<Route['query']>
    ? { readonly query?: InQuery<z.input<Route['query']>> }
    : { readonly query: InQuery<z.input<Route['query']>> }
  : { readonly query?: undefined };

/** Schemas of queries read texts; a caller gives numbers where the schema coerces them. */
type InQuery<Query> = {
  readonly [Name in keyof Query]: unknown extends Query[Name] ? number | string : Query[Name];
};

type BodyOf<Route extends RouteDefinition> =
  | DocumentOf<Route>
  // A service that keeps a body letter by letter is sent one so, too.
  | (Route['verbatim'] extends true ? RawBodyOf : never);

interface RawBodyOf {
  readonly body: RawBody;
  readonly contentType: string;
}

type DocumentOf<Route extends RouteDefinition> = Route['body'] extends 'raw'
  ? RawBodyOf
  : Route['body'] extends z.ZodType
    ? undefined extends z.input<Route['body']>
      ? { readonly body?: z.input<Route['body']> }
      : { readonly body: z.input<Route['body']> }
    : { readonly body?: undefined };

/** A body that is sent as it is. */
export type RawBody = string | Uint8Array<ArrayBuffer> | Blob;

type HeadersOf<Route extends RouteDefinition> = (Route['versioned'] extends true
  ? { /** The ETag, or the version, that was read. */ readonly ifMatch?: string | number }
  : object) &
  (Route['idempotent'] extends true
    ? { /** Names the request, so that a repeated one does nothing more. */ readonly idempotencyKey?: string }
    : object);

/** The options of every method. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Further headers, such as `Last-Event-ID`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The argument of a method: the parameters of the path by name, `query`, `body`, and options. */
export type Input<Name extends RouteName> = ParamsOf<Table[Name]> &
  QueryOf<Table[Name]> &
  BodyOf<Table[Name]> &
  HeadersOf<Table[Name]> &
  CallOptions;

/** The result of a method: JSON of success, nothing, or the response where the table has no schema for it. */
export type Output<Name extends RouteName> = Table[Name] extends { readonly answer: infer Answer }
  ? Answer extends z.ZodType
    ? z.output<Answer>
    : never
  : Table[Name] extends { readonly produces: string }
    ? Response
    : undefined;

/** A method; its argument may be left out where nothing is required. */
type Method<Name extends RouteName> =
  object extends Input<Name>
    ? (input?: Input<Name>) => Promise<Output<Name>>
    : (input: Input<Name>) => Promise<Output<Name>>;

/** A method for each route of the table. */
export type Api = { readonly [Name in RouteName]: Method<Name> };
