/**
 * Alerts: what people should know about a project. Signs that come with a transaction are raised in it; all others are
 * counted in memory and written every few seconds, so that a storm costs no more than a few writes.
 */
import type { SchedulerCallbacks } from 'headgate/delivery';
import { idBefore, pageOfRows } from '../api/page.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries } from '../db/index.js';
import { notFound } from '../errors/problem.js';
import { isAlert } from '../stored/event-json.js';
import { raise, raiseCounted, raiseRecovered } from './raising.js';
import { type Alert, dismissAlert, dismissAlerts, listAlerts } from './routes.js';
import { sendDue } from './sending.js';
import { type Sign, Signs } from './signs.js';
import * as sql from './statements.js';

/** Dependencies of this module. */
export interface AlertParts {
  readonly db: Database;
  readonly now: () => number;
  /** There are new deliveries. */
  readonly wake: () => void;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** An endpoint whose state changes in a transaction. */
export interface ChangedEndpoint {
  readonly project: string;
  readonly endpoint: string;
  /** Since when all its attempts had failed; Unix ms. */
  readonly failingSince: number;
}

/** The alerts of all projects, in one process. */
export interface Alerts {
  /** Counts a sign, which is written within seconds. */
  count(sign: Sign): void;
  /** Writes what was counted, and sends what is due. */
  look(): Promise<void>;
  /** Raises an alert in the transaction that pauses an endpoint for its failures. */
  paused(tx: Queries, endpoint: ChangedEndpoint): Promise<void>;
  /** Raises an alert in the transaction that ends the failures of an endpoint, if they were reported. */
  recovered(tx: Queries, endpoint: ChangedEndpoint, by: 'delivery' | 'resuming'): Promise<void>;
  /** Counts attempts that failed, and dead letters. Deliveries of alerts do not count. */
  readonly on: SchedulerCallbacks;
  /** The alerts that are not dismissed, newest first, at most this many. */
  newest(project: string, most: number): Promise<readonly Alert[]>;
  start(): void;
  /** Writes what is left. */
  stop(): Promise<void>;
  readonly routes: readonly BoundRoute[];
}

export function createAlerts(parts: AlertParts): Alerts {
  const { db, now, report } = parts;
  const signs = new Signs();
  const looks = createLooks(async () => {
    const taken = signs.take();
    const failed = await raiseCounted(db, taken);
    failed?.left.forEach((sign) => signs.add(sign));
    if (failed !== null) report(failed.error, 'raising alerts');
    await sendDue(db, now).then(
      (deliveries) => {
        if (deliveries > 0) parts.wake();
      },
      (error: unknown) => report(error, 'sending alerts'),
    );
    return taken.length > 0;
  });
  const count = (sign: Sign): void => {
    const at = now();
    signs.add({ ...sign, count: 1, since: at, lastAt: at });
    looks.soon();
  };
  const single = ({ project, endpoint }: ChangedEndpoint, kind: Sign['kind'], detail: object) => {
    const at = now();
    const subject = `endpoint:${endpoint}`;
    return { project, kind, subject, detail, count: 1, since: at, lastAt: at };
  };
  return {
    count,
    look: async () => void (await looks.now()),
    async paused(tx, about) {
      const detail = { failing_since: iso(about.failingSince) };
      await raise(tx, [single(about, 'headgate.endpoint.paused', detail)]);
      looks.soon();
    },
    async recovered(tx, about, by) {
      const detail = { failing_since: iso(about.failingSince), by };
      const sign = single(about, 'headgate.endpoint.recovered', detail);
      if (await raiseRecovered(tx, sign, about.failingSince)) looks.soon();
    },
    on: countingCallbacks(count),
    async newest(project, most) {
      const rows = await db.all<sql.AlertRow>(sql.selectPage(false), [project, idBefore(undefined), most]);
      return rows.map(shown);
    },
    start: looks.start,
    stop: looks.stop,
    routes: routesOf(db, now),
  };
}

/** The first sign after a pause is written as soon as this. */
const FIRST_MS = 50;
/** Time between two looks. */
const LOOK_MS = 2_000;

/**
 * Looks regularly: every two seconds, and sooner for the first sign in that time.
 *
 * @param look - Returns whether there was something to write.
 */
function createLooks(look: () => Promise<boolean>) {
  let timer: NodeJS.Timeout | null = null;
  let due = Infinity;
  let last = -Infinity;
  let isStarted = false;
  let looking: Promise<boolean> = Promise.resolve(false);
  const once = (): Promise<boolean> => (looking = looking.then(look));
  const at = (time: number): void => {
    if (!isStarted || time >= due) return;
    if (timer !== null) clearTimeout(timer);
    due = time;
    timer = setTimeout(turn, Math.max(0, time - performance.now())).unref();
  };
  const turn = (): void => {
    due = Infinity;
    void once().then((wrote) => {
      if (wrote) last = performance.now();
      at(performance.now() + LOOK_MS);
    });
  };
  return {
    now: once,
    soon: () => at(Math.max(performance.now() + FIRST_MS, last + LOOK_MS)),
    start() {
      isStarted = true;
      at(performance.now() + FIRST_MS);
    },
    async stop() {
      isStarted = false;
      if (timer !== null) clearTimeout(timer);
      await once();
    },
  };
}

const countingCallbacks = (count: Alerts['count']): SchedulerCallbacks => ({
  attempted({ id, event_type, endpoint_id, state, columns }, { outcome }) {
    if (outcome.ok || outcome.failure === 'endpoint_gone' || isAlert(event_type)) return;
    const project = String(columns?.project_id);
    const { failure, status = null } = outcome;
    count({
      ...{ project, kind: 'headgate.endpoint.failing', subject: `endpoint:${endpoint_id}` },
      detail: { failure, status },
    });
    if (state !== 'failed') return;
    count({
      ...{ project, kind: 'headgate.dead_letters.growing', subject: `project:${project}` },
      detail: { delivery_id: id, endpoint_id, failure, status },
    });
  },
});

const routesOf = (db: Database, now: () => number): readonly BoundRoute[] => [
  bind(listAlerts, async ({ params: { project }, query: { limit, cursor, dismissed } }) => {
    const page = sql.selectPage(dismissed === undefined ? null : dismissed === 'true');
    const rows = await db.all<sql.AlertRow>(page, [project, idBefore(cursor), limit + 1]);
    return pageOfRows(rows, limit, shown);
  }),
  bind(dismissAlert, ({ params: { project, alert: id }, principal: { actor } }) =>
    db.transaction(async (tx) => {
      const at = now();
      const row = await tx.get<sql.AlertRow>(sql.SELECT_FOR_UPDATE, [project, id]);
      if (row === undefined) throw notFound('alert');
      if (row.dismissed_at !== null) return shown(row);
      await tx.run(sql.DISMISS, [project, id, at, actor]);
      const { kind, subject } = row;
      const entry = { project, actor, action: 'alert.dismissed', resource: `alert:${id}` };
      await writeAudit(tx, at, { ...entry, after: { kind, subject } });
      return shown({ ...row, dismissed_at: at, dismissed_by: actor });
    }),
  ),
  bind(dismissAlerts, async ({ params: { project }, principal: { actor } }) => {
    for (let dismissed = 0; ;) {
      const some = await db.transaction(async (tx) => {
        const at = now();
        const count = await tx.run(sql.DISMISS_ALL, [project, at, actor]);
        const entry = { project, actor, action: 'alerts.dismissed', resource: `project:${project}` };
        if (count > 0) await writeAudit(tx, at, { ...entry, after: { dismissed: count } });
        return count;
      });
      dismissed += some;
      if (some < sql.MOST_DISMISSED) return { dismissed };
    }
  }),
];

const shown = (row: sql.AlertRow): Alert => ({
  ...{ id: row.id, kind: row.kind, subject: row.subject, name: row.name, count: row.signs },
  ...{ since: iso(row.since), last_at: iso(row.last_at) },
  detail: JSON.parse(row.detail) as Alert['detail'],
  ...{ sent_at: isoOrNull(row.sent_at), dismissed_at: isoOrNull(row.dismissed_at) },
  dismissed_by: row.dismissed_by,
});
