/** Channels of type `api`: by them, the owner of a project publishes events. Every project has one. */
import type { Database, Transaction } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import type { NewChannel } from './settings.js';
import { LOCK_PROJECT, SELECT_OLDEST_API, SELECT_OTHER_API, SELECT_WITHOUT_API } from './statements.js';

/** The settings of a project's first one. */
export const API_CHANNEL: NewChannel = {
  name: 'API',
  type: 'api',
  topic_path: null,
  ordering_path: null,
  requires_key: true,
  source: { name: 'none', secrets: [], header: null },
};

/** Projects that are completed at a time. */
const PROJECTS_AT_ONCE = 100;

/**
 * Makes one for the projects that have none, which are older than such channels. Several processes may do so at once.
 *
 * @param create - Makes it in a transaction.
 */
export async function completeProjects(
  db: Database,
  create: (tx: Transaction, project: string, actor: string) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const projects = await db.all<{ readonly id: string }>(SELECT_WITHOUT_API, [PROJECTS_AT_ONCE]);
    if (projects.length === 0) return;
    for (const { id } of projects) {
      await db.transaction(async (tx) => {
        // Another process may have made it meanwhile.
        await tx.all(LOCK_PROJECT, [id]);
        if ((await tx.get(SELECT_OLDEST_API, [id])) === undefined) await create(tx, id, 'service');
      });
    }
  }
}

/** @throws Problem `conflict` if the project has no other one. */
export async function assertHasOtherApi(tx: Transaction, project: string, id: string): Promise<void> {
  await tx.all(LOCK_PROJECT, [project]);
  if ((await tx.get(SELECT_OTHER_API, [project, id])) !== undefined) return;
  throw new Problem('conflict', 'a project always has a channel of type api: make another one first');
}
