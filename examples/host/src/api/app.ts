/** The HTTP side: from a table of bound routes to one `fetch`. */
import { Hono } from 'hono';
import { Problem } from '../errors/problem.js';
import type { Ledger } from '../limits/ledger.js';
import { createMemory } from '../limits/memory.js';
import { problemAnswer } from './answers.js';
import type { NodeBindings } from './body.js';
import type { BoundRoute } from './route.js';
import { createSending } from './sending.js';
import { requestIdOf, Serving, type ServingParts } from './serving.js';

/** The pages of the service, served to everybody by GET beside the API. */
export interface Pages {
  /** As the router writes them, such as `/dashboard/*`. */
  readonly paths: readonly string[];
  /**
   * Null if there is nothing at the path.
   *
   * @param path - Decoded.
   * @param headers - The headers of the request.
   */
  answer(path: string, headers: Headers): Response | null;
}

/** Dependencies of the HTTP application. */
export interface AppParts extends Omit<ServingParts, 'memory' | 'sending'> {
  readonly routes: readonly BoundRoute[];
  readonly pages?: Pages;
  /** The ledger that bodies and answers are charged to; the application has its own unless one is given. */
  readonly memory?: Ledger;
}

/** A fetch function that serves every route of the table, and answers problems for everything else. */
export function createApp(parts: AppParts): Hono<{ Bindings: NodeBindings }> {
  const app = new Hono<{ Bindings: NodeBindings }>();
  const shared: ServingParts = { memory: createMemory(), ...parts, sending: createSending(parts.now) };
  for (const bound of parts.routes) {
    const { method, path } = bound.definition;
    app.on(method, honoPath(path), ({ req, env }) =>
      new Serving(bound, shared, req.raw, req.param() as Record<string, string>, env).answer(),
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
