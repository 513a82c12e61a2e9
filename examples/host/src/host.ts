/**
 * The whole service on a database: each module, what it needs of the others, and the order in which they start and
 * stop.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, type SchedulerCallbacks, systemClock } from 'headgate/delivery';
import { checkUrl, createHttpTransport } from 'headgate/http';
import { type Alerts, createAlerts } from './alerts/alerts.js';
import { createApp, type Pages } from './api/app.js';
import type { NodeBindings } from './api/body.js';
import { groups } from './api-table.js';
import { createAudit } from './audit/list.js';
import { createChannels } from './channels/channels.js';
import { type Database, shareOf } from './db/index.js';
import { createDeciding, PATTERNS } from './deciding/deciding.js';
import { LEASE_MS } from './deciding/sweeper.js';
import { createExchanges } from './delivering/exchange.js';
import { createDelivering } from './delivering/delivering.js';
import { createApiDocs } from './api-docs/api-docs.js';
import { createEndpoints, type Endpoints } from './endpoints/endpoints.js';
import { eventBytes } from './stored/event-json.js';
import { type Changes, createChanges } from './events/changes.js';
import { createEventTypes } from './event-types/event-types.js';
import { createEvents, MAX_SCANNED } from './events/events.js';
import { createSearches } from './events/searches.js';
import { createSelect, type Select } from './events/selecting.js';
import { createRate } from './limits/rate.js';
import { createIngest } from './ingest/ingest.js';
import { createKeys } from './keys/keys.js';
import { createCounter } from './matches/counter.js';
import { createMemory } from './limits/memory.js';
import { createFirstProject, type FirstProject } from './runtime/first-project.js';
import { createClockCheck } from './runtime/clock-check.js';
import { attemptCallbacks } from './runtime/attempts.js';
import { readBacklog } from './runtime/backlog.js';
import { type Logger, logServed } from './runtime/log.js';
import { createMetrics } from './runtime/metrics.js';
import type { Telemetry } from './runtime/telemetry.js';
import { createRuntime } from './runtime/runtime.js';
import type { Settings } from './runtime/variables.js';
import { createStaticFiles } from './static-files/static-files.js';
import { createRuleTrials } from './rule-trials/rule-trials.js';
import { createProjects } from './projects/projects.js';
import { createOverview } from './overview/overview.js';
import { createReceivers } from './receivers/receivers.js';
import { createRemoval } from './retention/removal.js';
import { createRetention } from './retention/retention.js';
import { createRules } from './rules/rules.js';
import { createSealer, type SealingKey } from './secrets/sealing.js';
import type { IngestChannel } from './sources/index.js';
import { createSdkClients } from './sdk-clients/sdk-clients.js';

/** Dependencies and settings of a host. */
export interface HostParts {
  readonly db: Database;
  readonly log: Logger;
  readonly settings: Settings;
  /** Newest first. */
  readonly sealingKeys: readonly SealingKey[];
  /** The URL at which callers reach the service; shown in addresses. */
  readonly publicUrl: string;
  /** Folder of the built pages. Without it, and where it is not there, a page says how they are built. */
  readonly pages?: string;
  /** @defaultValue null, for none */
  readonly telemetry?: Telemetry | null;
  /** Unix ms; all that the service does goes by it. */
  readonly now?: () => number;
}

/** The service. It mounts anywhere: `fetch` takes requests, `upgrade` the WebSockets of SDK clients. */
export interface Host {
  readonly fetch: (request: Request, env?: NodeBindings) => Response | Promise<Response>;
  /** False if the path is not the stream's. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /**
   * Compares the clock of this process with the database's; call it before `start`.
   *
   * @throws ClockSkewed where they are more than five seconds apart: this process would repeat what others have in
   *   flight.
   */
  assertClock(): Promise<void>;
  start(): void;
  /** Makes a first project if there is none; null if there are projects. */
  firstProject(): Promise<FirstProject | null>;
  /** A token that begins one session of a project. */
  signInLink(project: string): Promise<string>;
  /** No new requests; attempts in flight end or are given back; clients are told to connect again. */
  stop(): Promise<void>;
}

/** The version of the API, as its documents name it. */
const VERSION = '0.1.0';

/** Attempts in flight may take this long to end; then they are given back. */
const DRAIN_MS = 10_500;
/** Bytes of JSON that one project may send a second to the API, which does more with each than ingest. */
const API_BYTES_PER_SECOND = 2_097_152;

/** A clock with another time than the system's, which goes as fast. */
const clockOf = (now: () => number): Clock => ({
  ...systemClock,
  now,
  at: (at, wake) => systemClock.at(Date.now() + at - now(), wake),
});

/** Announces that an event has changed whenever an attempt of it is recorded. */
const noteAttempt =
  ({ add }: Changes): NonNullable<SchedulerCallbacks['attempted']> =>
  ({ event_id, columns }) =>
    add(String(columns?.project_id), event_id);

/** Alerts about what other modules notice. */
const ofAlerts = ({ count }: Alerts) => ({
  full: (project: string) =>
    count({ project, kind: 'headgate.quota.reached', subject: 'quota:rules', detail: {} }),
  limited: (project: string, limit: number) =>
    count({
      ...{ project, kind: 'headgate.quota.reached', subject: 'quota:bytes_per_second', detail: { limit } },
    }),
  undecided: (project: string, cause: object) =>
    count({
      ...{ project, kind: 'headgate.rules.undecided', subject: `project:${project}`, detail: cause },
    }),
  rejected: ({ project, id, source }: IngestChannel) =>
    count({
      ...{ project, kind: 'headgate.source.rejected', subject: `channel:${id}` },
      detail: { source: source.name },
    }),
});

/** @param parts - The database is open; the caller closes it after `stop`. */
export function createHost(parts: HostParts): Host {
  let isStopping = false;
  const shared = createShared(parts);
  const { db, log, report } = shared;
  const modules = createModules(shared, () => isStopping);
  const { clock, deciding, delivering, sdkClients, matches, overview, retention, removal, alerts } = modules;
  const { channels, projects, keys } = modules;
  const app = createApi(
    shared,
    modules,
    () => isStopping,
    createStaticFiles(parts.pages, parts.settings.HEADGATE_FRAME_ANCESTORS),
  );
  return {
    fetch: (request, env) => app.fetch(request, env ?? {}),
    upgrade: (request, socket, head) => sdkClients.upgrade(request, socket, head),
    assertClock: () => clock.assert(),
    start() {
      const started = [
        clock,
        deciding,
        delivering,
        sdkClients,
        matches,
        overview,
        retention,
        removal,
        alerts,
      ];
      for (const module of started) module.start();
      channels.completeProjects().catch((error: unknown) => report(error, 'making channels for publishing'));
      channels.reseal().then(
        (sealed) => {
          if (sealed.resealed + sealed.unreadable > 0) log.info(sealed, 'sealed again with the newest key');
        },
        (error: unknown) => report(error, 'sealing with the newest key'),
      );
    },
    firstProject: () => createFirstProject({ db, projects }),
    signInLink: (project) => keys.signInLink(project),
    async stop() {
      isStopping = true;
      await stopModules(modules, report);
    },
  };
}

/** Things that several modules use, made from the settings. */
function createShared(parts: HostParts) {
  const { db, log, settings, publicUrl, now = Date.now } = parts;
  const report = (error: unknown, about: string): void => log.error({ err: error }, about);
  const memory = createMemory(settings.HEADGATE_BUFFER_BYTES);
  const metrics = createMetrics(
    () => readBacklog(db, now()),
    () => memory.taken,
  );
  // Requests that callers may repeat without end share half of the connections, and leave the rest to ingest,
  // deciding and delivering.
  const reads = db.dialect === 'sqlite' ? db : shareOf(db, Math.ceil(settings.HEADGATE_CONNECTIONS / 2));
  // An address to listen on, which is never https, says nothing about a proxy before it. Every other URL was
  // configured.
  const configured = settings.PUBLIC_URL ?? (publicUrl.startsWith('https://') ? publicUrl : null);
  const origin = configured === null ? {} : { origin: configured };
  const clock = parts.now === undefined ? systemClock : clockOf(now);
  return { ...parts, now, clock, report, memory, metrics, reads, origin };
}

type Shared = ReturnType<typeof createShared>;

/**
 * The modules for everything that people manage: projects, keys, channels, endpoints and rules, and trials of rules.
 */
function createManaged(shared: Shared, wake: () => void, alerts: Alerts) {
  const { db, reads, now, log, settings, sealingKeys, publicUrl, origin } = shared;
  const { HEADGATE_ADMIN_KEY: adminKey, HEADGATE_ALLOW: allow, HEADGATE_BRAND: brand } = settings;
  const keys = createKeys({ db, now, adminKey, publicUrl, ...origin });
  const sealer = createSealer(sealingKeys);
  const channels = createChannels({ db, now, sealer, publicUrl });
  const projects = createProjects({
    ...{ db, now, firstKey: keys.firstKey, firstChannel: channels.createApi },
    deleted: (project) => log.info({ project }, 'a project was deleted; its rows are being removed'),
  });
  const { channelOf, secretsOf, secretsIn, unusableIn } = channels;
  const receivers = createReceivers({
    ...{ db, reads, now, publicUrl, brand, secretsIn },
    // Requests come after all modules are made.
    secretsAt: (project, url) => endpoints.secretsAt(project, url),
    operatorKey: adminKey,
  });
  const transport = receivers.transport(createHttpTransport({ allow, exchange: true }));
  const endpoints: Endpoints = createEndpoints({
    ...{ db, now, sealer, channelOf, secretsOf, unusableIn, brand, alerts, wake },
    checkUrl: (url) => (receivers.isOwn(url) ? null : checkUrl(url, { allow })),
    send: (request, signal) => transport.send(request, signal),
  });
  const forRules = { endpoints: endpoints.named, patterns: PATTERNS };
  const rules = createRules({ db, now, ...forRules, full: ofAlerts(alerts).full });
  const ruleTrials = createRuleTrials({ db: reads, rules, ...forRules });
  const eventTypes = createEventTypes({ db, reads, now });
  const exchanges = createExchanges(sealer);
  return {
    keys,
    projects,
    channels,
    eventTypes,
    receivers,
    transport,
    exchanges,
    endpoints,
    rules,
    ruleTrials,
  };
}

/**
 * The path of an event: ingest stores it, deciding decides it, delivering delivers it. Each step wakes the next one.
 */
function createEventPath(
  shared: Shared,
  { channels, eventTypes, transport, exchanges, endpoints, rules }: ReturnType<typeof createManaged>,
  select: Select,
  alerts: Alerts,
) {
  const { db, reads, now, clock, log, settings, metrics, report, telemetry = null } = shared;
  const isPressed = (): boolean => ingest.isPressed();
  const changes = createChanges((payload) => {
    db.notify('changes', payload).catch((error: unknown) => report(error, 'notify'));
  });
  const delivering = createDelivering({
    ...{ db, reads, clock, transport, exchanges, endpoints, report, eventBytes, isPressed },
    secretsOf: channels.secretsOf,
    brand: settings.HEADGATE_BRAND,
    concurrency: settings.HEADGATE_CONCURRENCY,
    concurrencyPerEndpoint: settings.HEADGATE_CONCURRENCY_PER_ENDPOINT,
    on: [
      attemptCallbacks(metrics, log),
      { attempted: noteAttempt(changes) },
      alerts.on,
      ...(telemetry === null ? [] : [telemetry.callbacks]),
    ],
    again: (project, event) => deciding.again(project, event),
    select,
    comparisons: rules.compared,
    replaysPerSecond: settings.HEADGATE_REPLAY_RATE,
  });
  const deciding = createDeciding({
    ...{ db, now, rules, endpoints, metrics, report, isPressed },
    reserve: (dispatches) => delivering.reserve(dispatches),
    wake: () => delivering.wake(),
    undecided: ofAlerts(alerts).undecided,
    ...(telemetry !== null && { traced: telemetry.decided }),
    // One thread is kept for projects that are slow to decide.
    settings: { quickThreads: settings.HEADGATE_THREADS - 1 },
  });
  const ingest = createIngest({
    ...{ db, now, channels, metrics, report, assertValid: eventTypes.assertValid },
    decide: { hasRoom: deciding.hasRoom, take: deciding.take, leaseMs: LEASE_MS },
    ...(telemetry !== null && { traced: telemetry.traced }),
    rejected: ofAlerts(alerts).rejected,
    limited: ofAlerts(alerts).limited,
    operatorKey: settings.HEADGATE_ADMIN_KEY,
    limits: {
      maxBodyBytes: settings.HEADGATE_MAX_BODY_BYTES,
      bytesPerSecond: settings.HEADGATE_PROJECT_BYTES_PER_SECOND,
    },
  });
  return { changes, ingest, deciding, delivering };
}

function createModules(shared: Shared, isStopping: () => boolean) {
  const { db, reads, now, log, report, memory, metrics } = shared;
  const wake = (): void => path.delivering.wake();
  const alerts = createAlerts({ db, now, wake, report });
  const managed = createManaged(shared, wake, alerts);
  const searches = createSearches(db.options);
  const select = createSelect({ db: reads, search: searches.search, maxScanned: MAX_SCANNED });
  const path = createEventPath(shared, managed, select, alerts);
  const { authenticate } = managed.keys;
  const clock = createClockCheck({ db, now, report, measured: metrics.clockOffset });
  return {
    ...managed,
    ...path,
    searches,
    clock,
    sdkClients: createSdkClients({
      ...{ db, now, memory, metrics, authenticate, isStopping },
      replied: path.changes.add,
    }),
    events: createEvents({ db: reads, now, report, authenticate, search: searches.search }),
    alerts,
    audit: createAudit({ db: reads }),
    matches: createCounter({ db, report }),
    overview: createOverview({ db, reads, now, report, alerts: alerts.newest }),
    retention: createRetention({ db, clock: shared.clock, report }),
    removal: createRemoval({
      ...{ db, clock: shared.clock, report },
      ended: (project) => log.info({ project }, 'nothing of a deleted project is left'),
    }),
    runtime: createRuntime({ metrics, ping: () => db.ping(), assertClock: clock.assertFit }),
    apiDocs: createApiDocs({ groups, version: VERSION }),
  };
}

type Modules = ReturnType<typeof createModules>;

function createApi(shared: Shared, modules: Modules, isStopping: () => boolean, pages: Pages) {
  const { now, log, memory, metrics, origin } = shared;
  const { projects, keys, channels, eventTypes, endpoints, receivers, ruleTrials, rules, ingest, events } =
    modules;
  const { delivering, sdkClients, overview, alerts, audit, runtime, apiDocs } = modules;
  const withRoutes = [
    ...[
      projects,
      keys,
      channels,
      eventTypes,
      endpoints,
      receivers,
      ruleTrials,
      rules,
      ingest,
      events,
      delivering,
      sdkClients,
    ],
    ...[overview, alerts, audit, runtime, apiDocs],
  ];
  return createApp({
    ...{ now, memory, pages, isStopping, ...origin },
    authenticate: keys.authenticate,
    projectExists: projects.exists,
    routes: withRoutes.flatMap(({ routes }) => routes),
    bodies: createRate(API_BYTES_PER_SECOND),
    served: (served) => {
      metrics.served(served);
      logServed(log, served);
    },
  });
}

/** Stops first what takes requests, and last what the others use. */
async function stopModules(modules: Modules, report: Shared['report']): Promise<void> {
  const { clock, events, receivers, ruleTrials, searches, ingest, sdkClients, retention, removal, matches } =
    modules;
  const { deciding, delivering, overview, alerts, changes, transport, keys, channels } = modules;
  const { eventTypes, endpoints, rules } = modules;
  /** If one module cannot stop because the database is away, the others still stop. */
  const stopped = (module: string, stopping: Promise<unknown>): Promise<unknown> =>
    stopping.catch((error: unknown) => report(error, `stopping ${module}`));
  for (const module of [clock, events, receivers, ruleTrials]) module.stop();
  await stopped('searches', searches.stop());
  await stopped('ingest', ingest.stop());
  await stopped('event types', eventTypes.stop());
  await Promise.all([
    stopped('SDK clients', sdkClients.stop()),
    stopped('retention', retention.stop()),
    stopped('deleting projects', removal.stop()),
    stopped('matches', matches.stop()),
    stopped('overview', overview.stop()),
  ]);
  // Both at once, since each may take most of the time. Other processes deliver what is decided now.
  const signal = AbortSignal.timeout(DRAIN_MS);
  await Promise.all([stopped('deciding', deciding.stop()), stopped('delivering', delivering.stop(signal))]);
  await stopped('alerts', alerts.stop());
  changes.stop();
  await stopped('transport', transport.close());
  await stopped('keys', keys.stop());
  for (const module of [channels, endpoints]) module.stop();
  rules.close();
}
