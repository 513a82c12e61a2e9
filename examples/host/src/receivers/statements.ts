/** The statements of receivers. */
import { forUpdate, hasProject, type ListedRow, upTo } from '../db/index.js';
import { KEPT_REQUESTS } from './routes.js';

/** A row of `receivers`. */
export interface ReceiverRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly token: string;
  readonly status_code: number;
  readonly delay_ms: number;
  readonly arrived: number;
  readonly arrived_at: number | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A row of `received_requests`. */
export interface RequestRow extends ListedRow {
  readonly id: string;
  readonly receiver_id: string;
  readonly project_id: string;
  readonly at: number;
  readonly request: string;
}

export const SELECT = 'select * from receivers where project_id = $1 and id = $2';
export const SELECT_FOR_UPDATE = forUpdate(SELECT);
/** Newest first, after a cursor. */
export const SELECT_PAGE =
  'select * from receivers where project_id = $1 and id < $2 order by id desc limit $3';
export const COUNT = 'select count(*) as count from receivers where project_id = $1';
export const FIND = `select * from receivers where token = $1 and ${hasProject('receivers.project_id')}`;
/** Leaves the count of requests alone: only {@link ARRIVED} changes it. */
export const UPDATE = `update receivers set name = $2, status_code = $3, delay_ms = $4, version = $5, updated_at = $6
  where id = $1`;
export const DELETE = 'delete from receivers where id = $1';
export const DELETE_REQUESTS = 'delete from received_requests where receiver_id = $1';

/** Also locks the receiver, so that none of its requests is inserted after it was deleted. */
export const ARRIVED = 'update receivers set arrived = arrived + $2, arrived_at = $3 where id = $1';
export const TRIM = `delete from received_requests where receiver_id = $1 and id <=
  (select id from received_requests where receiver_id = $1 order by id desc limit 1 offset ${KEPT_REQUESTS})`;
const SIZED_REQUESTS = `select id, octet_length(request) as bytes from received_requests
  where project_id = $1 and receiver_id = $2 and id < $3 order by id desc limit $4`;
/** Newest first, after a cursor: at most `$4`, and at most `$5` bytes or one. */
export const SELECT_REQUESTS = `select r.*, listed from ${upTo(SIZED_REQUESTS, 'id desc', '$5')} as s
  join received_requests as r on r.id = s.id order by r.id desc`;
