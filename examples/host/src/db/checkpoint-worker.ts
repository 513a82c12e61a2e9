/** Moves what was committed from the log of SQLite into its file, each time it is told. */
import { openSqlite } from 'headgate/sqlite';
import { serve } from '../threads/serve.js';

/** A log of more pages is longer than SQLite lets it grow by itself: a reader held it. */
const USUAL_PAGES = 4_000;

interface Checkpointed {
  /** 1 if a reader or a writer was in the way. */
  readonly busy: number;
  /** Pages in the log. */
  readonly log: number;
  /** Pages of these that are in the file. */
  readonly checkpointed: number;
}

const worker = (path: string) => {
  const { database, close } = openSqlite({ path });
  // `passive` waits for nobody, and nobody waits for it.
  const checkpoint = database.prepare('pragma wal_checkpoint(passive)');
  /** Makes the file of the log empty, once nothing is left in it that anybody reads. */
  const truncate = database.prepare('pragma wal_checkpoint(truncate)');
  // It holds up writers for as long as it waits for readers.
  database.exec('pragma busy_timeout = 0');
  return {
    /** Returns `behind` if a reader still needs a part of a log that is longer than usual. */
    checkpoint(): 'done' | 'behind' {
      const { log, checkpointed } = checkpoint.get() as Checkpointed;
      if (log <= USUAL_PAGES) return 'done';
      if (checkpointed < log) return 'behind';
      return (truncate.get() as Checkpointed).busy === 0 ? 'done' : 'behind';
    },
    /** Closes the file, before the thread is ended. */
    close,
  };
};

export type CheckpointWorker = typeof worker;
serve(worker);
