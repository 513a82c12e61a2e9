/** Edits of receivers: each one transaction, with its entry in the audit log. */
import { randomBytes } from 'node:crypto';
import type { Principal } from '../api/principal.js';
import { writeAudit } from '../audit/audit.js';
import type { Database, Transaction } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import { expectVersion, isChange } from '../http/version.js';
import type { Receiver } from './routes.js';
import { auditedReceiver } from './shown.js';
import { COUNT, DELETE, DELETE_REQUESTS, type ReceiverRow, SELECT_FOR_UPDATE, UPDATE } from './statements.js';

/** Dependencies and callbacks of edits. */
export interface EditParts {
  readonly db: Database;
  readonly now: () => number;
  /** Called after each edit. */
  readonly edited: () => void;
}

/** The members of a receiver that its owner sets. */
export type Settings = Pick<Receiver, 'name' | 'status_code' | 'delay_ms'>;

/** The receiver and the author of an edit. */
export interface About {
  readonly project: string;
  readonly id: string;
  readonly actor: string;
  /** With `If-Match`, where the editor has read a version. */
  readonly headers: Headers;
}

/** Edits. */
export interface Edits {
  create(project: string, settings: Settings, actor: string): Promise<ReceiverRow>;
  update(
    about: About,
    settings: { readonly [Name in keyof Settings]?: Settings[Name] | undefined },
  ): Promise<ReceiverRow>;
  /** With all that it has kept. */
  remove(about: About): Promise<void>;
}

/** Most receivers of a project: each keeps up to 3 MiB. */
const MAX_RECEIVERS = 20;

/** 128 random bits. */
const newToken = (): string => randomBytes(16).toString('hex');

export function createEdits({ db, now, edited }: EditParts): Edits {
  /** `work` returns what the audit log says of it; null if nothing has changed. */
  const inTransaction = async <T>(
    { project, actor }: Pick<About, 'project' | 'actor'>,
    work: (tx: Transaction, at: number) => Promise<readonly [T, Entry | null]>,
  ): Promise<T> => {
    const result = await db.transaction(async (tx) => {
      const at = now();
      const [made, entry] = await work(tx, at);
      if (entry !== null) {
        await writeAudit(tx, at, { project, actor, ...entry });
        await tx.notify('receivers', project);
      }
      return made;
    });
    edited();
    return result;
  };
  return {
    create: (project, settings, actor) =>
      inTransaction({ project, actor }, async (tx, at) => {
        const counted = await tx.get<{ readonly count: number }>(COUNT, [project]);
        if ((counted?.count ?? 0) >= MAX_RECEIVERS) {
          throw new Problem('conflict', `a project has at most ${MAX_RECEIVERS} receivers; delete one first`);
        }
        const times = { arrived_at: null, created_at: at, updated_at: at };
        const about = { id: newId(at), project_id: project, token: newToken(), arrived: 0, version: 1 };
        const row: ReceiverRow = { ...settings, ...about, ...times };
        await tx.insert('receivers', [{ ...row }]);
        return [row, entryOf('created', null, row)];
      }),
    update: (about, settings) =>
      inTransaction(about, async (tx, at) => {
        const before = await rowForUpdate(tx, about);
        const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
        if (!isChange<ReceiverRow>(before, given)) return [before, null];
        const after = { ...before, ...given, version: before.version + 1, updated_at: at };
        const { id, name, status_code, delay_ms, version } = after;
        await tx.run(UPDATE, [id, name, status_code, delay_ms, version, at]);
        return [after, entryOf('updated', before, after)];
      }),
    remove: (about) =>
      inTransaction(about, async (tx) => {
        const before = await rowForUpdate(tx, about);
        await tx.run(DELETE, [before.id]);
        await tx.run(DELETE_REQUESTS, [before.id]);
        return [undefined, entryOf('deleted', before, null)];
      }),
  };
}

/** The entry of an edit in the audit log. */
interface Entry {
  readonly action: string;
  readonly resource: string;
  readonly before?: object;
  readonly after?: object;
}

const entryOf = (done: string, before: ReceiverRow | null, after: ReceiverRow | null): Entry => ({
  action: `receiver.${done}`,
  resource: `receiver:${(after ?? before)?.id ?? ''}`,
  ...(before !== null && { before: auditedReceiver(before) }),
  ...(after !== null && { after: auditedReceiver(after) }),
});

async function rowForUpdate(tx: Transaction, { project, id, headers }: About): Promise<ReceiverRow> {
  const row = await tx.get<ReceiverRow>(SELECT_FOR_UPDATE, [project, id]);
  if (row === undefined) throw notFound('receiver');
  expectVersion(headers, row.version);
  return row;
}

/** The members of a call that edits need. */
interface EditCall {
  readonly params: { readonly project: string; readonly receiver: string };
  readonly headers: Headers;
  readonly principal: Principal;
}

export const aboutOf = ({ params, headers, principal: { actor } }: EditCall): About => ({
  project: params.project,
  id: params.receiver,
  headers,
  actor,
});
