/** Finds `pg`, which is not a dependency of this package: in the user's project first. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PostgresPool } from '../../adapters/postgres/index.js';
import { Failure } from '../context.js';

/** A pool that can be ended. */
export interface EndingPool extends PostgresPool {
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
}

/** The part of `pg` that is used. */
export interface PostgresDriver {
  readonly Pool: new (config: Readonly<Record<string, unknown>>) => EndingPool;
}

/** Folders from which `pg` is looked for. */
export const driverFolders = (folder: string): readonly string[] => [
  folder,
  fileURLToPath(new URL('.', import.meta.url)),
];

/** @throws {@link Failure} that says what to install. */
export function loadPostgresDriver(folders: readonly string[]): PostgresDriver {
  // Loaded without an import, which bundlers would follow to a package that is rarely installed.
  const { createRequire } = process.getBuiltinModule('node:module');
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json'))('pg') as PostgresDriver;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Failure('a store in Postgres needs the package pg, which is not installed here: npm install pg');
}
