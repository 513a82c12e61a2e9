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
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export const SELECT = 'select * from projects where id = $1';
export const SELECT_FOR_UPDATE = forUpdate(SELECT);
/** Newest first, after a cursor. */
export const SELECT_PAGE = 'select * from projects where id < $1 order by id desc limit $2';
export const UPDATE = `update projects set name = $2, plan = $3, retention_days = $4, auto_pause_days = $5, version = $6,
  updated_at = $7 where id = $1`;
