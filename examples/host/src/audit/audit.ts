/** The audit log: who changed what, from what to what. */
import type { Queries } from '../db/index.js';
import { newId } from '../ids.js';
import { keptStates } from './kept.js';

/** One entry. Secrets are never among `before` and `after`. */
export interface AuditEntry {
  readonly project: string;
  /** The id of the principal; `service` for what the service does by itself. */
  readonly actor: string;
  /** Resource and past tense, such as `rule.updated`. */
  readonly action: string;
  /** Kind and id, such as `rule:0190…`. */
  readonly resource: string;
  readonly before?: object;
  readonly after?: object;
}

/** Writes entries in the transaction of the change; of large states only what changed. Unix ms. */
export async function writeAudit(
  queries: Queries,
  at: number,
  ...entries: readonly AuditEntry[]
): Promise<void> {
  const rows = entries.map(({ project, actor, action, resource, before, after }) => ({
    id: newId(at),
    project_id: project,
    at,
    actor,
    action,
    resource,
    ...keptStates({ before, after }),
  }));
  await queries.insert('audit_log', rows);
}
