/** The keys that encrypt secrets in the database, where the environment has none: made once, kept beside the data. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, closeSync, readFileSync, writeSync, fsyncSync } from 'node:fs';
import { join } from 'node:path';
import { parseSealingKeys, type SealingKey } from '../secrets/sealing.js';

/** The keys of a data folder. */
export interface KeptKeys {
  readonly keys: readonly SealingKey[];
  /** The path of the file where it was made now; null where it was there. */
  readonly made: string | null;
}

/**
 * Reads the keys of a data folder, or makes one. The file is made with mode 0600 and is never overwritten: without it no
 * secret in the database can be read again.
 *
 * @param folder - Made if it is missing.
 * @throws Error when the file cannot be read, or is damaged.
 */
export function keptKeys(folder: string): KeptKeys {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'sealing-keys');
  const made = make(path);
  return { keys: parseSealingKeys(readFileSync(path, 'utf8').trim()), made: made ? path : null };
}

/** False where the file exists. */
function make(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'EEXIST') return false;
    throw error;
  }
  writeSync(file, `k1:${randomBytes(32).toString('base64')}\n`);
  fsyncSync(file);
  closeSync(file);
  return true;
}
