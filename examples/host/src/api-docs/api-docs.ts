/** The documents that describe the API: made when somebody first reads them, and served with an ETag. */
import { etagOf, hasTag } from '../api/etag.js';
import { openApi, type RouteGroups } from '../api/openapi.js';
import { reference, REFERENCE_POLICY } from '../api/reference.js';
import { bind, type BoundRoute, type RouteDefinition } from '../api/route.js';
import { openApiDocument, referencePage } from './routes.js';
import { RULE_SCHEMAS } from './rule-schemas.js';

/** Dependencies of this module. */
export interface DocumentParts {
  /** The table of routes. */
  readonly groups: RouteGroups;
  /** The version of the service. */
  readonly version: string;
}

/** The documents. */
export interface ApiDocs {
  readonly routes: readonly BoundRoute[];
}

const COMMON = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' } as const;

export function createApiDocs(parts: DocumentParts): ApiDocs {
  const document = once(() => openApi({ ...parts, schemas: RULE_SCHEMAS }));
  return {
    routes: [
      served(openApiDocument, () => JSON.stringify(document())),
      served(referencePage, () => reference(parts.groups, document()), REFERENCE_POLICY),
    ],
  };
}

function served(
  definition: RouteDefinition,
  write: () => string,
  more: Readonly<Record<string, string>> = {},
): BoundRoute {
  const written = once(() => {
    const text = write();
    return { text, headers: { ...COMMON, ...more, etag: etagOf(text) } };
  });
  const type = { 'content-type': definition.produces ?? '' };
  return bind(definition, ({ headers: given }) => {
    const { text, headers } = written();
    const length = { 'content-length': `${Buffer.byteLength(text)}` };
    return Promise.resolve(
      hasTag(given.get('if-none-match'), headers.etag)
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers: { ...headers, ...type, ...length } }),
    );
  });
}

/** Calls a function when its result is first asked for: the documents take a tenth of a second, so no start waits. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
