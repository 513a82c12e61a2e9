/** A project with endpoints, processes that raise its alerts, and the events that they send, in virtual time. */
import { randomUUID } from 'node:crypto';
import { type Alerts, createAlerts } from '../../src/alerts/alerts.js';
import type { Alert, Kind } from '../../src/alerts/routes.js';
import type { Database } from '../../src/db/index.js';
import { createHealthReports } from '../../src/endpoints/health-reports.js';
import { FAILING } from '../../src/endpoints/statements.js';
import { newId } from '../../src/ids.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** An event as it was sent, and where. */
export interface SentEvent {
  readonly endpoint: string;
  readonly at: number;
  readonly type: Kind;
  readonly data: {
    readonly subject: string;
    readonly name: string | null;
    readonly count: number;
    readonly since: string;
    readonly last_at: string;
    readonly detail: Readonly<Record<string, unknown>>;
  };
}

export interface Stage {
  readonly db: Database;
  readonly project: string;
  readonly now: () => number;
  pass(ms: number): void;
  /** A process; several share the database. */
  process(): Process;
  endpoint(purpose?: 'events' | 'alerts'): Promise<string>;
  channel(): Promise<string>;
  /** Takes the events that were sent since the last call. */
  sent(): Promise<readonly SentEvent[]>;
}

/** A process that raises alerts. */
export interface Process {
  readonly alerts: Alerts;
  /** Errors that were reported. */
  readonly errors: unknown[];
  count(kind: Kind, subject: string, detail?: object): void;
  /** An attempt to an endpoint fails, while none before it had; or while others had. */
  fail(endpoint: string): Promise<void>;
  recover(endpoint: string): Promise<void>;
  list(dismissed?: boolean): Promise<readonly Alert[]>;
  dismiss(alert: string): Promise<void>;
}

/** Ids of events are in the order of their time, also across the stages of a file. */
let start = 1_700_000_000_000;

export async function setStage(db: Database): Promise<Stage> {
  let at = (start += 100 * 24 * HOUR);
  const now = (): number => at;
  const project = newId(at);
  const times = { created_at: at, updated_at: at };
  await db.insert('projects', [
    {
      ...{ id: project, name: 'P', plan: 'pro', retention_days: 30, auto_pause_days: 1 },
      ...{ rules_version: 0, log_position: 0, ...times },
    },
  ]);
  const endpoint = async (purpose = 'events'): Promise<string> => {
    const id = randomUUID();
    const policy = { retry_max_attempts: 3, retry_backoff_base_seconds: 60, retry_after: 'honor' };
    const state = { status: 'active', paused_by: null, failing_since: null, version: 1, purpose };
    const row = { id, project_id: project, name: `to ${id}`, url: 'https://e.example.com', ...policy };
    await db.insert('endpoints', [{ ...row, ...state, rate_limit_per_second: null, ...times }]);
    return id;
  };
  return {
    ...{ db, project, now, endpoint },
    pass: (ms) => void (at += ms),
    async channel() {
      const id = randomUUID();
      const row = { id, project_id: project, name: 'in', address: id, source: 'none', source_settings: null };
      await db.insert('channels', [
        { ...row, requires_key: 0, rejected: 0, rejected_at: null, version: 1, ...times },
      ]);
      return id;
    },
    process: () => processOf(db, project, now),
    async sent() {
      const request = { lease: randomUUID(), at, until: at + 1_000 * HOUR, limit: 1_000, perEndpoint: 1_000 };
      const { claims } = await db.store.claim({ ...request, inFlight: new Map() });
      const own = claims.filter(({ delivery }) => delivery.columns?.project_id === project);
      return own.map(({ delivery, body }) => {
        const { type, data } = JSON.parse(new TextDecoder().decode(body)) as SentEvent;
        return { endpoint: delivery.endpoint_id, at: delivery.created_at, type, data };
      });
    },
  };
}

function processOf(db: Database, project: string, now: () => number): Process {
  const errors: unknown[] = [];
  const alerts = createAlerts({ db, now, wake: () => undefined, report: (error) => void errors.push(error) });
  const health = createHealthReports(db, now, { pauseForFailures: () => Promise.resolve() }, alerts);
  const handle = async (name: string, params: object, query: object = {}): Promise<unknown> => {
    const bound = alerts.routes.find(({ definition }) => definition.name === name);
    const principal = { actor: 'key:test' };
    return bound?.handle({ params: { project, ...params }, query, principal } as never);
  };
  return {
    ...{ alerts, errors },
    count: (kind, subject, detail = {}) => alerts.count({ project, kind, subject, detail }),
    async fail(endpoint) {
      await db.run(FAILING, [endpoint, now()]);
      alerts.count({
        ...{ project, kind: 'headgate.endpoint.failing', subject: `endpoint:${endpoint}` },
        detail: { failure: 'http_status', status: 503 },
      });
    },
    async recover(endpoint) {
      const row = await db.get<{ failing_since: number | null }>(
        'select failing_since from endpoints where id = $1',
        [endpoint],
      );
      if (typeof row?.failing_since === 'number') await health.recovered(endpoint, row.failing_since);
    },
    async list(dismissed) {
      const query = { limit: 200, ...(dismissed !== undefined && { dismissed: String(dismissed) }) };
      return ((await handle('listAlerts', {}, query)) as { items: readonly Alert[] }).items;
    },
    dismiss: async (alert) => void (await handle('dismissAlert', { alert })),
  };
}
