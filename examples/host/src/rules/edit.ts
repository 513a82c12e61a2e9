/** One edit of the rules of a project: a transaction that has the project to itself, and leaves one version more. */
import { type AuditEntry, writeAudit, type WrittenEntry } from '../audit/audit.js';
import type { Database, Transaction } from '../db/index.js';
import { notFound, Problem } from '../errors/problem.js';
import { BEGIN_EDIT, type EditRow, SELECT_TOTALS } from './statements.js';

/** Most bytes that the documents of a project have together, so that its export can be imported again. */
export const MAX_PROJECT_BYTES = 10 * 1_024 * 1_024;

/** The project and the author of an edit. */
export interface Editor {
  readonly project: string;
  /** The id of the principal, for the audit log. */
  readonly actor: string;
}

/** An edit that is under way. */
export interface Edit {
  readonly tx: Transaction;
  readonly project: string;
  readonly plan: string;
  /** The version of the rule set that this edit makes. */
  readonly version: number;
  /** Unix ms. */
  readonly at: number;
  /** Writes an entry of the audit log. */
  audit(
    ...entries: readonly Pick<AuditEntry, 'action' | 'resource' | 'before' | 'after'>[]
  ): Promise<readonly WrittenEntry[]>;
}

/** Runs edits; each is a transaction of its own. */
export type RunEdit = <T>(editor: Editor, work: (edit: Edit) => Promise<T>) => Promise<T>;

/**
 * @param edited - Called with the project once an edit is on the disk.
 */
export function createRunEdit(db: Database, now: () => number, edited: (project: string) => void): RunEdit {
  return async ({ project, actor }, work) => {
    const result = await db.transaction(async (tx) => {
      const at = now();
      const row = await tx.get<EditRow>(BEGIN_EDIT, [project]);
      if (row === undefined) throw notFound('project');
      const audit: Edit['audit'] = (...entries) =>
        writeAudit(tx, at, ...entries.map((entry) => ({ ...entry, project, actor })));
      const answer = await work({ tx, project, plan: row.plan, version: row.rules_version, at, audit });
      await tx.notify('rules', project);
      return answer;
    });
    edited(project);
    return result;
  };
}

/** The rules that a project has. */
export interface Totals {
  readonly count: number;
  /** Bytes of their documents. */
  readonly bytes: number;
}

/** Counts the rules as the edit sees them. */
export const totalsOf = async ({ tx, project }: Edit): Promise<Totals> =>
  (await tx.get<Totals>(SELECT_TOTALS, [project])) ?? { count: 0, bytes: 0 };

/** @throws Problem `body_too_large` when the documents would be too many bytes together. */
export function assertBytes(bytes: number): void {
  if (bytes <= MAX_PROJECT_BYTES) return;
  const most = MAX_PROJECT_BYTES / 1_024 / 1_024;
  throw new Problem(
    'body_too_large',
    `the rules of a project are at most ${most} MiB together: remove some, or make them shorter`,
  );
}
