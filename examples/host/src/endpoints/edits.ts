/** Edits of endpoints: each one transaction, with its entry in the audit log. */
import type { UrlProblem } from 'headgate/http';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Transaction } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { expectVersion, isChange } from '../http/version.js';
import type { SigningSecrets } from '../signing-secrets/signing-secrets.js';
import { DELETE_ALL, SELECT_SECRETS } from '../signing-secrets/statements.js';
import type { HeaderChanges, HeadersRow, HeadersVault } from './headers.js';
import type { Endpoint } from './routes.js';
import { auditedEndpoint, topicsOf } from './shown.js';
import {
  COUNT,
  COUNT_ENTRIES,
  COUNT_EVERY_TOPIC,
  COUNT_FOR_ALERTS,
  DELETE,
  DELETE_ENTRIES,
  DUE_BATCH,
  EDITED,
  type EndpointRow,
  FORGET_FAILURES,
  SELECT_FOR_UPDATE,
  UPDATE,
} from './statements.js';

/** Dependencies and callbacks of edits. */
export interface EditParts {
  readonly db: Database;
  readonly now: () => number;
  /** The library's check of a URL, with the address rules of the transport. */
  readonly checkUrl: (url: string) => UrlProblem | null;
  /** The name of a channel of a project none of whose secrets Standard Webhooks can use; null without one. */
  readonly unusableIn: (queries: Queries, project: string) => Promise<string | null>;
  readonly vault: HeadersVault;
  readonly secrets: Pick<SigningSecrets, 'add'>;
  readonly alerts: StateAlerts;
  /** Called after each edit. */
  readonly edited: () => void;
  /** Deliveries have become due. */
  readonly wake: () => void;
}

/** Raises alerts in the transaction that changes the state of an endpoint. */
export interface StateAlerts {
  /** The endpoint was paused for its failures. */
  paused(tx: Queries, endpoint: FailedEndpoint): Promise<void>;
  /** Its failures are over: an attempt succeeded, or a person has resumed it. */
  recovered(tx: Queries, endpoint: FailedEndpoint, by: 'delivery' | 'resuming'): Promise<void>;
}

/** An endpoint all of whose attempts have failed. */
export interface FailedEndpoint {
  readonly project: string;
  readonly endpoint: string;
  /** Unix ms. */
  readonly failingSince: number;
}

/** The members of an endpoint that its owner sets. */
export type Settings = Pick<
  Endpoint,
  | 'name'
  | 'url'
  | 'retry_max_attempts'
  | 'retry_backoff_base_seconds'
  | 'retry_after'
  | 'retry_delays'
  | 'rate_limit_per_second'
  | 'purpose'
  | 'topics'
  | 'ordering'
  | 'on_exhausted'
  | 'signature'
  | 'secret'
  | 'exchange'
> & { readonly headers: HeaderChanges };

/** Some settings. */
export type GivenSettings = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** The endpoint and the author of an edit. */
export interface About {
  readonly project: string;
  readonly id: string;
  readonly actor: string;
  /** With `If-Match`, where the editor has read a version. */
  readonly headers: Headers;
}

/** Edits. */
export interface Edits {
  /** @param settings - All but `secret`, which the purpose decides unless it is given. */
  create(project: string, settings: GivenSettings, actor: string): Promise<EndpointRow>;
  update(about: About, settings: GivenSettings): Promise<EndpointRow>;
  pause(about: About): Promise<EndpointRow>;
  /** Its failures are forgotten, so that the next one does not pause it again. */
  resume(about: About): Promise<EndpointRow>;
  /** Makes its pending deliveries due at once, so that they fail now. */
  remove(about: About): Promise<void>;
  /** Pauses an endpoint that still is active and failing since then. One that is gone meanwhile needs nothing. */
  pauseForFailures(project: string, id: string, since: number): Promise<void>;
}

/** Most endpoints of a project. */
const MAX_ENDPOINTS = 100_000;
/** Most that get every topic, and most with the same entry: each event may make a delivery for each. */
const MAX_RECIPIENTS = 1_000;
/** Most that get alerts. */
const MAX_FOR_ALERTS = 20;

/** Transactions that change endpoints. */
function createWrites({ db, now, unusableIn, vault, secrets, alerts, edited }: EditParts) {
  const inTransaction = async <T>(work: (tx: Transaction, at: number) => Promise<T>): Promise<T> => {
    const result = await db.transaction((tx) => work(tx, now()));
    edited();
    return result;
  };
  const audited: Audited = (row, before) => auditedEndpoint(row, vault.audited(row, before));
  /**
   * Sees to it that an endpoint has secrets that sign in its scheme: its first own one is drawn here.
   *
   * @throws Problem `invalid_document` if a channel could not sign its deliveries.
   */
  const prepareSecrets = async (tx: Queries, at: number, row: EndpointRow): Promise<void> => {
    if (row.secret === 'endpoint') {
      const known = await tx.all(SELECT_SECRETS, [row.id, at]);
      if (known.length === 0) await secrets.add(tx, row.id, at);
    } else if (row.signature !== 'svc') {
      const channel = await unusableIn(tx, row.project_id);
      if (channel !== null) throw unusable(channel);
    }
  };
  /** Changes nothing, and writes no entry, where the edit gives nothing new. */
  const change = ({ project, id, actor, headers }: About, action: string, edit: Edit): Promise<EndpointRow> =>
    inTransaction(async (tx, at) => {
      const before = await rowForUpdate(tx, project, id);
      expectVersion(headers, before.version);
      const edits = edit(before);
      if (edits === null || !isChange(before, edits)) return before;
      const after = { ...before, ...edits, version: before.version + 1, updated_at: at };
      if (after.signature !== before.signature || after.secret !== before.secret) {
        await prepareSecrets(tx, at, after);
      }
      await tx.run(UPDATE, [id, ...EDITED.map((column) => after[column])]);
      if (after.topics !== before.topics || after.purpose !== before.purpose) {
        await deleteEntries(tx, before);
        await insertEntries(tx, after);
      }
      if (after.failing_since !== before.failing_since) await tx.run(FORGET_FAILURES, [id]);
      await raiseChange(alerts, tx, before, after);
      const states = { before: audited(before), after: audited(after, before) };
      await writeAudit(tx, at, { project, actor, action, resource: `endpoint:${id}`, ...states });
      await tx.notify('endpoints', project);
      return after;
    });
  const create = (made: NewEndpoint): Promise<EndpointRow> =>
    inTransaction(async (tx, at) => {
      const row = await insert(tx, at, made, audited);
      await prepareSecrets(tx, at, row);
      return row;
    });
  return { inTransaction, change, create, audited };
}

export function createEdits(parts: EditParts): Edits {
  const { db, now, wake } = parts;
  const { inTransaction, change, create, audited } = createWrites(parts);
  const columnsOf = (settings: Partial<Settings>) => (row: HeadersRow & Pick<EndpointRow, 'purpose'>) => ({
    ...columns(row, settings, parts),
    ...((settings.purpose ?? row.purpose) === 'alerts' && fixedForAlerts(settings)),
  });
  return {
    create: (project, settings, actor) => create({ project, actor, columnsOf: columnsOf(given(settings)) }),
    update: (about, settings) => change(about, 'endpoint.updated', columnsOf(given(settings))),
    pause: (about) =>
      change(about, 'endpoint.paused', (row) => (row.status === 'paused' ? null : byOperator)),
    resume: (about) => change(about, 'endpoint.resumed', (row) => (row.status === 'active' ? null : active)),
    async remove(about) {
      let hasMore = await inTransaction(async (tx, at) => {
        await deleteRow(tx, at, about, audited);
        return makeDue(tx, about.id, at);
      });
      wake();
      // The endpoint is deleted: if this fails, what is left fails when it is due.
      while (hasMore) {
        hasMore = await db.transaction((tx) => makeDue(tx, about.id, now())).catch(() => false);
        wake();
      }
    },
    async pauseForFailures(project, id, since) {
      const about = { project, id, actor: 'service', headers: new Headers() };
      await change(about, 'endpoint.paused', ({ status, failing_since }) =>
        status === 'active' && failing_since === since ? byFailures : null,
      ).catch((error: unknown) => {
        const isGone = error instanceof Problem && error.code === 'not_found';
        if (!isGone) throw error;
      });
    },
  };
}

/** Raises the alerts of a change of state. */
async function raiseChange(
  alerts: StateAlerts,
  tx: Queries,
  { failing_since: failingSince, paused_by }: EndpointRow,
  after: EndpointRow,
): Promise<void> {
  if (failingSince === null) return;
  const about = { project: after.project_id, endpoint: after.id, failingSince };
  const isPaused = after.paused_by === 'failures' && paused_by !== 'failures';
  // Alerts never cause alerts.
  if (isPaused && after.purpose !== 'alerts') await alerts.paused(tx, about);
  if (after.failing_since === null) await alerts.recovered(tx, about, 'resuming');
}

const given = (settings: GivenSettings): Partial<Settings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** An endpoint as the audit log shows it. */
type Audited = (row: EndpointRow, before?: EndpointRow) => Endpoint;

/** The columns of an endpoint that settings change. A URL among them is checked, and so are headers. */
function columns(
  row: HeadersRow,
  settings: Partial<Settings>,
  { checkUrl, vault }: Pick<EditParts, 'checkUrl' | 'vault'>,
): Partial<EndpointRow> {
  const {
    rate_limit_per_second: rate,
    retry_delays: delays,
    topics,
    headers,
    exchange,
    ...others
  } = settings;
  if (others.url !== undefined) assertUrl(checkUrl(others.url));
  return {
    ...others,
    ...(rate !== undefined && { rate_limit_per_second: rate === null ? null : `${rate}` }),
    ...(delays !== undefined && { retry_delays: delays === null ? null : JSON.stringify(delays) }),
    ...(topics !== undefined && { topics: topics === null ? null : JSON.stringify([...new Set(topics)]) }),
    ...(headers !== undefined && { headers: vault.change(row, headers) }),
    ...(exchange !== undefined && { exchange: Number(exchange) }),
  };
}

/** The members that are the same in all endpoints for alerts. */
const FOR_ALERTS = { topics: null, ordering: 'none', on_exhausted: 'continue', secret: 'endpoint' } as const;

/** @throws Problem `invalid_document` for a setting that endpoints for alerts cannot have. */
function fixedForAlerts(settings: Partial<Settings>): typeof FOR_ALERTS {
  for (const [name, value] of Object.entries(FOR_ALERTS)) {
    const member = name as keyof typeof FOR_ALERTS;
    const given = settings[member];
    if (given !== undefined && given !== value) {
      throw invalid(
        member,
        'not_for_alerts',
        `an endpoint for alerts has ${JSON.stringify(value)}: leave it out`,
      );
    }
  }
  return FOR_ALERTS;
}

/** A new endpoint, and its author. */
interface NewEndpoint {
  readonly project: string;
  readonly columnsOf: (row: HeadersRow & Pick<EndpointRow, 'purpose'>) => Partial<EndpointRow>;
  readonly actor: string;
}

/** @throws Problem `conflict` if the project has as many endpoints as it may. */
async function insert(
  tx: Transaction,
  at: number,
  { project, columnsOf, actor }: NewEndpoint,
  audited: Audited,
): Promise<EndpointRow> {
  const own = { id: newId(at), project_id: project, created_at: at, updated_at: at };
  const row = {
    ...NEW,
    ...columnsOf({ id: own.id, headers: null, purpose: NEW.purpose }),
    ...own,
  } as EndpointRow;
  const counted = await tx.get<{ readonly count: number }>(COUNT, [project]);
  if ((counted?.count ?? 0) >= MAX_ENDPOINTS) {
    throw new Problem('conflict', `a project has at most ${MAX_ENDPOINTS} endpoints; delete some first`);
  }
  await tx.insert('endpoints', [{ ...row }]);
  await insertEntries(tx, row);
  const entry = { project, actor, action: 'endpoint.created', resource: `endpoint:${row.id}` };
  await writeAudit(tx, at, { ...entry, after: audited(row) });
  await tx.notify('endpoints', project);
  return row;
}

async function deleteRow(
  tx: Transaction,
  at: number,
  { project, id, actor, headers }: About,
  audited: Audited,
): Promise<void> {
  const before = await rowForUpdate(tx, project, id);
  expectVersion(headers, before.version);
  await tx.run(DELETE, [id]);
  await deleteEntries(tx, before);
  // Its dead letters may hold keys, and nobody can redeliver them any more.
  if (before.on_exhausted === 'hold') await tx.deliveries.discard({ endpointId: id });
  await tx.run(DELETE_ALL, [id]);
  const entry = { project, actor, action: 'endpoint.deleted', resource: `endpoint:${id}` };
  await writeAudit(tx, at, { ...entry, before: audited(before) });
  await tx.notify('endpoints', project);
}

/**
 * Writes the topics of a row of `endpoints` so that subscribers are found by them.
 *
 * @throws Problem `conflict` if as many other endpoints have one of them, get every topic, or get alerts, as may.
 */
async function insertEntries(tx: Transaction, row: EndpointRow): Promise<void> {
  const { id, project_id } = row;
  if (row.purpose === 'alerts') {
    const counted = await tx.get<{ readonly count: number }>(COUNT_FOR_ALERTS, [project_id]);
    if ((counted?.count ?? 0) <= MAX_FOR_ALERTS) return;
    throw new Problem(
      'conflict',
      `a project has at most ${MAX_FOR_ALERTS} endpoints for alerts; delete some first`,
    );
  }
  const topics = topicsOf(row);
  if (topics === null) {
    const counted = await tx.get<{ readonly count: number }>(COUNT_EVERY_TOPIC, [project_id]);
    if ((counted?.count ?? 0) > MAX_RECIPIENTS) {
      throw tooMany(`${MAX_RECIPIENTS} endpoints of the project get every topic`);
    }
    return;
  }
  await tx.insert(
    'endpoint_topics',
    topics.map((entry) => ({ project_id, entry, endpoint_id: id })),
  );
  const counts = await tx.all<{ readonly entry: string; readonly count: number }>(COUNT_ENTRIES, [
    ...[project_id, row.topics],
  ]);
  const full = counts.find(({ count }) => count > MAX_RECIPIENTS);
  if (full === undefined) return;
  throw tooMany(`${MAX_RECIPIENTS} endpoints of the project have the topic ${full.entry}`);
}

const tooMany = (most: string): Problem =>
  new Problem('conflict', `${most}, which is as many as may; give this one other topics, or delete some`);

const deleteEntries = (tx: Transaction, row: EndpointRow): Promise<unknown> =>
  row.topics === null ? Promise.resolve() : tx.run(DELETE_ENTRIES, [row.project_id, row.topics, row.id]);

/** Makes what waits for an endpoint due; returns whether there may be more. */
const makeDue = async (tx: Transaction, endpointId: string, at: number): Promise<boolean> =>
  (await tx.deliveries.makeDue({ endpointId }, at)) === DUE_BATCH;

/** The new values of some columns; null for no change. */
type Edit = (before: EndpointRow) => Partial<EndpointRow> | null;

const NEW = {
  status: 'active',
  paused_by: null,
  failing_since: null,
  topics: null,
  purpose: 'events',
  secret: 'channel',
  version: 1,
} as const;
const byOperator = { status: 'paused', paused_by: 'operator' } as const;
const byFailures = { status: 'paused', paused_by: 'failures' } as const;
const active = { status: 'active', paused_by: null, failing_since: null } as const;

export async function rowForUpdate(tx: Queries, project: string, id: string): Promise<EndpointRow> {
  const row = await tx.get<EndpointRow>(SELECT_FOR_UPDATE, [project, id]);
  if (row === undefined) throw notFound('endpoint');
  return row;
}

function assertUrl(problem: UrlProblem | null): void {
  if (problem !== null) throw invalid('url', problem.code, problem.message);
}

const unusable = (channel: string): Problem =>
  invalid(
    'signature',
    'unusable_secret',
    `Standard Webhooks cannot use the secret of the channel "${channel}", which an earlier version made: rotate it first`,
  );

const invalid = (member: keyof Settings, code: string, message: string): Problem =>
  new Problem('invalid_document', `${member}: ${message}`, {
    issues: [{ code, pointer: `/${member}`, message }],
  });
