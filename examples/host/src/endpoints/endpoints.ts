/** Endpoints: where events are delivered to. */
import { assertPurpose, isHiddenEndpoint } from '../api/portal.js';
import { idBefore, pageOfRows } from '../api/page.js';
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import type { Database } from '../db/index.js';
import { notFound } from '../errors/problem.js';
import { etag } from '../http/version.js';
import { type About, createEdits, type EditParts, type Edits, rowForUpdate } from './edits.js';
import type { Sealer } from '../secrets/sealing.js';
import {
  createSigningSecrets,
  type NamedSecret,
  type SigningSecrets,
} from '../signing-secrets/signing-secrets.js';
import type { SecretRow } from '../signing-secrets/statements.js';
import { createHeadersVault } from './headers.js';
import { createHealthReports, type HealthReports } from './health-reports.js';
import { healthOf, spansOf } from './health.js';
import { healthOfAll } from './health-list.js';
import { createLookups, type Lookups } from './lookups.js';
import {
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  getEndpoint,
  getEndpointHealth,
  listEndpointHealth,
  listEndpoints,
  pauseEndpoint,
  removeEndpointSecret,
  resumeEndpoint,
  revealEndpointSecrets,
  rotateEndpointSecret,
  testEndpoint,
  updateEndpoint,
} from './routes.js';
import { shownEndpoint, type Target, targetOf } from './shown.js';
import {
  type EndpointRow,
  HEALTH,
  type HealthRow,
  SELECT,
  SELECT_PAGE,
  SELECT_SECRETS_AT,
} from './statements.js';
import { createTestSend, type TestSendParts } from './test-send.js';

/** Dependencies of this module. */
export interface EndpointParts extends TestSendParts, Omit<EditParts, 'edited' | 'vault' | 'secrets'> {
  readonly sealer: Sealer;
}

/** Endpoints. The reports are the scheduler's callbacks. */
export interface Endpoints extends HealthReports {
  /** For fan-out; in this process as they are now, in others at most a second old. See {@link Lookups}. */
  subscribers: Lookups['subscribers'];
  named: Lookups['named'];
  /** The target of deliveries, as it is now; null if the endpoint is gone. */
  target(endpointId: string): Promise<Target | null>;
  /** The secrets of the endpoints of a project with this URL that sign by their own. */
  secretsAt(project: string, url: string): Promise<readonly NamedSecret[]>;
  stop(): void;
  readonly routes: readonly BoundRoute[];
}

export function createEndpoints(parts: EndpointParts): Endpoints {
  const { db, now } = parts;
  const vault = createHeadersVault(parts.sealer, parts.brand);
  const secrets = createSigningSecrets({ ...parts, kind: 'endpoint', lock: rowForUpdate });
  const sealed = { vault, secrets };
  const lookups = createLookups(db, now, sealed);
  const edits = createEdits({
    ...parts,
    ...sealed,
    edited: () => [lookups, secrets].forEach((cache) => cache.clear()),
  });
  const unlisten = db.listen('endpoints', () => secrets.clear());
  const shown = (row: EndpointRow): Endpoint => shownEndpoint(row, vault.shown(row));
  const rowOf: RowOf = async ({ params: { project, endpoint }, principal }) => {
    const row = await db.get<EndpointRow>(SELECT, [project, endpoint]);
    if (row === undefined || isHiddenEndpoint(principal, row)) throw notFound('endpoint');
    return row;
  };
  /** Reads the row first for a session of the portal, which may not touch every endpoint. */
  const touching: Touching = async (call, act) => {
    if (call.principal.portal !== undefined) await rowOf(call);
    return act();
  };
  return {
    ...createHealthReports(db, now, edits, parts.alerts),
    subscribers: lookups.subscribers,
    named: lookups.named,
    target: (endpointId) => lookups.target(endpointId),
    async secretsAt(project, url) {
      const rows = await db.all<SecretRow>(SELECT_SECRETS_AT, [project, url, now()]);
      return rows.map((row) => ({ id: row.id, secret: secrets.open(row) }));
    },
    stop() {
      unlisten();
      lookups.stop();
    },
    routes: [
      ...ownRoutes({ ...parts, edits, shown, rowOf, touching, sealed }),
      ...healthRoutes(db, now, rowOf),
      ...secretRoutes(secrets, touching),
    ],
  };
}

/** A call about one endpoint, and who makes it. */
interface ShownCall {
  readonly params: { readonly project: string; readonly endpoint: string };
  readonly principal: Principal;
}
/** @throws Problem `not_found`, also for an endpoint that the caller may not see */
type RowOf = (call: ShownCall) => Promise<EndpointRow>;
/** Acts on an endpoint, unless the caller may not see it. */
type Touching = <T>(call: ShownCall, act: () => Promise<T>) => Promise<T>;

interface OwnParts extends EndpointParts {
  readonly edits: Edits;
  readonly shown: (row: EndpointRow) => Endpoint;
  readonly rowOf: RowOf;
  readonly touching: Touching;
  readonly sealed: Parameters<typeof targetOf>[1];
}

/** The routes of endpoints themselves. */
function ownRoutes(parts: OwnParts): readonly BoundRoute[] {
  const { db, edits, shown, rowOf, touching, sealed } = parts;
  const versioned = (row: EndpointRow): WithHeaders<Endpoint> =>
    new WithHeaders(shown(row), { etag: etag(row.version) });
  const sendTest = createTestSend(parts);
  return [
    bind(listEndpoints, async ({ params: { project }, query, principal }) => {
      const { items, next } = await pageOf(db, project, query, principal);
      return { items: items.map(shown), next };
    }),
    bind(createEndpoint, async ({ params: { project }, body, principal }) => {
      assertPurpose(principal, body);
      const settings = { ...body, name: body.name ?? nameOf(body.url) };
      return versioned(await edits.create(project, settings, principal.actor));
    }),
    bind(getEndpoint, async (call) => versioned(await rowOf(call))),
    bind(updateEndpoint, async (call) => {
      assertPurpose(call.principal, call.body);
      return versioned(await touching(call, () => edits.update(aboutOf(call), call.body)));
    }),
    bind(deleteEndpoint, async (call) => {
      await touching(call, () => edits.remove(aboutOf(call)));
      return undefined;
    }),
    bind(pauseEndpoint, async (call) => versioned(await touching(call, () => edits.pause(aboutOf(call))))),
    bind(resumeEndpoint, async (call) => versioned(await touching(call, () => edits.resume(aboutOf(call))))),
    bind(testEndpoint, async (call) => {
      const {
        params: { project, endpoint },
        body,
        signal,
      } = call;
      const target = targetOf(await rowOf(call), sealed);
      return sendTest({ project, endpoint, target, channel: body.channel_id, signal });
    }),
  ];
}

/** A page of the endpoints that a caller may see; it may be short. */
async function pageOf(
  db: Database,
  project: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  principal: Principal,
): Promise<{ readonly items: readonly EndpointRow[]; readonly next: string | null }> {
  const rows = await db.all<EndpointRow>(SELECT_PAGE, [project, idBefore(cursor), limit + 1]);
  const { items, next } = pageOfRows(rows, limit, (row) => row);
  return { items: items.filter((row) => !isHiddenEndpoint(principal, row)), next };
}

const healthRoutes = (db: Database, now: () => number, rowOf: RowOf): readonly BoundRoute[] => [
  bind(listEndpointHealth, async ({ params: { project }, query, principal }) => {
    const { items, next } = await pageOf(db, project, query, principal);
    const endpoints = items.map(({ id }) => id);
    return { items: [...(await healthOfAll(db, { project, endpoints }, query.period, now()))], next };
  }),
  bind(getEndpointHealth, async (call) => {
    const {
      params: { endpoint },
      query: { period },
    } = call;
    await rowOf(call);
    const spans = spansOf(period, now());
    const { firstMinute, bucketMinutes } = spans;
    const rows = await db.all<HealthRow>(HEALTH, [endpoint, firstMinute, bucketMinutes]);
    return healthOf(rows, spans);
  }),
];

const secretRoutes = (secrets: SigningSecrets, touching: Touching): readonly BoundRoute[] => [
  bind(revealEndpointSecrets, (call) => touching(call, () => secrets.reveal(ownerOf(call)))),
  bind(rotateEndpointSecret, (call) => touching(call, () => secrets.rotate(ownerOf(call), call.body))),
  bind(removeEndpointSecret, (call) =>
    touching(call, () => secrets.remove(ownerOf(call), call.params.secret)),
  ),
];

/** The members of a call that edits need. */
interface EditCall {
  readonly params: { readonly project: string; readonly endpoint: string };
  readonly headers: Headers;
  readonly principal: Principal;
}

const aboutOf = ({ params: { project, endpoint: id }, headers, principal: { actor } }: EditCall): About => ({
  project,
  id,
  headers,
  actor,
});

const ownerOf = ({
  params: { project, endpoint: owner },
  principal: { actor },
}: Omit<EditCall, 'headers'>) => ({
  project,
  owner,
  actor,
});

/** The host of a URL, for an endpoint without a name. */
const nameOf = (url: string): string => (URL.canParse(url) ? new URL(url).host.slice(0, 200) || url : url);
