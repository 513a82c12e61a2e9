/**
 * Removes the rows of deleted projects, in small transactions with pauses between them. A lease lets one process at a
 * time do so. An interruption undoes nothing: the next process removes what is left.
 *
 * The row of the project is gone already, so nothing new comes in, but what was under way may still write a row. So a
 * minute passes before the rows go by which others are found, and a deletion ends when a look after that minute finds
 * nothing.
 */
import { type Clock, systemClock } from 'headgate/delivery';
import type { Database, Sql, Transaction, Value } from '../db/index.js';
import { Batches } from './batches.js';
import * as sql from './removal-statements.js';
import { DELETE_EVENTS, DELETE_PARTS } from './statements.js';
import { createTicker, type Ticker } from './ticker.js';

/** Dependencies of the removal. */
export interface RemovalParts {
  readonly db: Database;
  /** @defaultValue the system's clock */
  readonly clock?: Clock;
  readonly report: (error: unknown, about: string) => void;
  /** Called when nothing of a project is left. */
  readonly ended: (project: string) => void;
}

/** The removal of deleted projects. */
export interface Removal extends Pick<Ticker, 'start' | 'stop'> {
  /** Removes what may go now; returns the number of rows, or null if another process is at it. */
  remove(): Promise<number | null>;
}

/** How long what was under way when a project was deleted may still write: requests and attempts take half of it. */
export const SETTLE_MS = 60_000;
/** How often a process asks whether there is something to remove. */
const TICK_MS = 10_000;

export function createRemoval({ db, clock = systemClock, report, ended }: RemovalParts): Removal {
  const batches = new Batches(db, clock, 'project deletions');
  const remove = async (): Promise<number | null> => {
    const deletions = await db.all<sql.DeletionRow>(sql.SELECT_RUNNING);
    if (deletions.length === 0) return 0;
    if (!(await batches.takeLease())) return null;
    let sum = 0;
    for (const { project_id: project, deleted_at: at } of deletions) {
      const isSettled = clock.now() >= at + SETTLE_MS;
      const rows = new RowsOfProject(db, batches, project);
      const removed = (await rows.removeFlow()) + (isSettled ? await rows.removeRest() : 0);
      sum += removed;
      // The deletion ends when a whole look has found nothing.
      if (rows.hasFound || !isSettled || !(await batches.keepLease())) continue;
      if ((await db.run(sql.END, [project, clock.now()])) > 0) ended(project);
    }
    await batches.keepLease(0);
    return sum;
  };
  const work = async (): Promise<void> => {
    while (((await remove()) ?? 0) > 0);
  };
  const ticker = createTicker({ clock, report, batches, everyMs: TICK_MS, about: 'deleting projects', work });
  let unlisten = (): void => undefined;
  return {
    start() {
      ticker.start();
      unlisten = db.listen('projects', ticker.ask);
    },
    stop() {
      unlisten();
      return ticker.stop();
    },
    remove,
  };
}

/** The rows of a project that was deleted; made for one look at them. */
class RowsOfProject {
  readonly #db: Database;
  readonly #batches: Batches;
  readonly #project: string;
  #hasFound = false;

  constructor(db: Database, batches: Batches, project: string) {
    this.#db = db;
    this.#batches = batches;
    this.#project = project;
  }

  /** Whether there was something to remove, or still is. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Removes events, deliveries, and everything else that names the project and belongs to nothing. */
  async removeFlow(): Promise<number> {
    let sum = 0;
    for (const statement of sql.DELETE_OWN) sum += await this.#delete(statement);
    for (const select of sql.SELECT_DELIVERIES) {
      sum += await this.#each(select, async (tx, ids) => (await tx.deliveries.remove(ids, ALL)).length);
    }
    sum += await this.#each(sql.SELECT_EVENTS, async (tx, ids) => {
      const list = JSON.stringify(ids);
      for (const statement of DELETE_PARTS) await tx.run(statement, [list]);
      return tx.run(DELETE_EVENTS, [this.#project, list]);
    });
    const scopes = sql.NAMING_ROUTES.flatMap((name) => [name, `portal:${name}`]);
    sum += await this.#deleteNamed(scopes.map((scope) => `${scope}:${this.#project}`));
    return sum + (await this.#removeOwners(sql.COMPARISONS));
  }

  /** Removes what people manage, with what belongs to it, and then the keys and the audit log. */
  async removeRest(): Promise<number> {
    let sum = 0;
    for (const owner of sql.OWNERS) {
      sum += await this.#removeOwners(owner);
      sum += await this.#removeLeftOf(owner);
    }
    for (const statement of sql.DELETE_LAST) sum += await this.#delete(statement);
    return sum;
  }

  async #removeOwners(owner: sql.Owner): Promise<number> {
    let owned = 0;
    const owners = await this.#batches.run(async () => {
      const rows = await this.#db.all<{ id: string }>(sql.selectOwners(owner), [this.#project]);
      if (rows.length === 0) return null;
      this.#hasFound = true;
      const ids = rows.map(({ id }) => id);
      owned += await this.#removeOwned(owner, ids);
      // If the lease is gone, some of that may be left, and is found by the owners.
      if (!(await this.#batches.keepLease())) return null;
      return this.#counted((tx) => tx.run(sql.deleteOwners(owner), [JSON.stringify(ids)]));
    });
    return owners + owned;
  }

  /** Removes what belonged to owners that were deleted before the project. */
  async #removeLeftOf(owner: sql.Owner): Promise<number> {
    let after = '';
    if (owner.deletedAs === null) return 0;
    return this.#batches.run(async () => {
      const values = [this.#project, owner.deletedAs, after];
      const rows = await this.#db.all<{ id: string; resource: string }>(sql.SELECT_DELETED, values);
      const last = rows.at(-1);
      if (last === undefined) return null;
      after = last.id;
      return this.#removeOwned(
        owner,
        rows.map(({ resource }) => resource.slice(resource.indexOf(':') + 1)),
      );
    });
  }

  async #removeOwned({ table, deleteOwned }: sql.Owner, ids: readonly string[]): Promise<number> {
    let sum = 0;
    for (const statement of deleteOwned) sum += await this.#delete(statement, named(ids));
    if (table === 'channels') sum += await this.#deleteNamed(ids.map((id) => `channel:${id}`));
    return sum;
  }

  #deleteNamed(scopes: readonly string[]): Promise<number> {
    return this.#delete(sql.DELETE_NAMED_REQUESTS, named(scopes));
  }

  /** Runs a statement until it deletes nothing. */
  #delete(statement: Sql, value: Value = this.#project): Promise<number> {
    return this.#batches.run(async () => {
      const count = await this.#counted((tx) => tx.run(statement, [value]));
      if (count === 0) return null;
      this.#hasFound = true;
      return count;
    });
  }

  /** Deletes what a statement finds, until it finds nothing or others have it locked. */
  #each(
    select: Sql,
    deleteThem: (tx: Transaction, ids: readonly string[]) => Promise<number>,
  ): Promise<number> {
    return this.#batches.run(async () => {
      const rows = await this.#db.all<{ id: string }>(select, [this.#project]);
      if (rows.length === 0) return null;
      this.#hasFound = true;
      const ids = rows.map(({ id }) => id);
      const count = await this.#counted((tx) => deleteThem(tx, ids));
      return count === 0 ? null : count;
    });
  }

  /** Deletes rows in a transaction that counts them. */
  #counted(work: (tx: Transaction) => Promise<number>): Promise<number> {
    return this.#db.transaction(async (tx) => {
      const count = await work(tx);
      if (count > 0) await tx.run(sql.ADD_REMOVED, [this.#project, count]);
      return count;
    });
  }
}

/** Ids as the rows of a statement. */
const named = (ids: readonly string[]): string => JSON.stringify(ids.map((id) => ({ id })));

const ALL = { unfinished: true };
