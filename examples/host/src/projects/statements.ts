/** The statements of projects. */
import { forUpdate } from '../db/index.js';

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

/** The logo of a portal. */
export interface LogoRow {
  readonly type: string;
  /** Base64. */
  readonly content: string;
}

export const SELECT_LOGO = 'select type, content from portal_logos where id = $1';
export const DELETE_LOGOS = 'delete from portal_logos where project_id = $1';
