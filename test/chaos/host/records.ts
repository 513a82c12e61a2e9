/** The final contents of the host's database. */
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly channel_id: string;
  readonly channel_name: string;
  readonly status: string;
  readonly received_at: number;
  readonly rules_version: number | null;
  readonly dropped_by: string | null;
  /** JSON. */
  readonly tags: string | null;
  /** JSON. */
  readonly decision: string | null;
  readonly data: string;
  readonly raw_payload: string | null;
  readonly projected: string | null;
}

export interface StoredDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly state: string;
  readonly attempts: number;
}

/** All rows that tell what became of the events. */
export interface Records {
  readonly events: readonly StoredEvent[];
  readonly log: readonly { readonly position: number; readonly event_id: string; readonly origin: string }[];
  readonly deliveries: readonly StoredDelivery[];
  /** Recorded attempts. */
  readonly attempts: readonly {
    readonly delivery_id: string;
    readonly number: number;
    readonly ok: number;
  }[];
  readonly rules: readonly { readonly id: string }[];
  readonly ruleCounts: readonly Count[];
  readonly ruleMinutes: readonly Count[];
  readonly endpointMinutes: readonly Count[];
  readonly replies: readonly {
    readonly event_id: string;
    readonly client: string;
    readonly reply_id: string;
    readonly payload: string;
  }[];
}

/** A number of something, by its id. */
export interface Count {
  readonly id: string;
  readonly n: number;
}

/** How much there is still to do. */
export interface Open {
  readonly undecided: number;
  readonly pending: number;
  /** Notes of matches that are not counted. */
  readonly uncounted: number;
  readonly head: number;
  /** The cursor of the client that is furthest behind. */
  readonly cursor: number;
}

/** `{library}` begins the names of the library's tables. */
const QUERIES: Readonly<Record<keyof Records, string>> = {
  events: `select events.id, type, channel_id, channel_name, status, received_at, rules_version, dropped_by, tags, decision,
    data, raw_payload, projected from events left join event_payloads on event_id = events.id`,
  log: 'select position, event_id, origin from event_log order by position',
  deliveries: 'select id, event_id, endpoint_id, state, attempts from {library}deliveries',
  attempts: `select d.id as delivery_id, a.number, case when a.failure is null then 1 else 0 end as ok
    from {library}attempts as a join {library}deliveries as d on d.number = a.delivery`,
  rules: 'select id from rules',
  ruleCounts: 'select rule_id as id, matched as n from rule_counts',
  ruleMinutes: 'select rule_id as id, sum(matched) as n from rule_minutes group by rule_id',
  endpointMinutes: 'select endpoint_id as id, sum(attempts) as n from endpoint_minutes group by endpoint_id',
  replies: 'select event_id, client, reply_id, payload from replies',
};
const OPEN = `select (select count(*) from events where status = 'received') as undecided,
  (select count(*) from {library}deliveries where state in ('pending', 'leased')) as pending,
  (select count(*) from rule_matches) as uncounted,
  (select coalesce(max(log_position), 0) from projects) as head,
  (select coalesce(min(position), 0) from clients) as cursor`;

/** The storage of the host. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string };

/** A connection that only reads. */
export interface Reader {
  records(): Promise<Records>;
  open(): Promise<Open>;
  close(): Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;

export function openReader(address: StoreAddress): Reader {
  const { all, close } =
    address.kind === 'sqlite' ? sqlite(address.folder) : postgres(address.url, address.schema);
  return {
    async records() {
      const tables: Record<string, unknown> = {};
      for (const [name, query] of Object.entries(QUERIES)) tables[name] = await all(query);
      return tables as unknown as Records;
    },
    open: async () => (await all(OPEN))[0] as unknown as Open,
    close,
  };
}

interface Connection {
  all(query: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

function sqlite(folder: string): Connection {
  const db = new DatabaseSync(join(folder, 'headgate.db'), { readOnly: true, timeout: 10_000 });
  return {
    all: (query) => Promise.resolve(db.prepare(query.replaceAll('{library}', 'headgate_')).all() as Row[]),
    close: () => {
      db.close();
      return Promise.resolve();
    },
  };
}

/** `bigint` and `numeric`, which are small here. */
const NUMBERS: ReadonlySet<number> = new Set([20, 1_700]);

function postgres(url: string, schema: string): Connection {
  const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}`, max: 1 });
  // A server that goes away tells of it here.
  pool.on('error', () => undefined);
  return {
    async all(query) {
      const { rows, fields } = await pool.query<Record<string, unknown>>(
        query.replaceAll('{library}', `${schema}_deliveries.`),
      );
      const numbers = fields.filter(({ dataTypeID }) => NUMBERS.has(dataTypeID)).map(({ name }) => name);
      return rows.map((row) => ({
        ...row,
        ...Object.fromEntries(numbers.map((name) => [name, toNumber(row[name])])),
      }));
    },
    close: () => pool.end(),
  };
}

const toNumber = (value: unknown): number | null => (value === null ? null : Number(value));
