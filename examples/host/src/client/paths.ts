/** Where each route is. The types hold this list against the table, of which nothing is loaded at run time. */
import type { table } from '../api-table.js';

type Table = typeof table;

/** Marks a route whose answer is no JSON of the table, so that the caller gets the response itself. */
type Mark<Route> = Route extends { readonly answer: unknown }
  ? ''
  : Route extends { readonly produces: string }
    ? ' response'
    : '';

/** Method and path of each route, by its name. */
type Paths = {
  readonly [Name in keyof Table]: `${Table[Name]['method']} ${Table[Name]['path']}${Mark<Table[Name]>}`;
};

export const PATHS: Paths = {
  listProjects: 'GET /projects',
  createProject: 'POST /projects',
  getProject: 'GET /projects/{project}',
  updateProject: 'PATCH /projects/{project}',
  updatePlan: 'PUT /projects/{project}/plan',
  listKeys: 'GET /projects/{project}/keys',
  createKey: 'POST /projects/{project}/keys',
  revokeKey: 'DELETE /projects/{project}/keys/{key}',
  signIn: 'POST /session',
  getSession: 'GET /session',
  signOut: 'DELETE /session',
  endSessions: 'DELETE /projects/{project}/sessions',
  listChannels: 'GET /projects/{project}/channels',
  createChannel: 'POST /projects/{project}/channels',
  getChannel: 'GET /projects/{project}/channels/{channel}',
  updateChannel: 'PATCH /projects/{project}/channels/{channel}',
  deleteChannel: 'DELETE /projects/{project}/channels/{channel}',
  renewAddress: 'POST /projects/{project}/channels/{channel}/address',
  revealSecrets: 'GET /projects/{project}/channels/{channel}/secrets',
  rotateSecret: 'POST /projects/{project}/channels/{channel}/secrets',
  removeSecret: 'DELETE /projects/{project}/channels/{channel}/secrets/{secret}',
  ingest: 'POST /in/{channel}',
  listEndpoints: 'GET /projects/{project}/endpoints',
  createEndpoint: 'POST /projects/{project}/endpoints',
  listEndpointHealth: 'GET /projects/{project}/endpoint-health',
  getEndpoint: 'GET /projects/{project}/endpoints/{endpoint}',
  updateEndpoint: 'PATCH /projects/{project}/endpoints/{endpoint}',
  deleteEndpoint: 'DELETE /projects/{project}/endpoints/{endpoint}',
  pauseEndpoint: 'POST /projects/{project}/endpoints/{endpoint}/pause',
  resumeEndpoint: 'POST /projects/{project}/endpoints/{endpoint}/resume',
  testEndpoint: 'POST /projects/{project}/endpoints/{endpoint}/test',
  getEndpointHealth: 'GET /projects/{project}/endpoints/{endpoint}/health',
  explainEvent: 'GET /projects/{project}/events/{event}/explanation',
  tryRule: 'POST /projects/{project}/rules/try',
  tryPattern: 'POST /projects/{project}/rules/try-pattern',
  listEventPaths: 'GET /projects/{project}/events/paths',
  analyzeRules: 'GET /projects/{project}/rules/analysis',
  listRules: 'GET /projects/{project}/rules',
  listRuleCounts: 'GET /projects/{project}/rules/counts',
  createRule: 'POST /projects/{project}/rules',
  orderRules: 'PUT /projects/{project}/rules/order',
  exportRules: 'GET /projects/{project}/rules/export response',
  importRules: 'POST /projects/{project}/rules/import',
  dryRunRule: 'POST /projects/{project}/rules/dry-run',
  getRule: 'GET /projects/{project}/rules/{rule}',
  replaceRule: 'PUT /projects/{project}/rules/{rule}',
  updateRule: 'PATCH /projects/{project}/rules/{rule}',
  deleteRule: 'DELETE /projects/{project}/rules/{rule}',
  ruleHours: 'GET /projects/{project}/rules/{rule}/hours',
  listRuleTemplates: 'GET /rule-templates',
  listEvents: 'GET /projects/{project}/events',
  searchEvents: 'POST /projects/{project}/events/search',
  eventSeries: 'GET /projects/{project}/events/series',
  listEventValues: 'GET /projects/{project}/events/values',
  getEvent: 'GET /projects/{project}/events/{event}',
  listReplies: 'GET /projects/{project}/events/{event}/replies',
  tailEvents: 'GET /projects/{project}/tail response',
  listDeliveries: 'GET /projects/{project}/deliveries',
  listEventAttempts: 'GET /projects/{project}/events/{event}/attempts',
  getDelivery: 'GET /projects/{project}/deliveries/{delivery}',
  retryDelivery: 'POST /projects/{project}/deliveries/{delivery}/retry',
  listDeadLetters: 'GET /projects/{project}/dead-letters',
  countDeadLetters: 'GET /projects/{project}/dead-letters/count',
  discardDeadLetters: 'DELETE /projects/{project}/dead-letters',
  redeliverDeadLetters: 'POST /projects/{project}/dead-letters/redeliver',
  listRedeliveries: 'GET /projects/{project}/redeliveries',
  getRedelivery: 'GET /projects/{project}/redeliveries/{redelivery}',
  stopRedelivery: 'POST /projects/{project}/redeliveries/{redelivery}/stop',
  replayEvent: 'POST /projects/{project}/events/{event}/replay',
  listClients: 'GET /projects/{project}/clients',
  getClient: 'GET /projects/{project}/clients/{client}',
  deleteClient: 'DELETE /projects/{project}/clients/{client}',
  listAudit: 'GET /projects/{project}/audit',
  health: 'GET /healthz',
  readiness: 'GET /readyz',
  metrics: 'GET /metrics response',
  openApiDocument: 'GET /openapi.json response',
  referencePage: 'GET /reference response',
};
