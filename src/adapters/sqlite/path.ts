/** Checks the path of a database file, and explains why one cannot be opened. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Check, invalid, kindOf } from '../../delivery/arguments.js';
import { StoreError } from '../../errors.js';

/** SQLite's name for a database in memory, which ends with its connection. */
const IN_MEMORY = ':memory:';

/**
 * SQLite opens a temporary database for an empty path. It reads `file:` as a URI, which may name a database in memory.
 * Either could silently lose all deliveries with the process.
 */
export const filePath: Check = (name, value) => {
  if (typeof value !== 'string') throw invalid(`${name} is ${kindOf(value)}: ${GIVE}`);
  if (value.trim() === '') {
    throw invalid(`${name} is empty, which is a temporary database to SQLite: ${GIVE}`);
  }
  if (value.includes('\0')) throw invalid(`${name} has a NUL in it: ${GIVE}`);
  if (/^\s*file:/i.test(value)) {
    throw invalid(`${name} is a URI: ${GIVE}; fileURLToPath() makes one of a URL`);
  }
  if (value !== IN_MEMORY && /^\s*:/.test(value)) {
    throw invalid(
      `${name} begins with a colon: ${GIVE}, or exactly ':memory:' for one that dies with the process`,
    );
  }
};

const GIVE = "give the path of a file, such as './deliveries.db'";

/**
 * Why there is no database at a path, as far as the file system tells.
 *
 * @param path - Could not be opened.
 * @param cause - What SQLite said.
 */
export function unopened(path: string, cause: unknown): StoreError {
  const why = isFolder(path)
    ? 'is a folder: give the path of a file in it'
    : isFolder(dirname(path))
      ? 'cannot be opened: give this process the right to read and write the file and its folder'
      : 'is in a folder that does not exist: make the folder first';
  return new StoreError('store_unreachable', `path ${JSON.stringify(path)} ${why}`, { cause });
}

/** False also where nobody can tell, such as below a file. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * SQLite opens what it may not write for reading, and says so when the first event comes.
 *
 * @param path - Of a file that is there.
 */
export function assertWritable(path: string): void {
  if (path === IN_MEMORY) return;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    const what = `path ${JSON.stringify(path)} cannot be written: give this process the right to write the file`;
    throw new StoreError('store_unreachable', what, { cause });
  }
}
