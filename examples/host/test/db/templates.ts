/** Creates a database of each kind before the tests. Tests copy it, which is faster than to create its tables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/index.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Databases that nobody is connected to. */
    templates: {
      /** The file of an empty SQLite database. */
      readonly sqlite: string;
      /** The name of a database on the server of the tests, whose schema is {@link SCHEMA}. */
      readonly postgres: string;
    };
  }
}

/** The host's schema in copies of the template. */
export const SCHEMA = 'headgate_host';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres: url } = project.getProvidedContext();
  const folder = mkdtempSync(join(tmpdir(), 'headgate-template-'));
  const sqlite = join(folder, 'host.db');
  const postgres = `template_${randomBytes(6).toString('hex')}`;
  await on(url, `create database ${postgres}`);
  for (const options of [{ sqlite }, { postgres: databaseUrl(url, postgres), schema: SCHEMA }]) {
    await (await openDatabase(options)).close();
  }
  // Otherwise a process that vacuums it would keep tests from copying it.
  await on(url, `alter database ${postgres} allow_connections false`);
  project.provide('templates', { sqlite, postgres });
  return async () => {
    rmSync(folder, { recursive: true });
    await on(url, `drop database ${postgres}`);
  };
}

/** The address of another database of a server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = database;
  return url.href;
}

/** Runs a statement outside of a transaction, on a connection of its own. */
export async function on(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
