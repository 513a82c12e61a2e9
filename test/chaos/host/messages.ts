/** The messages between the processes around a host. */

export interface CustomerSettings {
  readonly secrets: readonly string[];
  /** Paths: the first answers at once, the second is slow and fails at times. */
  readonly endpoints: readonly [string, string];
}

/** A genuine request, as the customer saw it. */
export interface Arrival {
  readonly delivery: string;
  /** Unix ms. */
  readonly at: number;
  /** Null: it was not answered while somebody waited. */
  readonly status: number | null;
}

export interface CustomerReport {
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[];
  /** Requests whose signature was not right, by the code of the error. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface SubscriberSettings {
  readonly url: string;
  readonly project: string;
  readonly key: string;
  /** The name for which the host keeps a cursor. */
  readonly client: string;
  readonly journal: string;
}

/** A line of a subscriber's journal. */
export type Noted =
  | { readonly is: 'started' }
  | { readonly is: 'open'; readonly position: number }
  | { readonly is: 'event'; readonly position: number; readonly id: string; readonly attempt: number }
  | { readonly is: 'gap'; readonly from: number; readonly to: number; readonly reason: string }
  /** The promise of the reply has resolved. */
  | { readonly is: 'replied'; readonly id: string; readonly n: number }
  | { readonly is: 'ended'; readonly code: string };
