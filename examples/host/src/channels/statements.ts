/** The statements of channels. */
import { forUpdate, hasProject } from '../db/index.js';
import type { SecretRow } from '../signing-secrets/statements.js';

/** A row of `channels`. */
export interface ChannelRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly address: string;
  /** `webhook` or `api`. */
  readonly type: string;
  readonly source: string;
  /** Sealed. Null if the source has no settings. */
  readonly source_settings: string | null;
  readonly topic_path: string | null;
  readonly ordering_path: string | null;
  readonly requires_key: number;
  readonly rejected: number;
  readonly rejected_at: number | null;
  readonly version: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deleted_at: number | null;
}

/** The secret of a channel that is not deleted, with its name. */
export interface SecretOfChannelRow extends Pick<SecretRow, 'id' | 'owner_id' | 'sealed'> {
  readonly name: string;
}

const LIVE = 'deleted_at is null';
/** Events may come in. */
const IS_OPEN = `${LIVE} and ${hasProject('channels.project_id')}`;

export const SELECT = `select * from channels where project_id = $1 and id = $2 and ${LIVE}`;
/** Also one that was deleted. */
export const SELECT_ANY = 'select * from channels where project_id = $1 and id = $2';
export const SELECT_FOR_UPDATE = forUpdate(SELECT);
/** Newest first, after a cursor. */
export const SELECT_PAGE = `select * from channels where project_id = $1 and id < $2 and ${LIVE}
  order by id desc limit $3`;
/** A webhook's first, since they were there before the others. */
export const SELECT_OLDEST = `select * from channels where project_id = $1 and ${LIVE} order by type desc, id limit 1`;
export const SELECT_OLDEST_API = `select * from channels where project_id = $1 and type = 'api' and ${IS_OPEN}
  order by id limit 1`;
export const SELECT_OTHER_API = `select 1 as found from channels where project_id = $1 and type = 'api' and ${LIVE} and id <> $2 limit 1`;
/** Projects from before there were channels of this type. */
export const SELECT_WITHOUT_API = `select id from projects where not exists (select 1 from channels
  where project_id = projects.id and type = 'api' and ${LIVE}) limit $1`;
export const LOCK_PROJECT = forUpdate('select id from projects where id = $1');
export const FIND_BY_ID = `select * from channels where id = $1 and ${IS_OPEN}`;
export const FIND_BY_ADDRESS = `select * from channels where address = $1 and ${IS_OPEN}`;
/** Counts of rejected requests are not among these: another module adds to them. */
export const UPDATE = `update channels set name = $2, address = $3, source = $4, source_settings = $5, requires_key = $6,
  version = $7, updated_at = $8, deleted_at = $9, topic_path = $10, ordering_path = $11 where id = $1`;

/** Secrets of all channels of a project that have not expired. */
export const SELECT_SECRETS_OF_PROJECT = `select s.id, s.owner_id, s.sealed, c.name from channels c
  join signing_secrets s on s.owner_id = c.id and (s.expires_at is null or s.expires_at > $2)
  where c.project_id = $1 and c.${LIVE} order by c.id`;
