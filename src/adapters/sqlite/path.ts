/** Checks the path of a database file, and explains why a file cannot be opened. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Check, invalid, kindOf } from '../../delivery/arguments.js';
import { StoreError } from '../../errors.js';

/** SQLite's name for a database in memory, which exists as long as its connection. */
const IN_MEMORY = ':memory:';

/**
 * Accepts paths of files. SQLite would open a temporary database for an empty path, and read `file:` as a URI, which
 * may name a database in memory. Both could silently lose all deliveries with the process.
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
 * The error for a path that could not be opened, with the reason that the file system shows.
 *
 * @param path - The path.
 * @param cause - The error of SQLite.
 */
export function unopened(path: string, cause: unknown): StoreError {
  const why = isFolder(path)
    ? 'is a folder: give the path of a file in it'
    : isFolder(dirname(path))
      ? 'cannot be opened: give this process the right to read and write the file and its folder'
      : 'is in a folder that does not exist: make the folder first';
  return new StoreError('store_unreachable', `path ${JSON.stringify(path)} ${why}`, { cause });
}

/** False even if the path cannot be read, such as below a file. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Codes that say that a file may not be written. */
const DENIALS: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS'];

/**
 * Throws for a file that cannot be written. SQLite would open it for reading, and fail at the first write.
 *
 * @param path - Path of an existing file.
 */
export function assertWritable(path: string): void {
  if (path === IN_MEMORY) return;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    // Without the right to ask for the user's id, Deno's answer has no code and tells nothing of the file.
    if (!DENIALS.includes((cause as NodeJS.ErrnoException).code)) return;
    const what = `path ${JSON.stringify(path)} cannot be written: give this process the right to write the file`;
    throw new StoreError('store_unreachable', what, { cause });
  }
}
