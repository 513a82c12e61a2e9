/** The project that everything happens in: a channel, two endpoints, rules, keys. */
import type { Rule, RuleDocument } from 'headgate';
import type { Child } from '../child.js';
import type { World } from '../world.js';
import { type Api, createApi } from './api.js';
import type { CustomerSettings } from './messages.js';
import type { Service } from './service.js';

export const ADMIN_KEY = 'chaos-operator-key-0123456789-0123456789';

/** What was set up. */
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
  /** Of these rules. */
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

/** @param services - Of one database, all of them listening. */
export async function setUp(world: World, services: readonly Service[]): Promise<Project> {
  const operator = createApi(services, ADMIN_KEY);
  const made = await operator.call<{ project: { id: string }; key: string }>('POST', '/projects', {
    name: 'Chaos',
    plan: 'scale',
  });
  const { project, key } = made.body;
  const api = createApi(services, key);
  const home = `/projects/${project.id}`;
  const post = async <Body>(path: string, body: unknown): Promise<Body> =>
    (await api.call<Body>('POST', home + path, body)).body;
  const channel = await post<{ id: string; url: string }>('/channels', { name: 'orders' });
  const { body: secrets } = await api.call<{ items: readonly { secret: string }[] }>(
    'GET',
    `${home}/channels/${channel.id}/secrets`,
  );
  const settings: CustomerSettings = { secrets: secrets.items.map(({ secret }) => secret), endpoints: PATHS };
  const customer = world.start('customer', settings);
  const { port } = (await customer.ready) as { readonly port: number };
  const endpoint = async (path: string): Promise<string> =>
    (await post<{ id: string }>('/endpoints', { url: `http://127.0.0.1:${port}/${path}`, ...POLICY })).id;
  const endpoints = [await endpoint(PATHS[0]), await endpoint(PATHS[1])] as const;
  await customer.ask({ [PATHS[0]]: endpoints[0], [PATHS[1]]: endpoints[1] });
  const rules: Rule[] = [];
  for (const document of documents(endpoints[0])) {
    const { id } = await post<{ id: string }>('/rules', document);
    rules.push({ id, ...document, enabled: true });
  }
  const { key: receiveKey } = await post<{ key: string }>('/keys', { name: 'clients', scopes: ['receive'] });
  const { body: now } = await api.call<{ rules_version: number }>('GET', home);
  return {
    ...{ id: project.id, api, endpoints, receiveKey, customer, rules, rulesVersion: now.rules_version },
    ingest: new URL(channel.url).pathname,
  };
}
