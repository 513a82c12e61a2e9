/** Connections of threads, which only read. A thread loads the driver that it needs, and no other. */
import type { DatabaseOptions, Reader } from './port.js';

/**
 * Opens a connection to a database that the main thread has opened before, and so has its tables.
 *
 * @throws DatabaseUnavailable (as a rejection, or of the first statement) when the database does not answer.
 */
export async function openReader(options: DatabaseOptions): Promise<Reader> {
  if ('sqlite' in options) {
    const { openSqliteReader } = await import('./sqlite.js');
    return openSqliteReader(options.sqlite);
  }
  const { openPostgresReader } = await import('./postgres.js');
  return openPostgresReader({ ...options, url: options.postgres });
}
