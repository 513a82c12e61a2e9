/** An entry of the log as a frame, made of the texts that are stored. */
import { eventText, headOf } from '../stored/event-json.js';
import type { EntryRow } from './statements.js';

/** A frame that is ready to send. */
export interface Entry {
  readonly position: number;
  readonly text: string;
  /** Unix ms, for the measured lag. Null for a replay, whose event is old. */
  readonly receivedAt: number | null;
}

/** Nothing is parsed: an event of any size and depth costs a concatenation. */
export function entryOf(row: EntryRow): Entry {
  const tags = row.replayed === null ? (row.tags ?? '[]') : tagsOf(row.replayed);
  const event = eventText(headOf(row), { data: row.data, tags });
  const text = `{"type":"event","position":${row.position},"origin":"${row.origin}","event":${event}}`;
  return { position: row.position, text, receivedAt: row.origin === 'live' ? row.received_at : null };
}

const tagsOf = (decision: string): string => {
  const { tags = [] } = JSON.parse(decision) as { readonly tags?: readonly string[] };
  return JSON.stringify(tags);
};
