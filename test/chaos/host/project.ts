/** The project that everything happens in: a channel, two endpoints, rules, keys. */
import type { Rule, RuleDocument } from 'headgate';
import { type Api, createApi } from '../../../examples/host/src/client/index.js';
import type { Child } from '../child.js';
import type { World } from '../world.js';
import type { CustomerSettings } from './messages.js';
import type { Service } from './service.js';

export const ADMIN_KEY = 'chaos-operator-key-0123456789-0123456789';

/** The project, as it was set up. */
export interface Project {
  readonly id: string;
  readonly api: Api;
  /** Path to which events are posted. */
  readonly ingest: string;
  /** Ids. */
  readonly endpoints: readonly [string, string];
  readonly receiveKey: string;
  readonly customer: Child;
  /** In the order in which they were made. */
  readonly rules: readonly Rule[];
  /** The version of these rules. */
  readonly rulesVersion: number;
}

const PATHS: CustomerSettings['endpoints'] = ['prompt', 'troubled'];
/** A second is the least base there is. */
const POLICY = { retry_max_attempts: 20, retry_backoff_base_seconds: 1 };

/** The rules at first; all four actions. */
const documents = (endpoint: string): readonly RuleDocument[] => [
  {
    name: 'Small ones are dropped',
    stage: 'deliver',
    match: { path: 'data.body.amount', op: 'lt', value: 5 },
    action: { type: 'drop' },
    priority: 10,
  },
  {
    name: 'Large ones are tagged',
    stage: 'deliver',
    match: { path: 'data.body.amount', op: 'gte', value: 80 },
    action: { type: 'tag', tags: ['large'] },
    priority: 20,
  },
  {
    name: 'Refunds go to one endpoint',
    stage: 'deliver',
    match: { path: 'data.body.type', op: 'eq', value: 'refund' },
    action: { type: 'route_only', endpoint_ids: [endpoint] },
    priority: 30,
  },
  {
    name: 'Buyers are hidden',
    stage: 'deliver',
    match: { path: 'data.body.type', op: 'eq', value: 'order' },
    action: {
      type: 'transform',
      ops: [{ op: 'redact', path: 'data.body.buyer.email', regex: '^[^@]+', replace: '***' }],
    },
    priority: 40,
  },
];

/** @param services - The services of one database, all of them listening. */
export async function setUp(world: World, services: readonly Service[]): Promise<Project> {
  const operator = createApi({ baseUrl: '', key: ADMIN_KEY, fetch: inTurn(services) });
  const made = await operator.createProject({ body: { name: 'Chaos', plan: 'scale' } });
  const project = made.project.id;
  const api = createApi({ baseUrl: '', key: made.key, fetch: inTurn(services) });
  const channel = await api.createChannel({ project, body: { name: 'orders' } });
  const secrets = await api.revealSecrets({ project, channel: channel.id });
  const settings: CustomerSettings = { secrets: secrets.items.map(({ secret }) => secret), endpoints: PATHS };
  const customer = world.start('customer', settings);
  const { port } = (await customer.ready) as { readonly port: number };
  const endpoint = async (path: string): Promise<string> =>
    (await api.createEndpoint({ project, body: { url: `http://127.0.0.1:${port}/${path}`, ...POLICY } })).id;
  const endpoints = [await endpoint(PATHS[0]), await endpoint(PATHS[1])] as const;
  await customer.ask({ [PATHS[0]]: endpoints[0], [PATHS[1]]: endpoints[1] });
  const rules: Rule[] = [];
  for (const document of documents(endpoints[0])) {
    const { id } = await api.createRule({ project, body: document });
    rules.push({ id, ...document, enabled: true });
  }
  const { key: receiveKey } = await api.createKey({
    project,
    body: { name: 'clients', scopes: ['receive'] },
  });
  const { rules_version: rulesVersion } = await api.getProject({ project });
  return {
    ...{ id: project, api, endpoints, receiveKey, customer, rules, rulesVersion },
    ingest: new URL(channel.url ?? '').pathname,
  };
}

/** Sends each request, whose address is a path, to the next process. */
function inTurn(services: readonly Service[]): typeof fetch {
  let turn = 0;
  return (path, init) => fetch(new URL(path as string, services[turn++ % services.length]?.url), init);
}
