/** The databases of a run: a store, the host's own table of orders beside it, and an account of every lease. */
import type { Attempt, DeliveryStore, Dispatch } from 'headgate/delivery';
import { openPostgresSite } from './postgres.js';
import { openSqliteSite } from './sqlite.js';

/** The settings from which a process opens a site. */
export type SiteSettings =
  | { readonly kind: 'sqlite'; readonly path: string; readonly lockTimeoutMs?: number }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string };

/** An event that the host has committed. */
export interface Order {
  readonly number: number;
  readonly event: string;
}

/** A delivery, as the store holds it. */
export interface StoredDelivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: readonly Attempt[];
}

/** A change of a delivery's lease, as a trigger wrote it down in the very transaction. */
export interface LeaseChange {
  readonly delivery: string;
  /** Null: it ended. */
  readonly lease: string | null;
  /** Unix ms, by the database's clock. */
  readonly at: number;
}

/** Everything that the database has to say in the end. */
export interface Ledger {
  readonly orders: readonly Order[];
  readonly stored: readonly StoredDelivery[];
  /** In the order in which they happened. */
  readonly leases: readonly LeaseChange[];
}

/** An open site. */
export interface Site {
  readonly store: DeliveryStore;
  /** Makes the tables of the run; once, before any process opens the site. */
  prepare(): Promise<void>;
  /** Number of the last order committed; 0 for none. */
  lastOrder(): Promise<number>;
  /** The order's row and its deliveries, in one transaction; `undone`: which is rolled back at its end. */
  place(order: Order, dispatch: Dispatch, undone: boolean): Promise<void>;
  /** Deliveries that are neither delivered nor failed. */
  unfinished(): Promise<number>;
  /** Ordering keys that a delivery holds. */
  busyKeys(): Promise<number>;
  ledger(): Promise<Ledger>;
  close(): Promise<void>;
}

/** Opens a site; in each process anew. */
export const openSite = (settings: SiteSettings): Promise<Site> =>
  settings.kind === 'sqlite' ? openSqliteSite(settings) : openPostgresSite(settings);

/** The deliveries of some rows with their attempts, read one after another. */
export async function storedIn(
  store: DeliveryStore,
  rows: readonly Omit<StoredDelivery, 'attempts'>[],
): Promise<readonly StoredDelivery[]> {
  const stored: StoredDelivery[] = [];
  for (const row of rows) stored.push({ ...row, attempts: (await store.get(row.id))?.attempts ?? [] });
  return stored;
}
