/** The statements of counting matches. */

/** A part of the noted matches: those of a project, divided by rules if there are many. */
export interface BucketRow {
  readonly project_id: string;
  readonly bucket: number;
}

/** The next part that has notes, after `$1` and `$2`. */
export const NEXT_BUCKET = `select project_id, bucket from rule_matches
  where (project_id, bucket) > ($1, $2) order by project_id, bucket limit 1`;

/** A note of the rules that matched in one transaction. */
export interface NotedRow {
  /** Unix ms. */
  readonly at: number;
  readonly rules: string;
}

/** Deletes the first `$3` notes of a part, and returns them. */
export const TAKE_NOTED = `delete from rule_matches where (project_id, bucket, id) in
  (select project_id, bucket, id from rule_matches where project_id = $1 and bucket = $2 order by id limit $3)
  returning at, rules`;

/** Selects the rules that still exist. */
export const SELECT_RULES = 'select id from rules where id in {list $1}';

/** Conflict clauses of the counts of rules. */
export const ADD_TO_COUNTS = `(rule_id) do update set matched = rule_counts.matched + excluded.matched,
  last_matched_at = case when excluded.last_matched_at > rule_counts.last_matched_at
    then excluded.last_matched_at else rule_counts.last_matched_at end`;
export const ADD_TO_MINUTES = `(rule_id, minute) do update set matched = rule_minutes.matched + excluded.matched`;
