/**
 * The host's tables, as steps that a database takes one after the other. A step that was released is never changed.
 *
 * `{text}` is a text that sorts by its bytes, `{int}` a whole number of 64 bits, `{by key}` ends a table that is kept
 * in the order of its primary key. All instants are Unix milliseconds. `project_id` begins every index that a list
 * reads.
 */
import type { Dialect } from './dialect.js';
import { FIRST } from './first-tables.js';

const SECOND = `
-- A text that each sealing key has sealed: processes with another key of the same id do not start.
create table sealing_keys (
  id {text} primary key,
  proof {text} not null
) {by key};
-- Written while the disk is full, to find out whether it still is.
create table disk_probe (
  id {int} primary key,
  filler {text} not null
);
`;

const RETRY_AFTER = `
-- honor, or ignore: whether the Retry-After of an endpoint's answer lengthens the delay after it
alter table endpoints add column retry_after {text} not null default 'honor';
`;

const GIVEN_UP = `
-- Failed deliveries from before they were counted, one row per minute: without them, all of them would seem to have arrived
insert into endpoint_minutes (endpoint_id, minute, code, attempts, duration_ms, slowest_ms)
  select d.endpoint_id, d.finished_at / 60000, 'given_up', count(*), 0, 0
  from endpoints e join deliveries d on d.endpoint_id = e.id and d.state = 'failed'
  where d.finished_at is not null and d.failure <> 'endpoint_gone'
  group by d.endpoint_id, d.finished_at / 60000
  on conflict (endpoint_id, minute, code) do nothing
`;

const MATCHES = `
-- Matches that are not counted yet
create table rule_matches (
  project_id {text} not null,
  bucket {int} not null,                   -- divides many rules by their ids; 0 for few
  id {text} not null,                      -- time-sortable
  at {int} not null,
  rules {text} not null,                   -- ids with blanks between; id=n for n matches
  primary key (project_id, bucket, id)
) {by key};
`;

/** `{library}` begins the names of the library's tables. */
const ONE_LEDGER = `
-- Deliveries and attempts are in the library's tables alone, with the host's columns
update {library}deliveries as d
  set project_id = old.project_id, redelivery_id = old.redelivery_id, channel_id = events.channel_id
  from deliveries as old left join events on events.id = old.event_id where old.id = d.id;
update {library}attempts as a set url = old.url
  from attempts as old join {library}deliveries as d on d.id = old.delivery_id
  where a.delivery = d.number and a.number = old.number and old.url is not null;
drop table attempts;
drop table deliveries;
create index deliveries_of_project on {library}deliveries (project_id, state, origin, created_at, number);
create index deliveries_of_endpoint on {library}deliveries (endpoint_id, state, origin, created_at, number);
create index deliveries_of_redelivery on {library}deliveries (redelivery_id, state, created_at, number)
  where redelivery_id is not null;
create index deliveries_of_redelivery_to_endpoint
  on {library}deliveries (redelivery_id, endpoint_id, state, created_at, number) where redelivery_id is not null;
-- Dead letters are rare, so an index for each way to look for them costs little
create index dead_letters on {library}deliveries (project_id, finished_at, id) where {dead};
create index dead_letters_of_endpoint on {library}deliveries (endpoint_id, finished_at, id) where {dead};
create index dead_letters_of_failure on {library}deliveries (project_id, failure, finished_at, id) where {dead};
create index dead_letters_of_type on {library}deliveries (project_id, event_type, finished_at, id) where {dead};
`;

const POSTINGS = `
-- Events by their facts (status:…, type:…, channel:…, tag:…, rule:…, endpoint:…); see stored/postings.ts
create table event_postings (
  project_id {text} not null,
  fact {text} not null,
  newest_id {text} not null,               -- the highest of the ids
  event_ids {text} not null,               -- without the first 13 characters of each, with blanks between
  primary key (project_id, fact, newest_id)
) {by key};
insert into event_postings (project_id, fact, newest_id, event_ids)
  select project_id, fact, max(event_id), string_agg(substr(event_id, 14), ' ')
  from event_facts group by project_id, fact, substr(event_id, 1, 13);
drop table event_facts;
`;

const RETRY_DELAYS = `
-- JSON of an array of seconds, in place of the base and the number of attempts; null for delays that double
alter table endpoints add column retry_delays {text};
`;

const PUBLISHING = `
alter table events add column topic {text};              -- null: the type
alter table event_payloads add column given_tags {text}; -- JSON array; null: its sender gave none
alter table channels add column type {text} not null default 'webhook'; -- webhook, api
alter table channels add column topic_path {text};       -- null: as its source says
-- JSON of an array of topics, and of prefixes with .*; null: every topic
alter table endpoints add column topics {text};
create index endpoints_of_every_topic on endpoints (project_id, id) where topics is null;
-- The entries of endpoints.topics, to find the subscribers of an event
create table endpoint_topics (
  project_id {text} not null,
  entry {text} not null,
  endpoint_id {text} not null,
  primary key (project_id, entry, endpoint_id)
) {by key};
`;

const SIGNATURE = `
-- svc, standard_webhooks or both: how deliveries are signed
alter table endpoints add column signature {text} not null default 'svc';
`;

const ENDPOINT_HEADERS = `
-- Sealed JSON: headers of every delivery, by name; null without any
alter table endpoints add column headers {text};
`;

const ORDERING = `
alter table endpoints add column ordering {text} not null default 'none'; -- none, endpoint, key
-- continue, or hold: the key of a dead letter waits until a person has dealt with it
alter table endpoints add column on_exhausted {text} not null default 'continue';
alter table channels add column ordering_path {text};    -- null: its events have no ordering key
alter table event_payloads add column ordering_key {text};
`;

const OWN_SECRETS = `
-- channel or endpoint: whose secrets sign deliveries
alter table endpoints add column secret {text} not null default 'channel';
-- Of a channel, or of an endpoint
alter table signing_secrets rename column channel_id to owner_id;
`;

const TRACES = `
-- Of the request that brought the event, by W3C Trace Context; null for none
alter table event_payloads add column traceparent {text};
`;

const BULK_ACTIONS = `
-- Bulk redeliveries, and replays of many events
alter table redeliveries rename to bulk_actions;
alter table bulk_actions rename column redelivered to sent;      -- letters or events that were sent again
alter table bulk_actions add column kind {text} not null default 'redelivery'; -- redelivery, replay
alter table bulk_actions add column scanned {int} not null default 0;    -- events that a replay has looked at
alter table bulk_actions add column skipped {int} not null default 0;    -- of these, those that it could not replay
alter table bulk_actions add column deliveries {int} not null default 0; -- that it has made
update bulk_actions set deliveries = sent;
drop index redeliveries_of_project;
create index bulk_actions_of_project on bulk_actions (project_id, kind, id);
`;

const EVENT_TYPES = `
create table event_types (
  project_id {text} not null,
  name {text} not null,                    -- the type of its events
  description {text},
  schema {text},                           -- JSON Schema of data
  example {text},                          -- JSON of data
  deprecated {int} not null,
  strict {int} not null,                   -- 1: events whose data does not match the schema are refused
  version {int} not null,
  created_at {int} not null,
  updated_at {int} not null,
  primary key (project_id, name)
) {by key};
create index strict_event_types on event_types (project_id, name) where strict = 1;
`;

const COMPARISONS = `
-- What rules would have decided, beside what was decided; kept for a day
create table comparisons (
  id {text} primary key,
  project_id {text} not null,
  window_hours {int} not null,
  from_ms {int} not null,                  -- events received after this were compared
  to_ms {int} not null,
  is_complete {int} not null,              -- 0: time ran out
  rules_version {int} not null,            -- of the saved rules
  scanned {int} not null,
  undecided {int} not null,
  limits {int} not null,
  groups {text},                           -- JSON with samples; null until all events are stored
  created_at {int} not null,
  created_by {text} not null,
  expires_at {int} not null
);
create index comparisons_of_project on comparisons (project_id, id);
create index comparisons_end on comparisons (expires_at);
-- The events that would be decided differently, for replays
create table comparison_events (
  comparison_id {text} not null,
  newest_id {text} not null,               -- the highest of the ids
  events {text} not null,                  -- oldest first: id and bits of its groups, with blanks between
  primary key (comparison_id, newest_id)
) {by key};
`;

const FEWER_INDEXES = `
-- Retention names the deliveries that it deletes, and asks for none by the time when they finished
drop index {finished};
-- The undecided events of a project are found by their ids
drop index events_to_decide;
`;

const EVENT_KEYS = `
-- Events are found by their project and id, and their entries in the log by their positions
create table new_events (
  project_id {text} not null,
  id {text} not null,                      -- evt_ and a time-sortable rest
  channel_id {text},
  type {text} not null,
  topic {text},                            -- null: the type
  status {text} not null,                  -- received, processed, dropped
  received_at {int} not null,
  decide_at {int},                         -- from when any process may decide it; null once it is decided
  decide_failures {int} not null,
  decided_at {int},
  rules_version {int},                     -- of the rules that decided it
  dropped_by {text},                       -- a rule's id
  tags {text},                             -- JSON array
  decision {text},                         -- JSON: { matched: [{ id, name, action }], endpoint_ids, limits }
  log_position {int},                      -- in event_log; null until it is decided, and for a drop
  constraint events_key primary key (project_id, id)
);
insert into new_events
  select e.project_id, e.id, e.channel_id, e.type, e.topic, e.status, e.received_at, e.decide_at, e.decide_failures,
    e.decided_at, e.rules_version, e.dropped_by, e.tags, e.decision, l.position
  from events as e left join event_log as l on l.project_id = e.project_id and l.event_id = e.id and l.replay_id is null;
drop table events;
alter table new_events rename to events;
create index events_received on events (project_id, id) where status = 'received';
drop index log_of_event;
create index log_of_replay on event_log (project_id, event_id, replay_id) where replay_id is not null;
-- Deliveries under way are few, and have indexes of their own
drop index {schema}deliveries_of_project;
drop index {schema}deliveries_of_endpoint;
create index deliveries_of_project on {library}deliveries (project_id, state, origin, created_at, number)
  where state = 'pending' or state = 'waiting' or state = 'delivered' or state = 'failed';
create index deliveries_of_endpoint on {library}deliveries (endpoint_id, state, origin, created_at, number)
  where state = 'pending' or state = 'waiting' or state = 'delivered' or state = 'failed';
{under way}
`;

const ALERTS = `
alter table endpoints add column purpose {text} not null default 'events'; -- events, alerts
drop index endpoints_of_every_topic;
create index endpoints_of_every_topic on endpoints (project_id, id) where topics is null and purpose = 'events';
create index endpoints_for_alerts on endpoints (project_id, id) where purpose = 'alerts';
-- What people should know, until they dismiss it: a row for each kind and subject
create table alerts (
  project_id {text} not null,
  kind {text} not null,                    -- such as headgate.endpoint.failing
  subject {text} not null,                 -- endpoint:<id>, channel:<id>, project:<id>, quota:<name>
  id {text} not null,                      -- time-sortable; a new one when it is back after it was dismissed
  since {int} not null,                    -- the first sign since it was last dismissed
  last_at {int} not null,                  -- the last sign
  signs {int} not null,                    -- since it was last dismissed
  detail {text} not null,                  -- JSON: about the last sign
  unsent {int} not null,                   -- signs since the last event
  unsent_since {int} not null,             -- the first of these
  send_at {int},                           -- when the next event is due; null: none is
  sent_at {int},                           -- when the last event was sent
  dismissed_at {int},
  dismissed_by {text},
  primary key (project_id, kind, subject)
) {by key};
create index alerts_of_project on alerts (project_id, id);
create index open_alerts on alerts (project_id, id) where dismissed_at is null;
create index alerts_to_send on alerts (send_at) where send_at is not null;
-- Events of alerts, which have deliveries but no row in events
create table alert_events (
  project_id {text} not null,
  id {text} not null,
  primary key (project_id, id)
) {by key};
`;

const PORTAL = `
alter table sign_in_links add column id {text};      -- of a link into the portal; null: into the dashboard
alter table sign_in_links add column role {text};    -- viewer, owner; null: into the dashboard
alter table sign_in_links add column key_id {text};  -- the key that made a link into the portal
alter table sessions add column role {text};         -- viewer, owner; null: of the dashboard
alter table sessions add column link_id {text};      -- the link that began a session of the portal
alter table projects add column portal {text};       -- JSON: how the portal looks; null: as the dashboard
-- Apart from projects, whose rows are written with each batch of events
create table portal_logos (
  id {text} primary key,
  project_id {text} not null,
  type {text} not null,                    -- such as image/png
  content {text} not null                  -- Base64
);
create index portal_logos_of_project on portal_logos (project_id);
`;

const EXCHANGES = `
alter table endpoints add column exchange {int} not null default 1; -- 0: attempts keep nothing of what they send and receive
`;

const RULE_VERSIONS = `
-- Saved versions of rules that are too large for the audit log, which has a part of them
create table large_rule_versions (
  rule_id {text} not null,
  id {text} not null,                      -- of the entry in audit_log
  bytes {int} not null,                    -- of rule, in UTF-8
  rule {text} not null,                    -- JSON: the document of the rule, and enabled
  primary key (rule_id, id)
) {by key};
create index large_rule_versions_end on large_rule_versions (id);
`;

const OVERVIEW = `
-- Sums of endpoint_minutes and rule_minutes over half an hour, made from them in the background; see overview/sums.ts
create table attempt_spans (
  project_id {text} not null,
  span {int} not null,                     -- half hours from 1970
  code {text} not null,                    -- as in endpoint_minutes
  attempts {int} not null,
  slowest_ms {int} not null,
  ms_25 {int} not null,
  ms_50 {int} not null,
  ms_100 {int} not null,
  ms_250 {int} not null,
  ms_500 {int} not null,
  ms_1000 {int} not null,
  ms_2500 {int} not null,
  ms_5000 {int} not null,
  primary key (project_id, span, code)
) {by key};
create table rule_spans (
  rule_id {text} not null,
  span {int} not null,
  matched {int} not null,
  primary key (rule_id, span)
) {by key};
create index rule_spans_ends on rule_spans (span);
-- Minutes before this one are in the sums
create table summed_minutes (
  id {int} primary key,
  before_minute {int} not null
);
insert into summed_minutes (id, before_minute) values (1, 0);
create index failing_endpoints on endpoints (project_id, failing_since, id) where failing_since is not null;
`;

const OUTCOMES = `
-- Deliveries in trouble by their ids, which begin with those of their events; one that succeeds at once is in neither
create index failed_deliveries on {library}deliveries (project_id, id) where state = 'failed';
create index retried_deliveries on {library}deliveries (project_id, id)
  where attempts > 0 and (state = 'pending' or state = 'leased' or state = 'waiting');
`;

const PROJECT_DELETIONS = `
-- Projects that were deleted: their rows are removed in the background, and this one stays for 400 days
create table project_deletions (
  id {text} primary key,                   -- time-sortable
  project_id {text} not null unique,
  name {text} not null,                    -- as it was
  deleted_at {int} not null,
  deleted_by {text} not null,              -- an actor, as in audit_log
  removed {int} not null,                  -- rows so far
  ended_at {int}                           -- null: some rows may be left
);
create index project_deletions_running on project_deletions (id) where ended_at is null;
create index sign_in_links_of_project on sign_in_links (project_id);
`;

/** Step `n` (from 0) makes version `n + 1`. */
const STEPS: readonly string[] = [
  FIRST,
  SECOND,
  RETRY_AFTER,
  GIVEN_UP,
  MATCHES,
  ONE_LEDGER,
  POSTINGS,
  RETRY_DELAYS,
  PUBLISHING,
  SIGNATURE,
  ENDPOINT_HEADERS,
  ORDERING,
  OWN_SECRETS,
  TRACES,
  BULK_ACTIONS,
  EVENT_TYPES,
  COMPARISONS,
  FEWER_INDEXES,
  EVENT_KEYS,
  ALERTS,
  PORTAL,
  EXCHANGES,
  RULE_VERSIONS,
  OVERVIEW,
  OUTCOMES,
  PROJECT_DELETIONS,
];

/**
 * The statements of a step in a database.
 *
 * @param library - Begins the names of the library's tables, such as a schema and a dot.
 */
export const statementsOf = (step: string, library: string): string => step.replaceAll('{library}', library);

/**
 * The macros of steps, written out for each database. `{schema}` begins the names of indexes on the library's tables.
 * SQLite's deliveries under way are those of one process, and the library has an index of them.
 */
const MACROS: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  sqlite: {
    ...{ '{text}': 'text', '{int}': 'integer', ' {by key}': ' strict, without rowid', '{schema}': '' },
    ...{ '{dead}': 'dead_letter = 1', '{finished}': '{library}finished', '{under way}': '' },
  },
  postgres: {
    ...{ '{text}': 'text collate "C"', '{int}': 'bigint', ' {by key}': '', '{schema}': '{library}' },
    ...{ '{dead}': 'dead_letter', '{finished}': '{library}deliveries_finished' },
    '{under way}': `create index deliveries_under_way on {library}deliveries (project_id, created_at, number)
  where state = 'leased';`,
  },
};

/** The steps, written for a database. */
export const stepsFor = (dialect: Dialect): readonly string[] =>
  STEPS.map((step) =>
    Object.entries(MACROS[dialect])
      .reduce((text, [macro, sql]) => text.replaceAll(macro, sql), step.replaceAll(/ *--.*$/gm, ''))
      .trim(),
  );
