/**
 * The command `sign-in`: a link into a project, from the command line of a machine that has the service's environment.
 */
import { existsSync } from 'node:fs';
import { type Database, openDatabase } from './db/index.js';
import { createSignInToken } from './keys/sign-in-links.js';
import { localUrl, signInUrl } from './runtime/address.js';
import { databasePath } from './runtime/data-folder.js';
import type { Settings } from './runtime/variables.js';
import { databaseOptions } from './store.js';

/** A link, and the project that it opens. */
export interface SignInLink {
  readonly url: string;
  readonly project: string;
}

/**
 * Makes a link that signs in once, within an hour. The service may run meanwhile.
 *
 * @param project - Its id; null for the only project there is.
 * @throws Error with a sentence that names what to change.
 */
export async function createSignInLink(settings: Settings, project: string | null): Promise<SignInLink> {
  const origin = originOf(settings);
  if (settings.DATABASE_URL === null) assertDatabase(settings.HEADGATE_DATA);
  const db = await openDatabase(databaseOptions(settings));
  try {
    const found = await findProject(db, project);
    return { url: signInUrl(origin, await createSignInToken(db, found.id, Date.now())), project: found.name };
  } finally {
    await db.close();
  }
}

function originOf({ PUBLIC_URL: url, HOST: host, PORT: port }: Settings): string {
  if (url === null && port === 0) {
    throw new Error('PORT is 0, so the port of the service is not known: set PUBLIC_URL to its address');
  }
  return url ?? localUrl(host, port);
}

function assertDatabase(folder: string): void {
  if (existsSync(databasePath(folder))) return;
  throw new Error(
    `there is no database in ${folder}: start the service first, or set HEADGATE_DATA to the folder that it uses`,
  );
}

interface ProjectRow {
  readonly id: string;
  readonly name: string;
}

/** Projects that an error lists. */
const MOST_LISTED = 20;
const SELECT_ONE = 'select id, name from projects where id = $1';
const SELECT_SOME = 'select id, name from projects order by id limit $1';

async function findProject(db: Database, id: string | null): Promise<ProjectRow> {
  if (id !== null) {
    const row = await db.get<ProjectRow>(SELECT_ONE, [id]);
    if (row === undefined) throw new Error(`there is no project ${JSON.stringify(id)}`);
    return row;
  }
  const rows = await db.all<ProjectRow>(SELECT_SOME, [MOST_LISTED + 1]);
  const [first, second] = rows;
  if (first === undefined) {
    throw new Error('there is no project yet: make one with POST /projects and HEADGATE_ADMIN_KEY');
  }
  if (second === undefined) return first;
  const listed = rows.slice(0, MOST_LISTED).map((row) => `  ${row.id}  ${row.name}`);
  const more = rows.length > MOST_LISTED ? ['  …'] : [];
  throw new Error(['name one of the projects with --project <id>:', ...listed, ...more].join('\n'));
}
