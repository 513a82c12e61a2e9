/** The messages between the processes of a run. */
import type { SiteSettings } from '../sites/site.js';

export const SECRET = 'whsec_chaos';

export interface ReceiverSettings {
  /** Removed when the run's own process is gone. */
  readonly folder: string;
}

/** A process that writes a journal. */
interface JournalSettings {
  readonly name: string;
  readonly journal: string;
  readonly site: SiteSettings;
}

export interface WorkerSettings extends JournalSettings {
  /** Origin of the receiver. */
  readonly receiver: string;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly concurrency: number;
  /** How long an attempt waits for its answer. */
  readonly timeoutMs: number;
  /** Pages that the database may have until told otherwise: a full disk where none can be had. */
  readonly pages?: number;
}

export interface HostSettings extends JournalSettings {
  /** How many orders there are to be in the end. */
  readonly orders: number;
  readonly perSecond: number;
  /** Every how manyth time the deliveries go into the store by themselves, before the host's own row; 0 for none. */
  readonly apart: number;
  /** How many ordering keys there are, in turn; 0 for none. */
  readonly keys: number;
  readonly pages?: number;
}

/** A command to a child. */
export type Command =
  | { readonly do: 'stop' }
  /** Sets the process's clock this far from the right time. */
  | { readonly do: 'clock'; readonly byMs: number }
  | { readonly do: 'pages'; readonly pages: number };

/** A request, as the receiver saw it. */
export interface Request {
  /** The key of the attempt that made it. */
  readonly key: string;
  readonly delivery: string;
  /** Unix ms. */
  readonly at: number;
  /** Null: it was not answered while somebody waited. */
  readonly status: number | null;
}

/** All that a receiver saw. */
export interface Received {
  readonly requests: readonly Request[];
  /** Requests that it refused, by the code of the error. */
  readonly refused: Readonly<Record<string, number>>;
}
