/**
 * A host with something to see: channels, endpoints that answer and that fail, rules of every action, events of some
 * types.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/db/index.js';
import { type HostWorld, receiver, type Started, startHost, worldOf } from '../world.js';
import { PAGES } from './browser.js';

/** A project, with the database of its host. */
export interface PagesWorld extends HostWorld {
  readonly db: Database;
}

/** Databases of this process, which go with it. */
const FOLDER = mkdtempSync(join(tmpdir(), 'headgate-pages-'));
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

/** One host on SQLite serves the pages to all tests of a process: to start one takes longer than most of them. */
let shared: Promise<Started & { readonly db: Database }> | undefined;

async function sharedHost() {
  const db = await newDatabase();
  return { ...(await startHost(db, {}, PAGES)), db };
}

/** A project of its own on a host that serves the pages. */
export async function worldWithPages(): Promise<PagesWorld> {
  shared ??= sharedHost();
  const { db } = await shared;
  return { ...(await worldOf(await shared)), db };
}

/** A database of its own, which closes with the test. */
export async function sqlite(): Promise<Database> {
  const db = await newDatabase();
  onTestFinished(() => db.close());
  return db;
}

/** A database of its own, for the rest of the process unless its caller closes it. */
export const newDatabase = (): Promise<Database> =>
  openDatabase({ sqlite: join(mkdtempSync(join(FOLDER, 'db-')), 'host.db') });

/** A world with channels, and the means to send events to them. */
export interface Furnished extends HostWorld {
  /** Ingest addresses by the names of their channels. */
  readonly addresses: Readonly<Record<'Shop' | 'Billing', string>>;
  /** Sends an event to a channel, and gives its id. */
  readonly event: (channel: 'Shop' | 'Billing', body: unknown) => Promise<string>;
}

const eq = (path: string, value: unknown): object => ({ path: `data.${path}`, op: 'eq', value });

/**
 * @param given - A world that serves the pages; one on SQLite unless given.
 * @param settings - Settings of its channels.
 */
export async function furnishedWorld(events = 24, given?: HostWorld, settings = {}): Promise<Furnished> {
  const world = given ?? (await worldWithPages());
  const [shop, billing] = [
    await world.channel({ name: 'Shop', ...settings }),
    await world.channel({ name: 'Billing', ...settings }),
  ];
  const addresses = { Shop: shop.url, Billing: billing.url };
  const orders = await world.endpoint(await receiver(), { name: 'Orders service' });
  await world.endpoint(await receiver(500), { name: 'Warehouse', retry_max_attempts: 3 });
  const rules = [
    { name: 'Drop health checks', match: eq('body.kind', 'ping'), action: { type: 'drop' } },
    {
      name: 'Redact card numbers',
      match: { path: 'data.body.card', op: 'exists' },
      action: {
        type: 'transform',
        ops: [{ op: 'redact', path: 'data.body.card', regex: '[0-9]', replace: '*' }],
      },
    },
    {
      name: 'Orders to the orders service',
      match: { path: 'data.body.kind', op: 'starts_with', value: 'order' },
      action: { type: 'route_only', endpoint_ids: [orders.id] },
    },
    {
      name: 'Tag large amounts',
      match: { path: 'data.body.amount', op: 'gt', value: 500 },
      action: { type: 'tag', tags: ['large'] },
    },
  ];
  for (const [index, rule] of rules.entries()) {
    const saved = await world.call('POST', `/projects/${world.project}/rules`, {
      stage: 'deliver',
      priority: (index + 1) * 10,
      ...rule,
    });
    expect(saved.text, rule.name).toContain('"id"');
  }
  const event = async (channel: 'Shop' | 'Billing', body: unknown): Promise<string> =>
    (await world.send(addresses[channel], body)).json.id as string;
  const bodies = [
    { kind: 'order.created', amount: 120, customer: { name: 'Ada', country: 'GB' } },
    { kind: 'order.paid', amount: 980, card: '4242 4242 4242 4242' },
    { kind: 'ping' },
    { kind: 'invoice.sent', amount: 64.5, lines: [{ sku: 'A-1', count: 2 }] },
  ];
  for (let i = 0; i < events; i++) {
    await event(i % 3 === 0 ? 'Billing' : 'Shop', { ...bodies[i % bodies.length], number: i });
  }
  await expect
    .poll(
      async () => (await world.call('GET', `/projects/${world.project}/events?status=received`)).json.items,
    )
    .toEqual([]);
  return { ...world, addresses, event };
}
