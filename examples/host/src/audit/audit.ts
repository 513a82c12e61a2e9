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

/** An entry that was written. */
export interface WrittenEntry {
  readonly id: string;
  /** Whether it holds its states whole, and not only the members that changed. */
  readonly isWhole: boolean;
}

/**
 * Writes entries in the transaction of the change; of large states only what changed. Unix ms.
 *
 * @returns The entries in their order.
 */
export async function writeAudit(
  queries: Queries,
  at: number,
  ...entries: readonly AuditEntry[]
): Promise<readonly WrittenEntry[]> {
  const written = entries.map(({ project, actor, action, resource, before, after }) => {
    const { isWhole, ...states } = keptStates({ before, after });
    return { isWhole, row: { id: newId(at), project_id: project, at, actor, action, resource, ...states } };
  });
  await queries.insert(
    'audit_log',
    written.map(({ row }) => row),
  );
  return written.map(({ isWhole, row: { id } }) => ({ id, isWhole }));
}
