/** The tables of the first version. Later steps change them: see `schema.ts`. */
export const FIRST = `
create table projects (
  id {text} primary key,
  name {text} not null,
  plan {text} not null,                    -- hobby, hacker, pro, scale
  retention_days {int} not null,
  auto_pause_days {int},                   -- null: endpoints are never paused by themselves
  rules_version {int} not null,            -- one higher with every edit of a rule
  log_position {int} not null,             -- the last position given in event_log
  batch_position {int} not null default 0, -- the last position given in decided_batches
  version {int} not null default 1,        -- the ETag of its settings
  created_at {int} not null,
  updated_at {int} not null
);

create table channels (
  id {text} primary key,
  project_id {text} not null,
  name {text} not null,
  address {text} not null unique,          -- the last part of /in/{address}: 128 random bits
  source {text} not null,                  -- none, github, stripe, slack, standard_webhooks, headgate, token
  source_settings {text},                  -- sealed JSON: the source's secrets, the header of a token
  requires_key {int} not null,
  rejected {int} not null,                 -- requests whose source could not be verified
  rejected_at {int},
  version {int} not null,
  created_at {int} not null,
  updated_at {int} not null,
  deleted_at {int}                         -- its secrets still sign what is left to deliver
);
create index channels_of_project on channels (project_id, id);

create table signing_secrets (
  id {text} primary key,
  channel_id {text} not null,
  sealed {text} not null,
  created_at {int} not null,
  expires_at {int}                         -- null: signs until another is added
);
create index secrets_of_channel on signing_secrets (channel_id, created_at);

create table endpoints (
  id {text} primary key,
  project_id {text} not null,
  name {text} not null,
  url {text} not null,
  status {text} not null,                  -- active, paused
  paused_by {text},                        -- operator, failures; null while active
  retry_max_attempts {int} not null,
  retry_backoff_base_seconds {int} not null,
  rate_limit_per_second {text},            -- a number as text, since it may be a fraction
  failing_since {int},
  version {int} not null,
  created_at {int} not null,
  updated_at {int} not null
);
create index endpoints_of_project on endpoints (project_id, id);

-- URLs of the service itself that keep what arrives, for who has no URL yet.
create table receivers (
  id {text} primary key,
  project_id {text} not null,
  name {text} not null,
  token {text} not null unique,            -- the last part of /receive/{token}: 128 random bits
  status_code {int} not null,              -- HTTP status that it answers with
  delay_ms {int} not null,                 -- before it answers
  arrived {int} not null,                  -- requests, also those that are gone
  arrived_at {int},
  version {int} not null,                  -- the ETag of what its owner sets
  created_at {int} not null,
  updated_at {int} not null
);
create index receivers_of_project on receivers (project_id, id);
create table received_requests (
  id {text} primary key,
  receiver_id {text} not null,
  project_id {text} not null,
  at {int} not null,
  request {text} not null                  -- JSON: { headers, body, body_bytes, body_cut, status_code, event_id, verdict }
);
create index requests_of_receiver on received_requests (receiver_id, id);
create index received_requests_end on received_requests (project_id, at);

create table rules (
  id {text} primary key,
  project_id {text} not null,
  document {text} not null,                -- JSON: { name, description, stage, match, action }
  bytes {int} not null,                    -- of document, in UTF-8
  priority {int} not null,
  enabled {int} not null,
  version {int} not null,                  -- the ETag of the rule
  changed_in {int} not null,               -- the rules_version of its last change
  created_at {int} not null,
  updated_at {int} not null
);
create index rules_of_project on rules (project_id, priority, id);

create table rule_counts (
  rule_id {text} primary key,
  project_id {text} not null,
  matched {int} not null,
  last_matched_at {int} not null
);
create table rule_minutes (
  rule_id {text} not null,
  minute {int} not null,                   -- Unix minutes
  matched {int} not null,
  primary key (rule_id, minute)
) {by key};
create index rule_minutes_ends on rule_minutes (minute);

create table events (
  id {text} primary key,                   -- evt_ and a time-sortable rest
  project_id {text} not null,
  channel_id {text},
  type {text} not null,
  status {text} not null,                  -- received, processed, dropped
  received_at {int} not null,
  decide_at {int},                         -- from when any process may decide it; null once it is decided
  decide_failures {int} not null,
  decided_at {int},
  rules_version {int},                     -- of the rules that decided it
  dropped_by {text},                       -- a rule's id
  tags {text},                             -- JSON array
  decision {text}                          -- JSON: { matched: [{ id, name, action }], endpoint_ids, limits }
);
create index events_of_project on events (project_id, id);
create index events_to_decide on events (decide_at) where status = 'received';
create index events_received on events (project_id, id) where status = 'received';

create table event_payloads (
  event_id {text} primary key,
  channel_name {text},
  data {text} not null,                    -- JSON, as persisted
  raw_payload {text},                      -- JSON: { method, path, query, headers, body }; body null: in data
  projected {text}                         -- JSON: data as transformed; null where nothing changed
) {by key};

create table event_minutes (
  project_id {text} not null,
  minute {int} not null,                   -- Unix minutes in which they were received
  status {text} not null,                  -- processed, dropped
  events {int} not null,
  primary key (project_id, minute, status)
) {by key};

-- One row for each fact by which decided events are found: status:…, type:…, channel:…, tag:…, rule:…, endpoint:…
create table event_facts (
  project_id {text} not null,
  fact {text} not null,
  event_id {text} not null,
  primary key (project_id, fact, event_id)
) {by key};

create table event_log (
  project_id {text} not null,
  position {int} not null,                 -- 1, 2, 3 … without gaps, in the order of commits
  event_id {text} not null,
  origin {text} not null,                  -- live, replay
  replay_id {text},
  primary key (project_id, position)
) {by key};
create index log_of_event on event_log (project_id, event_id);

-- The last decided events, with drops, in the order of commits: a ring; see stored/decided-batch.ts
create table decided_batches (
  project_id {text} not null,
  slot {int} not null,                     -- position modulo the size of the ring
  position {int} not null,                 -- 1, 2, 3 … without gaps
  event_ids {text} not null,               -- JSON array
  primary key (project_id, slot)
) {by key};

create table idempotency_keys (
  scope {text} not null,                   -- channel:<id>, or the name of a route and its project
  key {text} not null,
  digest {text} not null,                  -- of the request
  result {text} not null,                  -- the id of what the first request made
  expires_at {int} not null,
  primary key (scope, key)
) {by key};
create index idempotency_ends on idempotency_keys (expires_at);

-- The host's view of the library's deliveries, written in the same transactions.
create table deliveries (
  id {text} primary key,
  project_id {text} not null,
  event_id {text} not null,
  event_type {text} not null,
  endpoint_id {text} not null,
  origin {text} not null,
  state {text} not null,                   -- pending (also while it is attempted), delivered, failed
  attempts {int} not null,
  due_at {int},                            -- of the next attempt; null once it is finished
  failure {text},                          -- code of the last attempt, where that failed
  status_code {int},                       -- HTTP status of the last attempt
  dead {int} not null,                     -- 1 while it is a dead letter
  redelivery_id {text},                    -- of the bulk redelivery that made it
  created_at {int} not null,
  finished_at {int}
);
create index deliveries_of_project on deliveries (project_id, state, origin, created_at, id);
create index deliveries_of_endpoint on deliveries (endpoint_id, state, origin, created_at, id);
create index deliveries_of_event on deliveries (event_id, created_at, id);
create index deliveries_due on deliveries (due_at) where finished_at is null;
create index deliveries_of_redelivery on deliveries (redelivery_id, state, created_at, id)
  where redelivery_id is not null;
create index deliveries_of_redelivery_to_endpoint on deliveries (redelivery_id, endpoint_id, state, created_at, id)
  where redelivery_id is not null;
-- Dead letters are rare, so an index for each way to look for them costs little.
create index dead_letters on deliveries (project_id, finished_at, id) where dead = 1;
create index dead_letters_of_endpoint on deliveries (endpoint_id, finished_at, id) where dead = 1;
create index dead_letters_of_failure on deliveries (project_id, failure, finished_at, id) where dead = 1;
create index dead_letters_of_type on deliveries (project_id, event_type, finished_at, id) where dead = 1;

create table attempts (
  delivery_id {text} not null,
  number {int} not null,
  url {text},                              -- that was used; its query is left out
  started_at {int} not null,
  ended_at {int} not null,
  ok {int} not null,
  failure {text},
  status_code {int},
  detail {text},
  primary key (delivery_id, number)
) {by key};

create table endpoint_minutes (
  endpoint_id {text} not null,
  minute {int} not null,                   -- Unix minutes
  code {text} not null,                    -- ok, or the failure's code
  attempts {int} not null,
  duration_ms {int} not null,              -- of all of them
  slowest_ms {int} not null,
  ms_25 {int} not null default 0,          -- attempts that took at most 25 ms, and so on; see statistics/latency.ts
  ms_50 {int} not null default 0,
  ms_100 {int} not null default 0,
  ms_250 {int} not null default 0,
  ms_500 {int} not null default 0,
  ms_1000 {int} not null default 0,
  ms_2500 {int} not null default 0,
  ms_5000 {int} not null default 0,
  primary key (endpoint_id, minute, code)
) {by key};
create index endpoint_minutes_ends on endpoint_minutes (minute);

create table replays (
  id {text} primary key,
  project_id {text} not null,
  event_id {text} not null,
  rules {text} not null,                   -- recorded, again
  rules_version {int},
  decision {text} not null,                -- JSON, as events.decision with outcome and tags
  projected {text},
  created_at {int} not null,
  created_by {text} not null
);
create index replays_of_event on replays (event_id, id);

create table redeliveries (
  id {text} primary key,
  project_id {text} not null,
  filter {text} not null,                  -- JSON
  state {text} not null,                   -- running, stopped, done
  total {int} not null,                    -- dead letters that met the filter when it began
  redelivered {int} not null,
  cursor {text} not null,                  -- JSON: where the last batch ended; the next one names it, so none runs twice
  lease_until {int} not null,              -- until then a process is at it
  created_at {int} not null,
  created_by {text} not null,
  ended_at {int}
);
create index redeliveries_of_project on redeliveries (project_id, id);
create index redeliveries_running on redeliveries (lease_until) where ended_at is null;
create index redeliveries_ended on redeliveries (ended_at) where ended_at is not null;

-- What one process at a time does for all; see retention.
create table leases (
  name {text} primary key,
  holder {text} not null,
  until {int} not null
) {by key};

create table clients (
  project_id {text} not null,
  name {text} not null,
  position {int} not null,                 -- acknowledged up to here
  connection {text},                       -- of the connection that holds the place; null while none does
  connected_at {int},
  seen_at {int} not null,                  -- of the last acknowledgement, connect or heart-beat
  created_at {int} not null,
  primary key (project_id, name)
) {by key};

create table replies (
  id {text} primary key,
  project_id {text} not null,
  event_id {text} not null,
  client {text} not null,                  -- its name; empty where it has none
  reply_id {text} not null,                -- the client's
  payload {text} not null,                 -- JSON
  received_at {int} not null,
  unique (project_id, event_id, client, reply_id)
);
create index replies_of_event on replies (event_id, id);

create table api_keys (
  id {text} primary key,
  project_id {text} not null,
  name {text} not null,
  hash {text} not null unique,
  last_four {text} not null,
  scopes {text} not null,                  -- JSON array
  created_at {int} not null,
  created_by {text} not null,
  last_used_at {int},
  revoked_at {int}
);
create index keys_of_project on api_keys (project_id, id);

create table sessions (
  hash {text} primary key,                 -- of the cookie's token
  key_id {text},                           -- null: signed in by a one-time link
  project_id {text} not null,
  scopes {text} not null,
  created_at {int} not null,
  expires_at {int} not null
) {by key};
create index sessions_of_key on sessions (key_id);
create index sessions_of_project on sessions (project_id);
create table sign_in_links (
  hash {text} primary key,
  project_id {text} not null,
  expires_at {int} not null,
  used_at {int}
) {by key};

create table audit_log (
  id {text} primary key,
  project_id {text} not null,
  at {int} not null,
  actor {text} not null,                   -- key:<id>, session:<key id or link>, admin, service
  action {text} not null,                  -- such as rule.updated
  resource {text} not null,                -- such as rule:<id>
  before {text},                           -- JSON, without secrets
  after {text}
);
create index audit_of_project on audit_log (project_id, id);
create index audit_of_actor on audit_log (project_id, actor, id);
create index audit_of_action on audit_log (project_id, action, id);
create index audit_of_resource on audit_log (project_id, resource, id);
create index audit_ends on audit_log (at);
`;
