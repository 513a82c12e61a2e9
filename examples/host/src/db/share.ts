/** A part of a pool's connections, for work that must not take all of them. */
import { createTurns } from '../limits/turns.js';
import { isUuid } from '../ids.js';
import type { Database, Value } from './port.js';

/** Statements of one project that may wait for the share, and those of all. */
const WAITING = { waiting: 500, allWaiting: 5_000 };

/**
 * A view of a database that uses at most this many of its connections at a time. What is beyond them waits, project by
 * project; one project has at most three quarters of the share. The work that is not given this view always finds the
 * other connections.
 *
 * A statement belongs to the project that its first id names: statements of lists have the project as `$1` or `$2`. The
 * work of a transaction must not use the view itself: it would wait for a connection while it holds one.
 *
 * @param connections - At least 1.
 */
export function shareOf(db: Database, connections: number): Database {
  const ofProject = Math.max(1, Math.ceil((connections * 3) / 4));
  const turns = createTurns({ atOnce: connections, ofProject, ...WAITING, of: 'requests' });
  return {
    ...db,
    all: (sql, values) => turns.run(projectOf(values), () => db.all(sql, values)),
    get: (sql, values) => turns.run(projectOf(values), () => db.get(sql, values)),
    run: (sql, values) => turns.run(projectOf(values), () => db.run(sql, values)),
    insert: (table, rows, onConflict) => turns.run('', () => db.insert(table, rows, onConflict)),
    transaction: (work) => turns.run('', () => db.transaction(work)),
  };
}

const projectOf = (values: readonly Value[] = []): string =>
  values.find((value): value is string => typeof value === 'string' && isUuid(value)) ?? '';
