/** The statements of event types. */
import { forUpdate } from '../db/index.js';

/** A row of `event_types`. */
export interface EventTypeRow {
  readonly project_id: string;
  readonly name: string;
  readonly description: string | null;
  /** JSON. */
  readonly schema: string | null;
  /** JSON. */
  readonly example: string | null;
  readonly deprecated: number;
  readonly strict: number;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A row of a list, which reads no documents. */
export interface ItemRow extends Omit<EventTypeRow, 'schema' | 'example'> {
  readonly has_schema: number;
}

export const SELECT = 'select * from event_types where project_id = $1 and name = $2';
export const SELECT_FOR_UPDATE = forUpdate(SELECT);
/** By name, after a cursor. */
export const SELECT_PAGE = `select project_id, name, description, deprecated, strict, version, created_at, updated_at,
    case when schema is null then 0 else 1 end as has_schema
  from event_types where project_id = $1 and name > $2 order by name limit $3`;
export const COUNT = 'select count(*) as count from event_types where project_id = $1';
/** Two that add a type to one project at the same time count one after the other. */
export const LOCK_PROJECT = forUpdate('select id from projects where id = $1');
export const UPDATE = `update event_types set description = $3, schema = $4, example = $5, deprecated = $6, strict = $7,
    version = $8, updated_at = $9
  where project_id = $1 and name = $2`;
export const DELETE = 'delete from event_types where project_id = $1 and name = $2';
/** The projects among `$1` that have a strict type. */
export const WITH_STRICT = `select rows.id from {rows $1: id text} where exists
  (select 1 from event_types where project_id = rows.id and strict = 1)`;
/** The schemas of strict types among `$1`, by the key that asks for them. */
export const STRICT_SCHEMAS = `select rows.key, t.schema from {rows $1: key text, project_id text, name text}
  join event_types as t on t.project_id = rows.project_id and t.name = rows.name and t.strict = 1`;
