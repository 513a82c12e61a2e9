/** The table of routes: every definition, and nothing of what they do. The typed client and the documents read it. */
import type { RouteDefinition } from './api/route.js';
import { alertRoutes } from './alerts/routes.js';
import { auditRoutes } from './audit/routes.js';
import { channelRoutes } from './channels/routes.js';
import { replayRoutes } from './delivering/replays/routes.js';
import { deliveringRoutes } from './delivering/routes.js';
import { documentRoutes } from './api-docs/routes.js';
import { endpointRoutes } from './endpoints/routes.js';
import { eventTypeRoutes } from './event-types/routes.js';
import { eventRoutes } from './events/routes.js';
import { ingestRoutes } from './ingest/routes.js';
import { keyRoutes } from './keys/routes.js';
import { overviewRoutes } from './overview/routes.js';
import { operatingRoutes } from './runtime/routes.js';
import { ruleTrialRoutes } from './rule-trials/routes.js';
import { projectRoutes } from './projects/routes.js';
import { receiverRoutes } from './receivers/routes.js';
import { comparisonRoutes } from './rules/comparisons/routes.js';
import { ruleRoutes } from './rules/routes.js';
import { clientRoutes } from './sdk-clients/routes.js';

/** All definitions by name, in the order of the reference page. */
export const table = {
  ...projectRoutes,
  ...keyRoutes,
  ...channelRoutes,
  ...ingestRoutes,
  ...eventTypeRoutes,
  ...endpointRoutes,
  ...ruleTrialRoutes,
  ...receiverRoutes,
  ...ruleRoutes,
  ...comparisonRoutes,
  ...eventRoutes,
  ...deliveringRoutes,
  ...replayRoutes,
  ...overviewRoutes,
  ...alertRoutes,
  ...clientRoutes,
  ...auditRoutes,
  ...operatingRoutes,
  ...documentRoutes,
} as const;

/** The same as a list. */
export const definitions: readonly RouteDefinition[] = Object.values(table);

/** The same under titles, for people. */
export const groups = {
  Projects: projectRoutes,
  'Keys and sessions': keyRoutes,
  Channels: channelRoutes,
  Ingest: ingestRoutes,
  'Event types': eventTypeRoutes,
  Endpoints: endpointRoutes,
  'Explanations and trials': ruleTrialRoutes,
  Receivers: receiverRoutes,
  Rules: ruleRoutes,
  Comparisons: comparisonRoutes,
  Events: eventRoutes,
  'Deliveries and replays': { ...deliveringRoutes, ...replayRoutes },
  Overview: overviewRoutes,
  Alerts: alertRoutes,
  'SDK clients': clientRoutes,
  'Audit log': auditRoutes,
  Operating: operatingRoutes,
  Documents: documentRoutes,
} as const;
