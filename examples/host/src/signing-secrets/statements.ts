/** The statements of signing secrets. */

/** A row of `signing_secrets`. */
export interface SecretRow {
  readonly id: string;
  /** The id of the channel or the endpoint. */
  readonly owner_id: string;
  readonly sealed: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}

/** All that have not expired, oldest first. */
export const SELECT_SECRETS = `select * from signing_secrets
  where owner_id = $1 and (expires_at is null or expires_at > $2) order by created_at, id`;
export const SELECT_SECRET = 'select * from signing_secrets where owner_id = $1 and id = $2';
export const DELETE_SECRET = 'delete from signing_secrets where id = $1';
export const DELETE_EXPIRED = 'delete from signing_secrets where owner_id = $1 and expires_at <= $2';
/** Never later than before. */
export const EXPIRE_SECRETS = `update signing_secrets set expires_at = $2
  where owner_id = $1 and (expires_at is null or expires_at > $2)`;
export const DELETE_ALL = 'delete from signing_secrets where owner_id = $1';
