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

/**
 * The function `tests.renew()`: makes a database like new, and gives true; false if the definition of a table has
 * changed, or a table has been analyzed, so that plans would differ. This takes a tenth of the time of a copy.
 */
const MAKE_RENEW = `create schema tests;
  create view tests.tables as select * from pg_class
    where relnamespace in ('${SCHEMA}'::regnamespace, '${SCHEMA}_deliveries'::regnamespace);
  create view tests.shape as select md5(string_agg(concat_ws(' ', relname, relnatts, relhastriggers, relchecks,
    reloptions, reltuples > 50), ',' order by oid)) as shape from tests.tables;
  create table tests.original as table tests.shape;
  create function tests.renew() returns boolean language plpgsql as $$
    declare name text; place bigint;
    begin
      if (table tests.original) is distinct from (table tests.shape) then return false; end if;
      set local session_replication_role = replica;
      for name, place in select oid::regclass, oid from tests.tables where relkind = 'r' loop
        execute format('delete from %s', name);
        if to_regclass('tests.rows_' || place) is not null then
          execute format('insert into %s overriding system value table tests.rows_%s', name, place);
        end if;
      end loop;
      perform setval(oid, 1, false) from tests.tables where relkind = 'S';
      return true;
    end $$;
  do $$ declare name text; place bigint; has_rows boolean;
    begin
      for name, place in select oid::regclass, oid from tests.tables where relkind = 'r' loop
        execute format('select exists (table %s)', name) into has_rows;
        if has_rows then execute format('create table tests.rows_%s as table %s', place, name); end if;
      end loop;
    end $$`;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres: url } = project.getProvidedContext();
  const folder = mkdtempSync(join(tmpdir(), 'headgate-template-'));
  const sqlite = join(folder, 'host.db');
  const postgres = `template_${randomBytes(6).toString('hex')}`;
  await on(url, `create database ${postgres}`);
  for (const options of [{ sqlite }, { postgres: databaseUrl(url, postgres), schema: SCHEMA }]) {
    await (await openDatabase(options)).close();
  }
  await on(databaseUrl(url, postgres), MAKE_RENEW);
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
