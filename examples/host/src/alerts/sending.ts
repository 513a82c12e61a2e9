/** Sends the events of alerts that are due: one transaction takes them, and makes their deliveries. */
import { type Dispatch, fanOut, type FanOutEndpoint } from 'headgate/delivery';
import { iso } from '../api/shapes.js';
import type { Database, Transaction } from '../db/index.js';
import { createEventIds } from '../ids.js';
import { eventBytes } from '../stored/event-json.js';
import { type AlertRow, type DueRow, LOCK_DUE, RECIPIENTS, SENT, SKIP } from './statements.js';

/** Alerts of one transaction. */
const MOST_DUE = 50;

/**
 * Sends all that is due now. What another process is sending is left to it.
 *
 * @returns How many deliveries were made.
 */
export async function sendDue(db: Database, now: () => number): Promise<number> {
  for (let deliveries = 0; ;) {
    const sent = await db.transaction((tx) => sendSome(tx, now()));
    deliveries += sent.deliveries;
    if (sent.taken < MOST_DUE) return deliveries;
  }
}

/** An endpoint that gets the alerts of its project. */
type Recipient = FanOutEndpoint & { readonly project_id: string };

async function sendSome(tx: Transaction, at: number) {
  const due = await tx.all<DueRow>(LOCK_DUE, [at, MOST_DUE]);
  if (due.length === 0) return { taken: 0, deliveries: 0 };
  const projects = JSON.stringify([...new Set(due.map(({ project_id }) => project_id))]);
  const recipients = new Map<string, Recipient[]>();
  for (const one of await tx.all<Recipient>(RECIPIENTS, [projects])) {
    recipients.set(one.project_id, [...(recipients.get(one.project_id) ?? []), one]);
  }
  const sent = due.filter((row) => isTold(row) && recipients.has(row.project_id));
  const skipped = due.filter((row) => !sent.includes(row));
  const newEventId = createEventIds();
  const events = sent.map((row) => eventOf(row, recipients.get(row.project_id) ?? [], newEventId(at), at));
  if (sent.length > 0) {
    await tx.insert(
      'alert_events',
      events.map(({ project_id, id }) => ({ project_id, id })),
    );
    await tx.run(SENT, [keysOf(sent), at]);
  }
  if (skipped.length > 0) await tx.run(SKIP, [keysOf(skipped)]);
  const deliveries = await tx.deliveries.enqueue(events.map(({ dispatch }) => dispatch));
  return { taken: due.length, deliveries };
}

/** Whether an alert still is to be told: its subject is there, and it is the last that is known of it. */
const isTold = ({ outdated, subject, name }: DueRow): boolean =>
  outdated === 0 && (name !== null || !/^(?:endpoint|channel):/.test(subject));

const keysOf = (rows: readonly AlertRow[]): string =>
  JSON.stringify(rows.map(({ project_id, kind, subject }) => ({ project_id, kind, subject })));

/** The event of an alert, with a delivery for each recipient. Its body is stored, since no row of `events` has it. */
function eventOf(row: AlertRow, recipients: readonly Recipient[], id: string, at: number) {
  const { project_id, kind: type } = row;
  const head = { id, type, topic: type, channelId: null, channelName: null, receivedAt: at };
  const body = eventBytes(head, { data: JSON.stringify(dataOf(row)), tags: '[]' });
  const decision = { outcome: 'deliver', endpointIds: null, event: { id, type } } as const;
  const dispatch: Dispatch = {
    body,
    deliveries: fanOut(decision, recipients, { at, columns: { project_id } }),
  };
  return { project_id, id, dispatch };
}

/** `data` of the event. */
const dataOf = (row: AlertRow) => ({
  ...{ alert_id: row.id, project_id: row.project_id, subject: row.subject, name: row.name },
  ...{ count: row.unsent, since: iso(row.unsent_since), last_at: iso(row.last_at) },
  detail: JSON.parse(row.detail) as unknown,
});
