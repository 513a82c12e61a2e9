/** Before the tests: the server that DATABASE_URL names, or one of our own. One that does not start fails the run. */
import type { TestProject } from 'vitest/node';
import { startPostgres } from './start.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of a server on which the tests may create databases and schemas. */
    postgres: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { DATABASE_URL: given = '' } = process.env;
  if (given !== '') {
    project.provide('postgres', given);
    return undefined;
  }
  // No test needs data to survive a power cut.
  const server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
  project.provide('postgres', server.url);
  return () => server.stop();
}
