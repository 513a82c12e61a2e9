/** Searches, one after another, by a connection of its own. It writes nothing. */
import type { DatabaseOptions } from '../db/index.js';
import { openReader } from '../db/reader.js';
import type { JobContext } from '../threads/messages.js';
import { serve } from '../threads/serve.js';
import { type Scanned, searchHere, type SearchRequest } from './search.js';

const worker = async (database: DatabaseOptions) => {
  const reader = await openReader(database);
  // The first search shall not spend its time on connecting; if the database is away, searches tell.
  await reader.get('select 1').catch(() => undefined);
  const search = searchHere(reader, Date.now);
  return {
    search: (request: SearchRequest, { over }: JobContext): Promise<Scanned> => search(request, over),
  };
};

export type SearchWorker = typeof worker;
serve(worker);
