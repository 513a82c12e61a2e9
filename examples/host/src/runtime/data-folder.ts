/** The data folder: the database, the keys that seal its secrets, the operator's key. Only the owner can read them. */
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseSealingKeys, type SealingKey } from '../secrets/sealing.js';
import { parseAdminKey } from './variables.js';

const DATABASE = 'headgate.db';
const KEYS = 'sealing-keys';
const ADMIN_KEY = 'admin-key';
/** SQLite gives the files beside its database the mode of the database. */
const FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, KEYS, ADMIN_KEY];
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

export const databasePath = (folder: string): string => join(folder, DATABASE);
export const keysPath = (folder: string): string => join(folder, KEYS);
export const adminKeyPath = (folder: string): string => join(folder, ADMIN_KEY);

/**
 * Makes a folder and an empty database file if they are missing, and takes all permissions on the files from everybody
 * but their owner. The mode of a folder that exists stays.
 *
 * @returns The paths of files that others may read, and whose mode this process may not change.
 */
export function prepareFolder(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // SQLite would make the file with the mode that the umask leaves.
  closeSync(openSync(databasePath(folder), 'a', OWNER_ONLY));
  return FILES.map((name) => join(folder, name)).filter((path) => existsSync(path) && !isPrivate(path));
}

/** Takes the permissions of others away; false if that is not permitted. */
function isPrivate(path: string): boolean {
  const { mode } = statSync(path);
  if ((mode & OTHERS) === 0) return true;
  try {
    chmodSync(path, mode & ~OTHERS & 0o777);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the keys of a folder; null if it has none.
 *
 * @throws Error when the file cannot be read, or is damaged.
 */
export function readKeys(folder: string): readonly SealingKey[] | null {
  const path = keysPath(folder);
  return existsSync(path) ? readAs(path, parseSealingKeys) : null;
}

/**
 * Makes a key, and keeps it in the folder. A file that exists is read instead: it is never overwritten, since nothing
 * else opens what its keys have sealed. The id is random: no key that was lost has the same.
 */
export function makeKeys(folder: string): readonly SealingKey[] {
  writeOnce(keysPath(folder), `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`);
  return readKeys(folder) ?? [];
}

/**
 * The operator's key of a folder, which is made if it has none.
 *
 * @throws Error when the file cannot be read, or its key is too weak to be given in the environment.
 */
export function takeAdminKey(folder: string): { readonly key: string; readonly isNew: boolean } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const isNew = writeOnce(adminKeyPath(folder), randomBytes(32).toString('hex'));
  return { key: readAs(adminKeyPath(folder), parseAdminKey), isNew };
}

/** Writes a line to a file, and to the disk; false if the file exists, which stays as it is. */
function writeOnce(path: string, line: string): boolean {
  try {
    const file = openSync(path, 'wx', OWNER_ONLY);
    writeSync(file, `${line}\n`);
    fsyncSync(file);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'EEXIST') throw error;
    return false;
  }
}

function readAs<Value>(path: string, parse: (text: string) => Value): Value {
  try {
    return parse(readFileSync(path, 'utf8').trim());
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
