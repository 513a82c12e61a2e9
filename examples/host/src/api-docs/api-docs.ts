/** The documents that describe the API: made once, and served with an ETag. */
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
  const document = openApi({ ...parts, schemas: RULE_SCHEMAS });
  return {
    routes: [
      served(openApiDocument, JSON.stringify(document)),
      served(referencePage, reference(parts.groups, document), REFERENCE_POLICY),
    ],
  };
}

function served(
  definition: RouteDefinition,
  text: string,
  more: Readonly<Record<string, string>> = {},
): BoundRoute {
  const etag = etagOf(text);
  const headers = { ...COMMON, ...more, etag };
  const type = {
    'content-type': definition.produces ?? '',
    'content-length': `${Buffer.byteLength(text)}`,
  };
  return bind(definition, ({ headers: given }) =>
    Promise.resolve(
      hasTag(given.get('if-none-match'), etag)
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers: { ...headers, ...type } }),
    ),
  );
}
