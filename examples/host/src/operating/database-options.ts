/** The database that a configuration names. */
import type { DatabaseOptions } from '../db/index.js';
import { databasePath } from './data-folder.js';
import type { Settings } from './variables.js';

export const databaseOptions = (settings: Settings): DatabaseOptions =>
  settings.DATABASE_URL === null
    ? { sqlite: databasePath(settings.HEADGATE_DATA) }
    : {
        postgres: settings.DATABASE_URL,
        schema: settings.HEADGATE_SCHEMA,
        connections: settings.HEADGATE_CONNECTIONS,
      };
