/**
 * The limit: a bare node:http server that reads a body, and answers once its rows are in the same store as the host's.
 */
import { openDatabase } from '../src/db/index.js';
import { newId } from '../src/ids.js';
import { listenBare, storeAsHost } from './bare-server.js';
import { CHANNEL, insertProject } from './parts.js';

const [location = '', schema] = process.argv.slice(2);
const db = await openDatabase(schema === undefined ? { sqlite: location } : { postgres: location, schema });
const project = newId(Date.now());
await insertProject(db, project);
process.send?.(await listenBare(storeAsHost(db, project, CHANNEL)));
