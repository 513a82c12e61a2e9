/** The thread that searches, one search after another, by a connection of its own. It writes nothing. */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../db/reader.js';
import { DatabaseUnavailable } from '../db/unavailable.js';
import { Problem } from '../ground/problem.js';
import { searchHere } from './search.js';
import type { Answer, Ask, SearchThreadOptions } from './search-protocol.js';

/** How much the thread gives way to those that decide and deliver, from 0 to 19; see nice(1). */
const NICENESS = 10;

// On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (platform === 'linux') setPriority(NICENESS);

const { database } = workerData as SearchThreadOptions;
const reader = await openReader(database);
// The first search shall not spend its time on connecting; where the database is away, searches tell.
await reader.get('select 1').catch(() => undefined);
const search = searchHere(reader, Date.now);
const NEVER = new AbortController().signal;

parentPort?.on('message', (ask: Ask) => void answer(ask).then((told) => parentPort?.postMessage(told)));
parentPort?.postMessage('started');

async function answer(ask: Ask): Promise<Answer> {
  try {
    return { found: await search(ask, NEVER) };
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_rule') {
      return { invalid: error.message, details: error.details };
    }
    const isUnavailable = error instanceof DatabaseUnavailable;
    return { failed: error instanceof Error ? error.message : 'unknown', isUnavailable };
  }
}
