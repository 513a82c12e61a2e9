/** A running service under chaos: its processes, its project, its SDK clients, and how it all ends. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { allOf } from '../../../examples/host/src/client/index.js';
import { type Outcome, unless } from '../scenario.js';
import { until, type World } from '../world.js';
import { firstVersion, type Versions } from './editor.js';
import { judgeHost } from './judging.js';
import type { CustomerReport } from './messages.js';
import { ADMIN_KEY, type Project, setUp } from './project.js';
import { openReader, type StoreAddress, type Reader } from './records.js';
import type { Sending } from './sender.js';
import { Service } from './service.js';
import { repeatsOf } from './subscription.js';
import { Subscriber } from './subscribers.js';

/** Attempts that one process may have in flight. */
const CONCURRENCY = 32;
/** Leases, the waits of clients that reconnect, and the retries after them. */
const AFTERMATH_MS = 120_000;

/** A running service, as scenarios get it. */
export interface Site {
  readonly services: readonly Service[];
  readonly project: Project;
  readonly subscribers: readonly Subscriber[];
  readonly reader: Reader;
}

export const sqliteAddress = (world: World): StoreAddress => {
  const folder = join(world.folder, 'data');
  mkdirSync(folder);
  return { kind: 'sqlite', folder };
};
export const postgresAddress = (url: string, schema: string): StoreAddress => ({
  kind: 'postgres',
  url,
  schema,
});

const environmentOf = (address: StoreAddress): Readonly<Record<string, string>> => ({
  HOST: '127.0.0.1',
  HEADGATE_ALLOW: '127.0.0.0/8',
  HEADGATE_ADMIN_KEY: ADMIN_KEY,
  HEADGATE_CONCURRENCY: `${CONCURRENCY}`,
  HEADGATE_SEALING_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  LOG_LEVEL: 'warn',
  ...(address.kind === 'sqlite'
    ? { HEADGATE_DATA: address.folder }
    : { DATABASE_URL: address.url, HEADGATE_SCHEMA: address.schema, HEADGATE_CONNECTIONS: '8' }),
});

/** Starts everything, and waits until the SDK clients are connected. */
export async function openSite(world: World, address: StoreAddress, processes: number): Promise<Site> {
  const services = Array.from(
    { length: processes },
    (_, i) => new Service(`${address.kind}-${i + 1}`, world.folder, environmentOf(address)),
  );
  world.defer(() => Promise.all(services.map((service) => service.end())));
  for (const service of services) service.start();
  await Promise.all(services.map(({ ready }) => ready));
  const [fault] = services.flatMap(({ faults }) => faults);
  if (fault !== undefined) throw new Error(fault);
  const project = await setUp(world, services);
  const subscribers = ['billing', 'search'].map(
    (name, i) =>
      new Subscriber(world, project, `${address.kind}-${name}`, services[i % processes]?.url ?? ''),
  );
  await Promise.all(subscribers.map(({ ready }) => ready));
  return { services, project, subscribers, reader: openReader(address) };
}

/** Events of a run besides the sending. */
export interface Happened {
  /** Unix ms at which the database was killed. */
  readonly outages?: readonly number[];
  readonly versions?: Versions;
}

/** Waits until nothing is left to do, stops everything in order, and judges. */
export async function conclude(
  { services, project, subscribers, reader }: Site,
  sending: Sending,
  events: number,
  { outages = [], versions = firstVersion(project) }: Happened = {},
): Promise<Outcome> {
  const sent = await sending.done.then(
    () => [],
    (error: unknown) => [String(error)],
  );
  const isDone = await until(async () => {
    const { undecided, pending, uncounted, head, cursor } = await reader.open();
    return undecided + pending + uncounted === 0 && cursor === head;
  }, AFTERMATH_MS);
  const left = isDone ? null : await reader.open();
  const shown = await shownFaults(project);
  await Promise.all(subscribers.map((subscriber) => subscriber.stop()));
  const customer = await project.customer.ask<CustomerReport>();
  await Promise.all(services.map((service) => service.stop()));
  const records = await reader.records();
  await reader.close();
  const killed = services.flatMap(({ killedAt }) => killedAt);
  const notes = new Map(subscribers.map((subscriber) => [subscriber.name, subscriber.notes()]));
  const verdict = judgeHost({
    ...{ answered: sending.ids, events, records, customer, notes, versions },
    endpoints: project.endpoints,
    kills: [...killed, ...outages],
    concurrency: CONCURRENCY * services.length,
  });
  const replies = records.replies.length;
  const again = [...notes.values()].map(repeatsOf).reduce((a, b) => a + b, 0);
  return {
    kills: killed.length + outages.length,
    verdict,
    said: [
      `${events} events answered: ${[...sending.answers].map(([what, n]) => `${n} × ${what}`).join(', ')}`,
      `${records.log.length} in the log, ${records.events.length - records.log.length} dropped, ${versions.size} versions of the rules`,
      `${replies} replies; SDK clients got ${again} events again`,
    ],
    faults: [
      ...sending.faults,
      ...sent,
      ...unless(isDone, `there was work left in the end: ${JSON.stringify(left)}`),
      ...shown,
      ...services.flatMap(({ faults }) => faults),
      ...unless(!project.customer.failed, 'the customer ended'),
    ],
  };
}

/** The API must show the state of the database: nothing undecided, nothing pending. */
async function shownFaults({ api, id: project }: Project): Promise<readonly string[]> {
  const undecided = await allOf(api.listEvents, { project, query: { status: 'received' } });
  const pending = await allOf(api.listDeliveries, { project, query: { state: 'pending' } });
  return [
    ...unless(undecided.length === 0, `the API shows ${undecided.length} events that are not decided`),
    ...unless(pending.length === 0, `the API shows ${pending.length} deliveries that are pending`),
  ];
}
