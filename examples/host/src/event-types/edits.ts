/** Edits of event types: each is checked as a whole, and saved in one transaction with its entry in the audit log. */
import { stringifyJson } from 'headgate';
import { writeAudit } from '../audit/audit.js';
import type { Database, Queries, Sql, Transaction } from '../db/index.js';
import { notFound, Problem, type ProblemIssue } from '../errors/problem.js';
import { expectVersion, isChange } from '../http/version.js';
import { type EventType, MAX_EVENT_TYPES, MAX_SCHEMA_BYTES } from './routes.js';
import type { Documents } from './schema-worker.js';
import { auditedEventType } from './shown.js';
import {
  COUNT,
  DELETE,
  type EventTypeRow,
  LOCK_PROJECT,
  SELECT,
  SELECT_FOR_UPDATE,
  UPDATE,
} from './statements.js';

/** Dependencies and callbacks of edits. */
export interface EditParts {
  readonly db: Database;
  readonly now: () => number;
  /** Finds everything that is wrong with a schema and its example. */
  readonly check: (project: string, documents: Documents) => Promise<readonly ProblemIssue[]>;
  /** Called after each edit. */
  readonly edited: () => void;
}

type Settings = Pick<EventType, 'description' | 'schema' | 'example' | 'deprecated' | 'strict'>;

/** The event type and the author of an edit. */
export interface About {
  readonly project: string;
  readonly name: string;
  readonly actor: string;
  /** With `If-Match`, if the editor has read a version. */
  readonly headers: Headers;
}

/** Edits. */
export interface Edits {
  create(about: About, settings: Settings): Promise<EventTypeRow>;
  update(
    about: About,
    settings: { readonly [Name in keyof Settings]?: Settings[Name] | undefined },
  ): Promise<EventTypeRow>;
  remove(about: About): Promise<void>;
}

export function createEdits(parts: EditParts): Edits {
  const { db, now, edited } = parts;
  const inTransaction = async <T>(work: (tx: Transaction, at: number) => Promise<T>): Promise<T> => {
    const result = await db.transaction((tx) => work(tx, now()));
    edited();
    return result;
  };
  return {
    async create({ project, name, actor }, settings) {
      const columns = columnsOf(settings) as Columns;
      await assertValid(parts, project, columns);
      return inTransaction(async (tx, at) => {
        await assertRoom(tx, project, name);
        const times = { version: 1, created_at: at, updated_at: at };
        const row: EventTypeRow = { project_id: project, name, ...columns, ...times };
        await tx.insert('event_types', [{ ...row }]);
        await note(tx, at, actor, { after: row });
        return row;
      });
    },
    async update(about, settings) {
      const { project, name, actor } = about;
      const seen = await rowOf(db, SELECT, about);
      const edit = columnsOf(settings);
      if (!isChange(seen, edit)) return seen;
      await assertValid(parts, project, { ...seen, ...edit });
      return inTransaction(async (tx, at) => {
        const before = await rowOf(tx, SELECT_FOR_UPDATE, about);
        // The check was about the row as it was seen.
        if (before.version !== seen.version || before.created_at !== seen.created_at) throw changed();
        const after = { ...before, ...edit, version: before.version + 1, updated_at: at };
        const { description, schema, example, deprecated, strict, version } = after;
        const values = [description, schema, example, deprecated, strict, version, at];
        await tx.run(UPDATE, [project, name, ...values]);
        await note(tx, at, actor, { before, after });
        return after;
      });
    },
    remove: (about) =>
      inTransaction(async (tx, at) => {
        const before = await rowOf(tx, SELECT_FOR_UPDATE, about);
        await tx.run(DELETE, [about.project, about.name]);
        await note(tx, at, about.actor, { before });
      }),
  };
}

/** The columns that settings give. */
type Columns = Pick<EventTypeRow, 'description' | 'schema' | 'example' | 'deprecated' | 'strict'>;

function columnsOf(settings: {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
}): Partial<Columns> {
  const { description, schema, example, deprecated, strict } = settings;
  return {
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { schema: textOf('schema', schema) }),
    ...(example !== undefined && { example: textOf('example', example) }),
    ...(deprecated !== undefined && { deprecated: deprecated ? 1 : 0 }),
    ...(strict !== undefined && { strict: strict ? 1 : 0 }),
  };
}

/** The JSON of a document. Escapes stand for NUL and lone surrogates in it, so every database takes it. */
function textOf(member: 'schema' | 'example', document: object | null): string | null {
  if (document === null) return null;
  const text = stringifyJson(document);
  if (Buffer.byteLength(text) <= MAX_SCHEMA_BYTES) return text;
  throw invalid([
    { code: 'too_big', pointer: `/${member}`, message: `must have at most ${MAX_SCHEMA_BYTES} bytes` },
  ]);
}

/** @throws Problem `invalid_document` */
async function assertValid(
  { check }: EditParts,
  project: string,
  { schema, example, strict }: Columns,
): Promise<void> {
  if (schema === null && strict === 1) {
    const message = 'a strict type needs a schema: add one, or set strict to false';
    throw invalid([{ code: 'missing_member', pointer: '/schema', message }]);
  }
  const issues = schema === null ? [] : await check(project, { schema, example });
  if (issues.length > 0) throw invalid(issues);
}

/** @throws Problem `conflict` */
async function assertRoom(tx: Transaction, project: string, name: string): Promise<void> {
  await tx.all(LOCK_PROJECT, [project]);
  if ((await tx.get(SELECT, [project, name])) !== undefined) {
    throw new Problem('conflict', `the project has an event type ${name} already: change that one`);
  }
  const counted = await tx.get<{ readonly count: number }>(COUNT, [project]);
  if ((counted?.count ?? 0) < MAX_EVENT_TYPES) return;
  throw new Problem('conflict', `a project has at most ${MAX_EVENT_TYPES} event types; delete one first`);
}

/** @throws Problem `not_found`, or `version_conflict` if the request has read another version. */
async function rowOf(
  queries: Queries,
  select: Sql,
  { project, name, headers }: About,
): Promise<EventTypeRow> {
  const row = await queries.get<EventTypeRow>(select, [project, name]);
  if (row === undefined) throw notFound('event type');
  expectVersion(headers, row.version);
  return row;
}

/** An event type before and after an edit. */
interface Edit {
  readonly before?: EventTypeRow;
  readonly after?: EventTypeRow;
}

/** Writes an edit into the audit log, and tells the other processes of it. */
async function note(tx: Transaction, at: number, actor: string, { before, after }: Edit): Promise<void> {
  const { project_id: project, name } = (after ?? before) as EventTypeRow;
  const done = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
  await writeAudit(tx, at, {
    ...{ project, actor, action: `event_type.${done}`, resource: `event_type:${name}` },
    ...(before !== undefined && { before: auditedEventType(before) }),
    ...(after !== undefined && { after: auditedEventType(after) }),
  });
  await tx.notify('event_types', project);
}

function invalid(issues: readonly ProblemIssue[]): Problem {
  const [first] = issues;
  return new Problem('invalid_document', `${first?.pointer ?? ''} ${first?.message ?? ''}`, { issues });
}

const changed = (): Problem =>
  new Problem('conflict', 'somebody else has changed this event type just now: read it again');
