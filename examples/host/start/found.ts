/** Collects the results of a run: from the host's API, from the receivers and from the SDK client. */
import { apiKey } from '../../quickstart/project.js';
import { allOf, type Api } from '../src/client/index.js';
import type { DeliveryView } from '../src/delivering/routes.js';
import type { EventItem } from '../src/events/routes.js';
import type { Counts, EndpointCounts } from './implied.js';
import type { Listener } from './listening.js';
import { ENDPOINT_NAMES, type EndpointName, type FirstProject } from './project.js';
import type { Sent } from './sending.js';

/** A run that has ended. */
export interface Run {
  readonly project: FirstProject;
  readonly sent: Sent;
  readonly listener: Listener;
  /** When the host was there again, in Unix ms: nothing of the one that was killed came later. */
  readonly restartedAt: number;
}

/** The results of a run. */
export interface Found extends Counts {
  /** Requests that receivers got, and that the host has no record of: it was killed before it could write. */
  readonly unrecorded: Readonly<Record<EndpointName, number>>;
  /** Findings that nothing explains, each as a sentence. */
  readonly problems: readonly string[];
  readonly events: readonly EventItem[];
}

export async function findOut(api: Api, run: Run): Promise<Found> {
  const { project, sent, listener } = run;
  const home = { project: project.id };
  const events = await allOf(api.listEvents, home);
  const deliveries = await allOf(api.listDeliveries, home);
  const rules = await allOf(api.listRules, home);
  const { count: deadLetters } = await api.countDeadLetters(home);
  const replies = await repliesTo([...listener.replied], api, project.id);
  const received = [...listener.events.values()];
  const byEndpoint = <Value>(of: (name: EndpointName) => Value): Record<EndpointName, Value> =>
    Object.fromEntries(ENDPOINT_NAMES.map((name) => [name, of(name)])) as Record<EndpointName, Value>;
  const to = (name: EndpointName): DeliveryView[] =>
    deliveries.filter(({ endpoint_id }) => endpoint_id === project.endpoints[name]);
  return {
    accepted: new Set(sent.ids).size,
    processed: events.filter(({ status }) => status === 'processed').length,
    dropped: events.filter(({ status }) => status === 'dropped').length,
    urgent: events.filter(({ tags }) => tags.includes('urgent')).length,
    redacted: received.filter(({ data }) => JSON.stringify(data).includes('[redacted]')).length,
    deadLetters,
    matched: project.rules.map(({ id }) => rules.find((rule) => rule.id === id)?.counts.matched ?? 0),
    endpoints: byEndpoint((name) => countsOf(to(name), requestsTo(name, project))),
    received: new Set(received.map(({ id }) => id)).size,
    replies,
    unrecorded: byEndpoint((name) => unrecorded(name, to(name), project)),
    events,
    problems: [
      ...lostEvents(sent, events),
      ...listener.problems,
      ...deliveries.flatMap((delivery) => strayAttempts(delivery, run)),
      ...project.receivers.flatMap(({ name, refused, saw }) => [
        ...refused.map((code) => `${name} refused a delivery: ${code}`),
        ...(saw(apiKey) ? [`${name} saw an API key`] : []),
      ]),
    ],
  };
}

async function repliesTo(ids: readonly string[], api: Api, project: string): Promise<number> {
  let replies = 0;
  for (const event of ids) replies += (await allOf(api.listReplies, { project, event })).length;
  return replies;
}

/** Genuine requests; null if nothing listens. */
const requestsTo = (name: EndpointName, { receivers }: FirstProject): number | null =>
  receivers.find((receiver) => receiver.name === name)?.verified ?? null;

const countsOf = (deliveries: readonly DeliveryView[], requests: number | null): EndpointCounts => ({
  delivered: deliveries.filter(({ state }) => state === 'delivered').length,
  failed: deliveries.filter(({ state }) => state === 'failed').length,
  requests: requests ?? deliveries.reduce((sum, { attempts }) => sum + attempts, 0),
});

/** Every event that was answered 202 is stored, and no other. */
function lostEvents({ ids }: Sent, events: readonly EventItem[]): string[] {
  const stored = new Set(events.map(({ id }) => id));
  const answered = new Set(ids);
  return [
    ...ids.filter((id) => !stored.has(id)).map((id) => `${id} was answered 202, and is not stored`),
    ...[...stored].filter((id) => !answered.has(id)).map((id) => `${id} is stored, and nobody was told`),
  ];
}

const requestsFor = (name: EndpointName, { event_id }: DeliveryView, { receivers }: FirstProject) =>
  receivers.find((receiver) => receiver.name === name)?.requests.get(event_id) ?? [];

const unrecorded = (name: EndpointName, deliveries: readonly DeliveryView[], project: FirstProject): number =>
  deliveries.reduce(
    (sum, delivery) => sum + Math.max(0, requestsFor(name, delivery, project).length - delivery.attempts),
    0,
  );

/**
 * A receiver got every attempt once. One alone may have come unrecorded: the one that the death of the host cut off.
 */
function strayAttempts(delivery: DeliveryView, { project, restartedAt }: Run): string[] {
  const name = ENDPOINT_NAMES.find((name) => project.endpoints[name] === delivery.endpoint_id);
  if (name === undefined || name === 'gone') return [];
  const requests = requestsFor(name, delivery, project);
  const more = requests.length - delivery.attempts;
  const wasInFlight = requests.some((at) => at <= restartedAt);
  if (more === 0 || (more === 1 && wasInFlight)) return [];
  return [
    `${delivery.event_id} came to '${name}' ${requests.length} times, in ${delivery.attempts} attempts`,
  ];
}
