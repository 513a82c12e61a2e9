/** The journal of a process, one synchronous write a line: SIGKILL loses none of it. */
import { openSync, readFileSync, writeSync } from 'node:fs';

/** Something that happened in a process; `at` is Unix ms, by a clock that no scenario sets. */
export type Line = { readonly at: number } & (
  | { readonly is: 'ready' }
  /** Before the store is asked. `until`: when the leases of this claim end. */
  | { readonly is: 'claiming'; readonly lease: string; readonly until: number }
  | { readonly is: 'claimed'; readonly lease: string; readonly count: number }
  /** An attempt reaches the transport; the request carries `key`. */
  | { readonly is: 'sending'; readonly key: string; readonly delivery: string }
  | { readonly is: 'sent'; readonly key: string; readonly ok: boolean }
  | { readonly is: 'settling'; readonly count: number }
  /** `key`: of the attempt that is recorded; null where none was made. */
  | {
      readonly is: 'settled';
      readonly key: string | null;
      readonly delivery: string;
      readonly lease: string;
      readonly held: boolean;
    }
  | { readonly is: 'failed'; readonly call: 'claim' | 'settle' }
  /** A callback of the scheduler. */
  | { readonly is: 'told'; readonly what: string; readonly detail: string }
  /** CPU time and calls of the process so far, and the longest its event loop was held up since the last pulse. */
  | { readonly is: 'pulse'; readonly cpuMs: number; readonly calls: number; readonly delayMs: number }
  /** An order is about to be written. */
  | { readonly is: 'ordering'; readonly event: string }
  /** One that is not written with a row of its own is in the store. */
  | { readonly is: 'enqueued'; readonly order: number; readonly event: string }
  | { readonly is: 'refused'; readonly event: string; readonly code: string }
);

/** `Omit` for each member of a union. */
type Undated<Of> = Of extends unknown ? Omit<Of, 'at'> : never;

/** Writes a line down. */
export type Write = (line: Undated<Line>) => void;

/** The clock, unless scenarios set it. */
const realNow = Date.now.bind(Date);

/** Appends to a file. */
export function openJournal(path: string): Write {
  const file = openSync(path, 'a');
  return (line) => void writeSync(file, `${JSON.stringify({ at: realNow(), ...line })}\n`);
}

/** All whole lines of a file; none where there is no file yet. */
export function readJournal(path: string): readonly Line[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Line);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
