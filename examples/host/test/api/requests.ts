/** Requests that are made from the schemas of routes. */
import type { RouteDefinition } from '../../src/api/route.js';

type Ids = Readonly<Record<string, string>>;

const RULE = {
  name: 'A rule',
  stage: 'deliver',
  match: { path: 'data.body.text', op: 'exists' },
  action: { type: 'tag', tags: ['seen'] },
  priority: 1,
};

/** Bodies of routes that take one, which do what the route does. */
const BODIES: Readonly<Record<string, (ids: Ids) => unknown>> = {
  createProject: () => ({ name: 'Another' }),
  updateProject: () => ({ name: 'Renamed', retention_days: 3 }),
  updatePlan: () => ({ plan: 'hobby' }),
  createKey: () => ({ name: 'A key', scopes: ['manage'] }),
  createPortalLink: () => ({ role: 'owner', name: 'Ada' }),
  signIn: () => ({ key: 'hg_key_x' }),
  createChannel: () => ({ name: 'A channel' }),
  updateChannel: () => ({ name: 'Renamed', source: { name: 'none' } }),
  rotateSecret: () => ({ keep_hours: 0 }),
  rotateEndpointSecret: () => ({ keep_hours: 0 }),
  publishEvent: () => ({ type: 'order.created', data: {} }),
  publishEvents: () => ({ events: [{ type: 'order.created', data: {} }] }),
  sendSample: () => ({ headers: { 'x-github-event': 'push' }, payload: { ref: 'refs/heads/main' } }),
  createEventType: () => ({ name: 'order.created', schema: { type: 'object' }, strict: true }),
  updateEventType: () => ({ description: 'An order was made' }),
  createEndpoint: () => ({ url: 'http://127.0.0.1:9/' }),
  updateEndpoint: () => ({ url: 'http://127.0.0.1:9/changed' }),
  testEndpoint: ({ channel }) => ({ channel_id: channel }),
  createReceiver: () => ({ name: 'A receiver' }),
  updateReceiver: () => ({ status_code: 500 }),
  receive: () => ({ text: 'hello' }),
  createRule: () => RULE,
  replaceRule: () => RULE,
  updateRule: () => ({ enabled: false }),
  orderRules: ({ rule }) => ({ ids: [rule] }),
  importRules: () => [RULE],
  dryRunRule: () => ({ stage: 'deliver', match: RULE.match, action: RULE.action, windowHours: 1 }),
  createComparison: () => ({ window_hours: 1, changed: [{ ...RULE, name: 'Another' }] }),
  tryRule: ({ event }) => ({ match: RULE.match, action: RULE.action, event_ids: [event] }),
  proveRule: ({ rule }) => ({ id: rule, rule: RULE }),
  tryPattern: () => ({ pattern: 'a+', replace: '*', texts: ['banana'] }),
  searchEvents: () => ({ match: RULE.match }),
  redeliverDeadLetters: () => ({ filter: {} }),
  replayEvents: ({ endpoint }) => ({ filter: { missed_by: endpoint } }),
  replayEvent: ({ endpoint }) => ({ rules: 'again', endpoint_ids: [endpoint] }),
  ingest: () => ({ text: 'hello' }),
};

/** A body that the route takes, as JSON; undefined for a route without one. */
export function validBody({ name, body }: RouteDefinition, ids: Ids): string | undefined {
  if (body === undefined) return undefined;
  const make = BODIES[name];
  if (make === undefined) throw new Error(`${name}: give it a body here, so that it is walked`);
  const value = make(ids);
  if (body !== 'raw' && name !== 'signIn' && !body.safeParse(value).success) {
    throw new Error(`${name}: its body here is not valid`);
  }
  return JSON.stringify(value);
}
