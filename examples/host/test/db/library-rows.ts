/** Rows in the library's tables, added past its store: in states that take it long to reach, or in large numbers. */
import type { Database, Queries, Row } from '../../src/db/index.js';

/** A delivery; columns that are left out are those of a new one. */
export interface TestDelivery {
  readonly id: string;
  readonly project_id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly event_type?: string;
  readonly origin?: string;
  readonly state?: string;
  readonly attempts?: number;
  readonly due_at?: number | null;
  readonly failure?: string | null;
  readonly status_code?: number | null;
  /** 1 for a dead letter. */
  readonly dead?: number;
  readonly redelivery_id?: string | null;
  readonly created_at: number;
  readonly finished_at?: number | null;
}

/** Adds deliveries without bodies or attempts. */
export const insertDeliveries = (
  { dialect }: Pick<Database, 'dialect'>,
  queries: Pick<Queries, 'insert'>,
  deliveries: readonly TestDelivery[],
): Promise<number> =>
  queries.insert(
    dialect === 'sqlite' ? 'headgate_deliveries' : 'deliveries',
    deliveries.map(({ status_code = null, dead = 0, ...given }): Row => {
      // Postgres has numbers and truth values of its own; the rows go there as JSON.
      const isDead = (dialect === 'sqlite' ? dead : dead === 1) as number;
      return {
        ...{ event_type: 't', origin: 'live', state: 'pending', attempts: 0, due_at: null, failure: null },
        ...{ redelivery_id: null, finished_at: null, ...given },
        ...{ status: status_code, dead_letter: isDead, body: 0 },
      };
    }),
  );
