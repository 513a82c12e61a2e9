/**
 * Records all that callers, receivers and SDK clients see of a host with every option at its default, without ids,
 * times and addresses.
 */
import { createHmac } from 'node:crypto';
import { createClient } from 'headgate/client';
import { expect } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { type Answered, type Delivered, hostOn, type HostWorld, receiver, type Receiver } from '../world.js';

/** Values by the step in which they were seen. */
export type Recording = Readonly<Record<string, unknown>>;

const SECRET = 'a secret of GitHub';

/** Each sent to a channel, one after the other. */
const SENT: readonly { readonly name: string; readonly type: string; readonly body: string }[] = [
  {
    name: 'JSON',
    type: 'application/json',
    body: '{"kind":"order","n":12345678901234567890,"card":"4242 4242"}',
  },
  { name: 'noise', type: 'application/json', body: '{"kind":"noise"}' },
  { name: 'routed', type: 'application/json', body: '{"kind":"routed","text":"Zoë 😀 \\u0000"}' },
  { name: 'a form', type: 'application/x-www-form-urlencoded', body: 'kind=order&a=1&a=2' },
  { name: 'text', type: 'text/plain', body: 'kind: order' },
  { name: 'a list', type: 'application/json', body: '[{"kind":"order"},1.10]' },
];

const rulesOf = (endpoint: string) => [
  { name: 'Noise', match: { path: 'data.body.kind', op: 'eq', value: 'noise' }, action: { type: 'drop' } },
  {
    name: 'Cards',
    match: { path: 'data.body.card', op: 'exists' },
    action: {
      type: 'transform',
      ops: [{ op: 'redact', path: 'data.body.card', regex: '\\d', replace: '*' }],
    },
  },
  {
    name: 'Routed',
    match: { path: 'data.body.kind', op: 'eq', value: 'routed' },
    action: { type: 'route_only', endpoint_ids: [endpoint] },
  },
  {
    name: 'Orders',
    match: { path: 'data.body.kind', op: 'eq', value: 'order' },
    action: { type: 'tag', tags: ['order'] },
  },
];

/** Runs all steps on a fresh database. */
export async function record(db: Database): Promise<Recording> {
  const host = await hostOn(db);
  const names = new Map<string, string>([
    [host.project, '<project>'],
    [new URL(host.url).host, '<host>'],
  ]);
  const seen: Record<string, unknown> = {};
  const note = (step: string, value: unknown): void => void (seen[step] = plain(value, names));
  const [first, second] = [await receiver(), await receiver(500)];
  for (const [one, name] of [
    [first, '<first>'],
    [second, '<second>'],
  ] as const) {
    names.set(new URL(one.url).host, name);
  }
  const make = making(host, names, note);
  const a = await make('endpoints', { url: first.url, name: 'First' }, '<first endpoint>');
  const settings = { url: second.url, name: 'Second', retry_max_attempts: 2, retry_backoff_base_seconds: 1 };
  const b = await make('endpoints', settings, '<second endpoint>');
  const channel = await make('channels', { name: 'Shop' }, '<channel>');
  const source = { name: 'github', secrets: [SECRET], header: null };
  const github = await make('channels', { name: 'GitHub', source }, '<GitHub channel>');
  for (const [i, rule] of rulesOf(b.id).entries()) {
    const document = { stage: 'deliver', priority: i, ...rule };
    await make('rules', document, `<rule ${rule.name}>`);
  }
  const client = createClient({ url: host.url, project: host.project, key: host.key, name: 'recorder' });
  const entries: unknown[] = [];
  client.on('event', (received) => void entries.push(received));
  await expect.poll(() => client.state).toBe('open');
  for (const { name, type, body } of SENT) {
    const answer = await host.send(channel.url, body, { 'content-type': type });
    names.set((answer.json as { id: string }).id, `<event: ${name}>`);
    note(`ingest: ${name}`, [answer.status, answer.json]);
    await settled(host, (answer.json as { id: string }).id);
  }
  const body = '{"action":"opened","kind":"order"}';
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const signed = await host.send(github.url, body, {
    ...{ 'x-hub-signature-256': signature, 'x-github-event': 'pull_request', 'x-github-delivery': 'd1' },
  });
  const id = (signed.json as { id: string }).id;
  names.set(id, '<event: GitHub>');
  await settled(host, id);
  note(
    'a signature that is wrong',
    told(await host.send(github.url, body, { 'x-hub-signature-256': 'sha256=00' })),
  );
  // Matches are counted every two seconds.
  await expect.poll(() => matched(host), { timeout: 10_000 }).toBe(6);
  await noteReads(host, { a: a.id, event: id, note });
  await noteActions(host, { endpoint: a.id, event: id, note });
  await expect.poll(() => entries.length).toBe(7);
  note('SDK client', entries);
  await client.close();
  note('requests to the first receiver', requestsOf(first));
  note('requests to the second receiver', requestsOf(second));
  return seen;
}

type Note = (step: string, value: unknown) => void;

/** Makes a resource, and gives its id and its address their names. */
const making =
  ({ call, project }: HostWorld, names: Map<string, string>, note: Note) =>
  async (
    list: string,
    body: object,
    name: string,
  ): Promise<{ readonly id: string; readonly url: string }> => {
    const { status, json } = await call('POST', `/projects/${project}/${list}`, body);
    const { id, address } = json as { id: string; address?: string; url: string };
    names.set(id, name);
    if (address !== undefined) names.set(address, `${name.slice(0, -1)}’s address>`);
    note(`made: ${name}`, [status, json]);
    return json as { id: string; url: string };
  };

/** Waits until an event is decided, and its deliveries have ended. */
async function settled(host: HostWorld, id: string): Promise<void> {
  const left = async (): Promise<number> => {
    const { json } = await host.call('GET', `/projects/${host.project}/events/${id}`);
    const { status, deliveries } = json as { status: string; deliveries: { state: string }[] };
    return (
      (status === 'received' ? 1 : 0) +
      deliveries.filter(({ state }) => state !== 'delivered' && state !== 'failed').length
    );
  };
  await expect.poll(left, { timeout: 15_000 }).toBe(0);
}

async function matched({ call, project }: HostWorld): Promise<number> {
  const { json } = await call('GET', `/projects/${project}/rules`);
  const { items } = json as { readonly items: readonly { readonly counts: { readonly matched: number } }[] };
  return items.reduce((sum, { counts }) => sum + counts.matched, 0);
}

async function noteReads(
  { call, project }: HostWorld,
  { a, event, note }: { readonly a: string; readonly event: string; readonly note: Note },
): Promise<void> {
  const paths = [
    ...['events?status=processed', 'events?tag=order', 'events?type=webhook.received', `events/${event}`],
    ...[`events/${event}/attempts`, 'dead-letters', 'deliveries', `endpoints/${a}`, 'rules', 'rules/export'],
  ];
  for (const path of paths) {
    note(
      `GET ${path.replace(event, '<event>').replace(a, '<endpoint>')}`,
      told(await call('GET', `/projects/${project}/${path}`)),
    );
  }
}

async function noteActions(
  { call, project }: HostWorld,
  { endpoint, event, note }: { readonly endpoint: string; readonly event: string; readonly note: Note },
): Promise<void> {
  const post = async (step: string, path: string, body: object): Promise<void> =>
    note(step, told(await call('POST', `/projects/${project}/${path}`, body)));
  await post('test', `endpoints/${endpoint}/test`, {});
  await post('replay', `events/${event}/replay`, { endpoint_ids: [endpoint] });
  await post('try', 'rules/try', {
    match: { path: 'data.body.kind', op: 'eq', value: 'order' },
    action: { type: 'drop' },
  });
  const rule = {
    stage: 'deliver',
    match: { path: 'type', op: 'exists' },
    action: { type: 'tag', tags: ['t'] },
  };
  await post('dry-run', 'rules/dry-run', { ...rule, windowHours: 1 });
}

const told = ({ status, json }: Answered): unknown => [status, json as unknown];

/** Requests in the order of their events and attempts; the sender's own headers and the body. */
const requestsOf = ({ got }: Receiver): unknown =>
  [...got].sort(byEvent).map(({ headers, event }) => ({
    headers: Object.fromEntries(
      Object.entries(headers).filter(
        ([name]) => name.startsWith('svc-') || name === 'content-type' || name === 'user-agent',
      ),
    ),
    event: event as unknown,
  }));

/** The first attempt of an event may come while another one waits for its retry. */
const byEvent = (a: Delivered, b: Delivered): number => {
  const [one, other] = [a, b].map(({ event }) => (event as { readonly id: string }).id);
  return one === other ? 0 : (one ?? '') < (other ?? '') ? -1 : 1;
};

const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>'],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>'],
  [/evt_[\dA-Z]{26}/g, '<event>'],
  [/t=\d+(?:,v1=[\da-f]{64})+/g, '<signature>'],
  [/("svc-timestamp":)"\d+"/g, '$1"<seconds>"'],
  [/("(?:ms|duration_ms|mean_ms|scanned_ms|scanned|tail_position|bytes)":)[\d.]+/g, '$1"<number>"'],
];

function plain(value: unknown, names: ReadonlyMap<string, string>): unknown {
  let text = JSON.stringify(value);
  for (const [id, name] of names) text = text.replaceAll(id, name);
  for (const [pattern, name] of PLAIN) text = text.replaceAll(pattern, name);
  return JSON.parse(text) as unknown;
}
