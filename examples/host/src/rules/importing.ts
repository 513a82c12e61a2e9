/** Imports a file of rules: entry by entry, in one transaction, up to the quota. */
import { setImmediate as turn } from 'node:timers/promises';
import { type Plan, ruleLimits } from 'headgate';
import type { Database } from '../db/index.js';
import { notFound, Problem } from '../errors/problem.js';
import { assertBytes, type Edit, type Editor, type RunEdit, totalsOf } from './edit.js';
import type { Imported } from './routes.js';
import { SELECT_ROOM } from './statements.js';
import { auditedRule, documentOf } from './stored.js';
import { rulePool } from './rule-pool.js';
import type { ImportedRule } from './rules-worker.js';
import { keepVersions } from './versions.js';

/** Dependencies of an import. */
export interface ImportParts {
  readonly db: Database;
  readonly now: () => number;
  readonly run: RunEdit;
  /** Called when the plan leaves out rules of the file. */
  readonly full?: ((project: string) => void) | undefined;
  /** @defaultValue 30 seconds */
  readonly deadline?: (() => AbortSignal) | undefined;
}

/** Most rules that the summary names. */
const MOST_NAMED = 1_000;
/** Rows of one statement; between two of them the event loop runs. */
const CHUNK = 500;
/** Times that a file is read again because other edits used up the room that was counted. */
const MAX_TRIES = 5;
const TIMEOUT_MS = 30_000;

/**
 * @param file - The bytes of the file. Anything that is not a file of rules is answered in the summary.
 * @throws Problem `body_too_large` when all rules together would be too many bytes, `conflict` after too many edits by
 * others, `overloaded` when it takes too long.
 */
export async function importFile(
  { db, now, run, full, deadline = () => AbortSignal.timeout(TIMEOUT_MS) }: ImportParts,
  editor: Editor,
  file: Uint8Array,
  signal: AbortSignal,
): Promise<Imported> {
  const late = deadline();
  const ending = AbortSignal.any([signal, late]);
  for (let tries = 1; ; tries++) {
    const remaining = await remainingOf(db, editor.project);
    const given = { file, remaining, at: now() };
    const { rules, summary } = await rulePool
      .run('importFile', given, { signal: ending })
      .catch((error: unknown) => {
        throw late.aborted ? tooSlow() : error;
      });
    const names = rules.slice(0, MOST_NAMED).map((rule) => ({ id: rule.id, name: documentOf(rule).name }));
    try {
      if (rules.length > 0) await save(run, editor, rules, remaining);
      const { errors, errorsLeftOut, ...counts } = summary;
      if (errors.some(({ code }) => code === 'quota_exceeded')) full?.(editor.project);
      return { ...counts, errors: [...errors], errors_left_out: errorsLeftOut, rules: names };
    } catch (error) {
      if (error !== ROOM_CHANGED || tries === MAX_TRIES) throw error;
    }
  }
}

const tooSlow = (): Problem =>
  new Problem('overloaded', 'the file could not be read in time: import it again later, or in parts', {
    retryAfter: RETRY_SECONDS,
  });
const RETRY_SECONDS = 10;

/** Thrown if the plan has other room than when the file was read. */
const ROOM_CHANGED = new Problem(
  'conflict',
  'the rules of the project were changed all the time: import the file again',
);

/** Saves all rules, or throws {@link ROOM_CHANGED}. */
const save = (
  run: RunEdit,
  editor: Editor,
  rules: readonly ImportedRule[],
  remaining: number,
): Promise<void> =>
  run(editor, async (edit) => {
    const { count, bytes } = await totalsOf(edit);
    if (roomIn(edit.plan, count) !== remaining) throw ROOM_CHANGED;
    assertBytes(rules.reduce((sum, rule) => sum + rule.bytes, bytes));
    for (let at = 0; at < rules.length; at += CHUNK) {
      await insert(edit, rules.slice(at, at + CHUNK));
      await turn();
    }
  });

async function insert(
  { tx, project, version, at, audit }: Edit,
  rules: readonly ImportedRule[],
): Promise<void> {
  const stamps = { version: 1, changed_in: version, created_at: at, updated_at: at };
  await tx.insert(
    'rules',
    rules.map(({ id, ...columns }) => ({ id, project_id: project, ...columns, ...stamps })),
  );
  const versions = rules.map((row) => ({ id: row.id, rule: auditedRule(row) }));
  const entries = await audit(
    ...versions.map(({ id, rule }) => ({ action: 'rule.imported', resource: `rule:${id}`, after: rule })),
  );
  await keepVersions(tx, entries, versions);
}

const roomIn = (plan: string, count: number): number => Math.max(0, ruleLimits[plan as Plan] - count);

async function remainingOf(db: Database, project: string): Promise<number> {
  const row = await db.get<{ plan: string; count: number }>(SELECT_ROOM, [project]);
  if (row === undefined) throw notFound('project');
  return roomIn(row.plan, row.count);
}
