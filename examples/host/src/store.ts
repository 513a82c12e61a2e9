/** Opens what the service keeps: its database, and the keys of the secrets in it. */
import { assertKeysFit } from './channels/key-check.js';
import { type Database, type DatabaseOptions, openDatabase } from './db/index.js';
import { databasePath, keysPath, makeKeys, prepareFolder, readKeys } from './runtime/data-folder.js';
import type { Logger } from './runtime/log.js';
import type { Settings } from './runtime/variables.js';
import type { SealingKey } from './secrets/sealing.js';

/** Logged before each step of an upgrade. */
const UPGRADING = 'bringing the database up to date: two to three minutes for a million events';

/** The database, and the keys of the secrets in it. */
export interface Store {
  readonly db: Database;
  /** Newest first. */
  readonly keys: readonly SealingKey[];
}

/**
 * Opens the database, and finds the keys of its secrets. A first start makes a key; a database whose keys are missing
 * is refused, and no key is made.
 *
 * @throws Error with a sentence that names what to change.
 */
export async function openStore(settings: Settings, log: Logger): Promise<Store> {
  const folder = settings.DATABASE_URL === null ? settings.HEADGATE_DATA : null;
  for (const path of folder === null ? [] : prepareFolder(folder)) {
    log.warn({ path }, 'others can read this file, and its mode cannot be changed: chmod 600 it');
  }
  const given = settings.HEADGATE_SEALING_KEYS ?? (folder === null ? null : readKeys(folder));
  const db = await openDatabase(databaseOptions(settings), ({ taken, steps }) => {
    const about = { step: taken, of: steps };
    if (taken < steps) {
      log.warn(about, UPGRADING);
    } else {
      log.info(about, 'the database is up to date');
    }
  });
  try {
    const damaged = await assertKeysFit(db, given ?? [], remedyFor(settings));
    if (damaged > 0) log.error({ damaged }, 'secrets in the database are damaged: their channels fail');
    return { db, keys: given ?? (await newKeys(db, folder ?? settings.HEADGATE_DATA, log)) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Makes the keys of a first start. */
async function newKeys(db: Database, folder: string, log: Logger): Promise<readonly SealingKey[]> {
  const keys = makeKeys(folder);
  await assertKeysFit(db, keys, '');
  log.warn(
    { path: keysPath(folder) },
    'made a key that encrypts the secrets in the database: back it up apart from the data',
  );
  return keys;
}

/** Says where a key that is missing belongs. */
function remedyFor({
  HEADGATE_SEALING_KEYS: given,
  HEADGATE_DATA: folder,
  DATABASE_URL: url,
}: Settings): string {
  const path = keysPath(folder);
  const remedy =
    given === null
      ? `Put ${path} back from its backup, or give the key in HEADGATE_SEALING_KEYS.`
      : url === null
        ? `Give the key in HEADGATE_SEALING_KEYS, after the newest one. If HEADGATE_SEALING_KEYS is new here, ${path} has it.`
        : 'Give the key in HEADGATE_SEALING_KEYS, after the newest one, and the same keys in all processes.';
  return `${remedy} If it is lost for good, see "A lost key" in docs/host.md.`;
}

/** The database that a configuration names. */
export const databaseOptions = (settings: Settings): DatabaseOptions =>
  settings.DATABASE_URL === null
    ? { sqlite: databasePath(settings.HEADGATE_DATA) }
    : {
        postgres: settings.DATABASE_URL,
        schema: settings.HEADGATE_SCHEMA,
        connections: settings.HEADGATE_CONNECTIONS,
      };
