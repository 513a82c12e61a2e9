/** The first project: a channel, endpoints with receivers of their own, rules, keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Rule, type RuleDocument, ruleTemplates } from 'headgate';
import { rules as quickstartRules } from '../../quickstart/project.js';
import { type Receiver, startReceiver } from '../../quickstart/receivers.js';
import type { Channel } from '../src/channels/routes.js';
import { allOf, type Api, type Input } from '../src/client/index.js';

const SLOW_MS = 150;

/** How the receiver of each endpoint answers the n-th request for an event; null if nothing listens. */
export const BEHAVIORS = {
  healthy: () => 204,
  'fails twice': (attempt: number) => (attempt <= 2 ? 503 : 200),
  slow: () => sleep(SLOW_MS, 204),
  gone: null,
  paused: () => 204,
} as const satisfies Readonly<Record<string, ((attempt: number) => number | Promise<number>) | null>>;

/** Name of an endpoint, after what its receiver does. */
export type EndpointName = keyof typeof BEHAVIORS;
export const ENDPOINT_NAMES = Object.keys(BEHAVIORS) as EndpointName[];

/** Real policies start at 60 s; here a second, the least there is, so that the whole schedule can be watched. */
export const POLICY = { retry_max_attempts: 3, retry_backoff_base_seconds: 1 } as const;

/** Nothing listens on port 9 of a usual machine: discard, of 1983. */
const GONE_URL = 'http://127.0.0.1:9/hooks';

/** The project, as it was set up. */
export interface FirstProject {
  readonly id: string;
  readonly channel: Channel;
  /** Endpoint ids by name. */
  readonly endpoints: Readonly<Record<EndpointName, string>>;
  readonly receivers: readonly Receiver<EndpointName>[];
  /** Rules with the ids that the host gave them, in the order of {@link ruleDocuments}. */
  readonly rules: readonly Rule[];
  /** May do everything in the project. */
  readonly manageKey: string;
  /** May receive events as an SDK client. */
  readonly receiveKey: string;
}

/** @param answered - Called for each answer of a receiver. */
export async function setUp(
  api: Api,
  answered: (endpoint: EndpointName, eventId: string, status: number) => void,
): Promise<FirstProject> {
  const project = await projectOf(api);
  const channel = await api.createChannel({
    project,
    // The events of Stripe and Slack say what they are.
    body: { name: 'GitHub, Stripe, Slack and Discord', topic_path: 'data.body.type' },
  });
  const secrets = await api.revealSecrets({ project, channel: channel.id });
  const receivers: Receiver<EndpointName>[] = [];
  const endpoints: Partial<Record<EndpointName, string>> = {};
  for (const name of ENDPOINT_NAMES) {
    const answer = BEHAVIORS[name];
    const receiver =
      answer === null
        ? null
        : await startReceiver(name, {
            secrets: secrets.items.map(({ secret }) => secret),
            answer,
            answered: (eventId, status) => answered(name, eventId, status),
          });
    if (receiver !== null) receivers.push(receiver);
    const url = receiver?.url ?? GONE_URL;
    endpoints[name] = (await api.createEndpoint({ project, body: { name, url, ...POLICY } })).id;
  }
  const made = endpoints as Record<EndpointName, string>;
  await api.pauseEndpoint({ project, endpoint: made.paused });
  const rules: Rule[] = [];
  for (const body of ruleDocuments(made)) {
    const { id } = await api.createRule({ project, body });
    rules.push({ id, ...body });
  }
  return {
    ...{ id: project, channel, receivers, rules, endpoints: made },
    manageKey: await keyOf(api, project, { name: 'npm start', scopes: ['ingest', 'read', 'manage'] }),
    receiveKey: await keyOf(api, project, { name: 'SDK client of npm start', scopes: ['receive'] }),
  };
}

/** The project of an embedded first start; on Postgres the operator makes the first one. */
async function projectOf(api: Api): Promise<string> {
  const [first] = await allOf(api.listProjects, {});
  if (first !== undefined) return first.id;
  const { project } = await api.createProject({ body: { name: 'First project', plan: 'pro' } });
  return project.id;
}

async function keyOf(api: Api, project: string, body: Input<'createKey'>['body']): Promise<string> {
  return (await api.createKey({ project, body })).key;
}

/** The four templates as they come, and the two other actions: those of the quickstart, by what the body says. */
function ruleDocuments(endpoints: Readonly<Record<EndpointName, string>>): RuleDocument[] {
  const [hideBuyers] = quickstartRules.filter(({ name }) => name === 'Hide buyers');
  if (hideBuyers === undefined) throw new Error('the quickstart has no rule that hides buyers');
  const { id: _, ...hide } = hideBuyers;
  return [
    ...ruleTemplates.map(({ rule }) => rule),
    {
      name: 'Large charges to two endpoints',
      stage: 'deliver',
      match: {
        all: [
          { path: 'data.body.type', op: 'eq', value: 'charge.succeeded' },
          { path: 'data.body.data.object.amount', op: 'gte', value: 100_000 },
        ],
      },
      action: { type: 'route_only', endpoint_ids: [endpoints['fails twice'], endpoints.paused] },
      priority: 200,
    },
    hide,
  ];
}
