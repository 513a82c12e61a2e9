/** The thread that moves what was committed from the log of SQLite into its file, each time it is told. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite } from 'headgate/sqlite';

/** Orders to the thread: checkpoint now, or close the file before the thread is ended. */
export type CheckpointOrder = 'now' | 'end';
export type CheckpointTold = 'done' | 'closed';

const { database, close } = openSqlite({ path: workerData as string });
// `passive` waits for nobody, and nobody waits for it.
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (order: CheckpointOrder) => {
  if (order === 'now') checkpoint.all();
  else close();
  parentPort?.postMessage((order === 'now' ? 'done' : 'closed') satisfies CheckpointTold);
});
