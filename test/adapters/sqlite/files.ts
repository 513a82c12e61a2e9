/** Database files that go when the test is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStore, type SqliteStore } from '../../../src/adapters/sqlite/index.js';

/** A folder of its own, and what removes it. */
export function folder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'headgate-sqlite-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** An empty store in a file of its own. */
export function createStore(): {
  readonly store: SqliteStore;
  readonly deadLetters: SqliteStore['deadLetters'];
  readonly close: () => Promise<void>;
} {
  const { path, remove } = folder();
  const store = createSqliteStore({ path: join(path, 'deliveries.db') });
  const close = (): Promise<void> => {
    store.close();
    remove();
    return Promise.resolve();
  };
  return { store, deadLetters: store.deadLetters, close };
}
