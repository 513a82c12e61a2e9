/** The storage of a run, which no other run uses. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { StartOptions } from './options.js';

/** The storage, and the environment by which the host finds it. */
export interface Storage {
  /** For people. */
  readonly name: string;
  /** The folder of the log, and of the data unless they are in Postgres. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The end of a sentence about the stored data: whether they are removed or stay. */
  readonly end: string;
  /** Removes what the run has stored, unless it was asked to keep it. */
  remove(): Promise<void>;
}

/** @throws Error where a folder is given that holds something. */
export function makeStorage({ postgres, folder: kept }: Pick<StartOptions, 'postgres' | 'folder'>): Storage {
  const folder = kept === null ? mkdtempSync(join(tmpdir(), 'headgate-start-')) : newFolder(resolve(kept));
  const removeFolder = (): void => {
    if (kept === null) rmSync(folder, { recursive: true, force: true });
  };
  if (postgres === null) {
    return {
      name: `SQLite, in ${folder}`,
      folder,
      environment: { HEADGATE_DATA: folder },
      end: kept === null ? 'is removed' : `stays; HEADGATE_DATA=${folder} npm run host goes on with it`,
      remove() {
        removeFolder();
        return Promise.resolve();
      },
    };
  }
  const schema = `headgate_start_${randomBytes(5).toString('hex')}`;
  return {
    name: `Postgres, in the schema ${schema}`,
    folder,
    environment: {
      DATABASE_URL: postgres,
      HEADGATE_SCHEMA: schema,
      HEADGATE_DATA: folder,
      HEADGATE_SEALING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    },
    end: 'is dropped',
    async remove() {
      await dropSchemas(postgres, [schema, `${schema}_deliveries`]);
      removeFolder();
    },
  };
}

function newFolder(path: string): string {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new Error(
      `--data: ${path} is not empty, and the counts of two runs must not mix; name a new folder`,
    );
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

async function dropSchemas(url: string, schemas: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
}
