/** The statements of projects. */
import { forUpdate, hasProject } from '../db/index.js';

/** A row of `projects`. */
export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly retention_days: number;
  readonly auto_pause_days: number | null;
  readonly rules_version: number;
  readonly log_position: number;
  /** JSON; null for none. */
  readonly portal: string | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export const SELECT = 'select * from projects where id = $1';
export const SELECT_FOR_UPDATE = forUpdate(SELECT);
/** Newest first, after a cursor. */
export const SELECT_PAGE = 'select * from projects where id < $1 order by id desc limit $2';
export const UPDATE = `update projects set name = $2, plan = $3, retention_days = $4, auto_pause_days = $5, portal = $6,
  version = $7, updated_at = $8 where id = $1`;

export const DELETE = 'delete from projects where id = $1';

/** A row of `project_deletions`. */
export interface DeletionRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly deleted_at: number;
  readonly deleted_by: string;
  /** Rows so far. */
  readonly removed: number;
  readonly ended_at: number | null;
}
/** Newest first, after a cursor. */
export const SELECT_DELETIONS = 'select * from project_deletions where id < $1 order by id desc limit $2';

/** Most of one kind that are counted; more are shown as one more. */
export const MOST_COUNTED = 10_000;
const counted = (from: string): string =>
  `(select count(*) from (select 1 as one from ${from} limit ${MOST_COUNTED + 1}) as few)`;
const ofProject = (table: string, condition = ''): string =>
  counted(`${table} where project_id = $1${condition}`);
const unfinished = ['pending', 'waiting'].map((state) =>
  ofProject('{deliveries}', ` and state = '${state}'`),
);
/** Counts the things in a project, by kind. */
export const SELECT_CONTENTS = `select ${ofProject('events')} as events,
  ${unfinished.join(' + ')} as waiting_deliveries,
  ${ofProject('{deliveries}', ' and {dead}')} as dead_letters,
  ${ofProject('channels', ' and deleted_at is null')} as channels,
  ${ofProject('endpoints')} as endpoints, ${ofProject('rules')} as rules,
  ${ofProject('event_types')} as event_types, ${ofProject('receivers')} as receivers,
  ${ofProject('clients')} as clients, ${ofProject('api_keys', ' and revoked_at is null')} as keys,
  ${ofProject('sessions', ' and expires_at > $2')} as sessions`;

/** The logo of a portal. */
export interface LogoRow {
  readonly type: string;
  /** Base64. */
  readonly content: string;
}

export const SELECT_LOGO = `select type, content from portal_logos
  where id = $1 and ${hasProject('portal_logos.project_id')}`;
export const DELETE_LOGOS = 'delete from portal_logos where project_id = $1';
