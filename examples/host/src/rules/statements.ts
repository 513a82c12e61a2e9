/** The statements of rules. */
import { PERSISTED_COLUMNS } from '../stored/event-json.js';
import { type ListedRow, upTo } from '../db/index.js';

/** A row of `rules`. */
export interface RuleRow {
  readonly id: string;
  readonly project_id: string;
  readonly document: string;
  readonly bytes: number;
  readonly priority: number;
  readonly enabled: number;
  readonly version: number;
  readonly changed_in: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A rule with how often it matched. */
export interface CountedRow extends RuleRow {
  readonly matched: number | null;
  readonly last_24h: number | null;
  readonly last_matched_at: number | null;
}

/** The row that {@link BEGIN_EDIT} returns. */
export interface EditRow {
  readonly rules_version: number;
  readonly plan: string;
}

/** Locks the project until the transaction ends, so that edits of its rules come one after the other. */
export const BEGIN_EDIT =
  'update projects set rules_version = rules_version + 1 where id = $1 returning rules_version, plan';
/** The version of a project's rule set, its plan, and how many rules it has. */
export const SELECT_RULES_HEAD = `select rules_version, plan, (select count(*) from rules where project_id = $1) as count
  from projects where id = $1`;
export const SELECT_VERSIONS = 'select id, rules_version from projects where id in {list $1}';

/** How many rules a project has, and the bytes of their documents together. */
export const SELECT_TOTALS =
  'select count(*) as count, coalesce(sum(bytes), 0) as bytes from rules where project_id = $1';

/** The plan of a project, and how many rules it has. */
export const SELECT_ROOM =
  'select plan, (select count(*) from rules where project_id = $1) as count from projects where id = $1';

export const SELECT = 'select * from rules where project_id = $1 and id = $2';
export const SELECT_ORDER =
  'select id, priority, version from rules where project_id = $1 order by priority, id';

/**
 * The rules of a project with its version: one statement, so that they belong together. Without rules, one row without
 * an id.
 */
export const SELECT_RULE_SET = `select p.rules_version, r.id, r.document, r.priority, r.enabled
  from projects p left join rules r on r.project_id = p.id
  where p.id = $1 order by r.priority, r.id`;

const COUNTS = `c.matched, c.last_matched_at,
  (select sum(m.matched) from rule_minutes m where m.rule_id = r.id and m.minute > $2) as last_24h`;
/** $2: the minute before the last 24 hours. */
export const SELECT_COUNTED = `select r.*, ${COUNTS}
  from rules r left join rule_counts c on c.rule_id = r.id where r.project_id = $1 and r.id = $3`;
const SIZED_RULES = `select id, priority, bytes from rules
  where project_id = $1 and (priority, id) > ($3, $4) order by priority, id limit $5`;
/** In evaluation order, after a cursor: at most `$5`, and at most `$6` bytes or one. */
export const SELECT_PAGE = `select r.*, s.listed, ${COUNTS}
  from ${upTo(SIZED_RULES, 'priority, id', '$6')} as s join rules r on r.id = s.id
    left join rule_counts c on c.rule_id = r.id
  order by r.priority, r.id`;

export const UPDATE = `update rules set document = $3, bytes = $4, priority = $5, enabled = $6,
    version = version + 1, changed_in = $7, updated_at = $8
  where project_id = $1 and id = $2`;
export const UPDATE_PRIORITIES = `update rules set priority = rows.priority,
    version = version + 1, changed_in = $3, updated_at = $4
  from {rows $2: id text, priority int}
  where rules.project_id = $1 and rules.id = rows.id`;

export const DELETE = 'delete from rules where project_id = $1 and id = $2';
export const DELETE_COUNTS = 'delete from rule_counts where rule_id = $1';
/** The first `$2` of them. */
export const DELETE_MINUTES = `delete from rule_minutes where rule_id = $1 and minute in
  (select minute from rule_minutes where rule_id = $1 order by minute limit $2)`;

/** A saved version of a rule: its entry in the audit log, with the rule. */
export interface VersionRow extends ListedRow {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  /** JSON; null if there is none. */
  readonly rule: string | null;
}
/** The rule that an entry has: after the change, or before it was deleted. */
const LOGGED = "case when a.action = 'rule.deleted' then a.before else a.after end";
const LARGE = 'left join large_rule_versions l on l.rule_id = $3 and l.id = a.id';
const SIZED_VERSIONS = `select a.id, coalesce(l.bytes, octet_length(${LOGGED}), 0) as bytes from audit_log a ${LARGE}
  where a.project_id = $1 and a.resource = $2 and a.id < $4 order by a.id desc limit $5`;
/** Newest first, before an id: `$2` the resource, `$3` the rule, at most `$5`, and at most `$6` bytes or one. */
export const SELECT_VERSIONS_PAGE = `select a.id, a.at, a.actor, a.action, s.listed, coalesce(l.rule, ${LOGGED}) as rule
  from ${upTo(SIZED_VERSIONS, 'id desc', '$6')} as s join audit_log a on a.id = s.id ${LARGE} order by a.id desc`;
export const DELETE_VERSIONS = 'delete from large_rule_versions where rule_id = $1';
/** All but the newest `$2`. */
export const DELETE_OLD_VERSIONS = `delete from large_rule_versions where rule_id = $1 and id <=
  (select id from large_rule_versions where rule_id = $1 order by id desc limit 1 offset $2)`;

/** The rules of a page, after a cursor. */
export const SELECT_PAGE_IDS = `select id, priority from rules
  where project_id = $1 and (priority, id) > ($2, $3) order by priority, id limit $4`;

/** Matches of a rule in a span of time. */
export interface SpanRow {
  readonly rule_id: string;
  /** Number of the span, counted from 1970. */
  readonly bucket: number;
  readonly matched: number;
}
/** $2 and $3: the first minute, and the minutes of a span. */
export const SELECT_SPANS = `select rule_id, minute / $3 as bucket, sum(matched) as matched from rule_minutes
  where rule_id in {list $1} and minute >= $2 group by rule_id, minute / $3`;

/** Matches by the hour. $2 and $3: the first minute, and the one after the last. */
export const SELECT_HOURS = `select minute / 60 as hour, sum(matched) as matched from rule_minutes
  where rule_id = $1 and minute >= $2 and minute < $3 group by minute / 60`;

/** The tags that events of a project got when they were decided, as JSON; null before. */
export const SELECT_TAGS = `select id, tags from events where project_id = $1 and id in {list $2}`;

/** The events of a page, each with the bytes up to it and its row number. */
const SIZED = `
  select e.id, e.received_at, e.type, e.topic, e.channel_id,
    sum(octet_length(p.data) + $6 * coalesce(octet_length(p.raw_payload), 0)) over (order by e.id desc) as upto,
    row_number() over (order by e.id desc) as nth
  from (select id, received_at, type, topic, channel_id from events
    where project_id = $1 and id < $2 and id >= $3 order by id desc limit $4) e
  join event_payloads p on p.event_id = e.id`;
/**
 * Past events, newest first: $1 project, $2 above all ids, $3 the lowest id, $4 most rows, $5 most bytes after the
 * first row, $6 is 1 with `raw_payload` and 0 without. Sizes are read from the heads of the rows, so what is left out
 * is not read.
 */
export const SELECT_PAST_EVENTS = `select s.id, ${PERSISTED_COLUMNS},
    case when $6 = 1 then p.raw_payload end as raw_payload
  from (${SIZED}) s join event_payloads p on p.event_id = s.id
  where s.upto <= $5 or s.nth = 1 order by s.id desc`;
