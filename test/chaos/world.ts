/** The surroundings of one scenario: a folder, a receiver, and processes that come and go. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryId } from 'headgate/delivery';
import { Child } from './child.js';
import type { HostSettings, Received, WorkerSettings } from './children/messages.js';
import { addressees } from './endpoints.js';
import type { Line } from './journal.js';
import { openSite, type Order, type Site, type SiteSettings } from './sites/site.js';
import { type Evidence, LEASE_MS } from './verdict.js';

/** The settings that scenarios may change about a worker, and those that they must give for a host. */
export type WorkerOptions = Partial<Omit<WorkerSettings, 'name' | 'journal' | 'site' | 'receiver'>>;
export type HostOptions = Partial<HostSettings> & Pick<HostSettings, 'orders' | 'perSecond'>;

export const POLL_MS = 500;

/** The processes, the database and the receiver of one scenario. Made for it, and closed after it. */
export class World {
  readonly folder: string;
  readonly children: Child[] = [];
  readonly #programs: string;
  #receiver: Child | undefined;
  readonly #ends: (() => unknown)[] = [];
  #origin = '';
  #isClosed = false;

  /** @param programs - See {@link bundle}. */
  constructor(programs: string, name: string) {
    this.#programs = programs;
    this.folder = join(programs, name);
    mkdirSync(this.folder);
  }

  async open(): Promise<void> {
    this.#receiver = this.start('receiver', { folder: this.folder });
    const { port } = (await this.#receiver.ready) as { readonly port: number };
    this.#origin = `http://127.0.0.1:${port}`;
  }

  worker(site: SiteSettings, options: WorkerOptions = {}): Child {
    const defaults = { leaseMs: LEASE_MS, pollMs: POLL_MS, concurrency: 64, timeoutMs: 3_000 };
    return this.start('worker', { site, receiver: this.#origin, ...defaults, ...options });
  }

  host(site: SiteSettings, options: HostOptions): Child {
    return this.start('host', { site, apart: 0, keys: 0, ...options });
  }

  /** Starts a process, which ends with the world. */
  start(role: Child['role'], settings: object): Child {
    if (this.#isClosed) throw new Error('the run has ended');
    const name = `${role}-${this.children.filter((child) => child.role === role).length + 1}`;
    const journal = join(this.folder, `${name}.jsonl`);
    const child = new Child({
      programs: this.#programs,
      role,
      name,
      journal,
      settings: { journal, ...settings },
    });
    this.children.push(child);
    return child;
  }

  /** The journals of all processes of a role, oldest process first. */
  lines(role: Child['role']): readonly Line[] {
    return this.children.filter((child) => child.role === role).flatMap(({ journal }) => journal);
  }

  /** Collects what everybody knows, once all is over. */
  async evidence(site: Site): Promise<Evidence> {
    const { orders, stored, leases } = await site.ledger();
    const { requests } = await this.received();
    const apart = this.lines('host').flatMap((line) =>
      line.is === 'enqueued' ? [{ number: line.order, event: line.event }] : [],
    );
    const committed = new Set([...orders, ...apart].flatMap(deliveriesOf));
    const witnesses = this.children
      .filter(({ role }) => role === 'worker')
      .map(({ name, killedAt, frozenAt, clockWasSet, journal }) => ({
        name,
        killedAt,
        frozenAt,
        clockWasSet,
        journal,
      }));
    return { committed, stored, requests, leases, witnesses };
  }

  async received(): Promise<Received> {
    if (this.#receiver === undefined) throw new Error('the world is not open');
    return this.#receiver.ask<Received>();
  }

  /** Called in the end, when all processes are gone. */
  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Kills what still runs, and removes the folder. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.children.map(async (child) => child.kill()));
    for (const end of this.#ends.splice(0)) await end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const deliveriesOf = ({ number, event }: Order): readonly string[] =>
  addressees(number).map(({ id }) => deliveryId(event, id));

/** Resolves once `isSo`, asked every tenth of a second; false when that takes longer than `withinMs`. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline;) {
    if (await isSo()) return true;
    await sleep(100);
  }
  return false;
}

/** Opens a site for this process, with the tables of the run. */
export async function prepareSite(settings: SiteSettings): Promise<Site> {
  const site = await openSite(settings);
  await site.prepare();
  return site;
}
