/**
 * A named SDK client must have seen every position in order, without a gap, with repeats only after its process had
 * died.
 */
import type { Noted } from './messages.js';
import type { Records } from './records.js';

/** Events that the host sends beyond the last acknowledged one. */
const WINDOW = 64;

/** @param notes - The notes of all lives of the client's process, in order. */
export function judgeSubscriber(name: string, notes: readonly Noted[], { log }: Records): readonly string[] {
  const faults: string[] = [];
  let head = 0;
  /** The last position in this life; null before its first event. */
  let last: number | null = null;
  for (const note of notes) {
    if (note.is === 'started') last = null;
    if (note.is === 'gap') faults.push(`${name}: a gap, ${note.reason}, from ${note.from} to ${note.to}`);
    if (note.is === 'ended') faults.push(`${name}: ended with ${note.code}`);
    if (note.is !== 'event' || note.attempt > 1) continue;
    const { position, id } = note;
    if (log[position - 1]?.event_id !== id) {
      faults.push(`${name}: ${id} at ${position}, where the log has another`);
    }
    if (last !== null && position !== last + 1) faults.push(`${name}: ${position} after ${last}`);
    if (last === null && (position > head + 1 || position <= head - WINDOW)) {
      faults.push(`${name}: a new process began at ${position}, after ${head}`);
    }
    last = position;
    head = Math.max(head, position);
  }
  if (head !== log.length) faults.push(`${name}: has seen ${head} of ${log.length} entries`);
  return faults;
}

/** Events that came again after the process had died. */
export function repeatsOf(notes: readonly Noted[]): number {
  const positions = notes.flatMap((note) =>
    note.is === 'event' && note.attempt === 1 ? [note.position] : [],
  );
  return positions.length - new Set(positions).size;
}
