/**
 * The rules of docs/cookbook.md, each with a payload that it matches, its outcome there, and a payload that it leaves
 * alone.
 */
import type { Json, RuleDocument } from '../../../src/index.js';
import type { Payload } from './payloads.js';

/** A value that a transform changes. */
export type Change = readonly [path: string, before: Json, after: Json];

/** The effect of a rule on an event. */
export type Outcome =
  | { readonly dropped: true }
  | { readonly tags: readonly string[] }
  | { readonly endpoints: readonly string[] }
  | { readonly changes: readonly Change[] };

/** One rule of the page. */
export interface Recipe {
  readonly rule: RuleDocument;
  readonly on: Payload;
  readonly gives: Outcome;
  /** A payload, as like the first as there is, which the rule does not match. */
  readonly not: Payload;
}

const DEPLOY = '3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10';
const SECURITY = '8a1d6c52-0b3e-4f7a-8c25-6e9f1b7d4a03';
const FINANCE = 'c4e7a9b0-2d18-4b6f-9f3c-5a7e0d1c8b62';
const TEAM = '5d2f8e31-7c4a-4e9b-a6d0-1b8c3f9e7a54';

type Written = Pick<RuleDocument, 'match' | 'action'> & Omit<Recipe, 'rule'> & { readonly purpose: string };

/** @param name - The rule's name, and the heading on the page. */
function recipe(name: string, { purpose, match, action, ...rest }: Written): Recipe {
  return { rule: { name, description: purpose, stage: 'deliver', match, action, priority: 100 }, ...rest };
}

const dropped: Outcome = { dropped: true };

/** Chapters of the page, in order. */
export const chapters: Readonly<Record<string, readonly Recipe[]>> = {
  'Less noise': [
    recipe('Drop what bots do', {
      purpose: 'Dependency bots make more events than people.',
      match: { path: 'data.body.sender.login', op: 'ends_with', value: '[bot]' },
      action: { type: 'drop' },
      on: ['GitHub', 'workflow_job', 4],
      gives: dropped,
      not: ['GitHub', 'workflow_job', 3],
    }),
    recipe('Drop pings', {
      purpose: 'A provider sends one when a webhook is set up; nobody has to act on it.',
      match: {
        all: [
          { path: 'data.body.zen', op: 'exists' },
          { path: 'data.body.hook_id', op: 'exists' },
        ],
      },
      action: { type: 'drop' },
      on: ['GitHub', 'ping', 0],
      gives: dropped,
      not: ['GitHub', 'push', 4],
    }),
    recipe('Drop jobs that have not ended', {
      purpose: 'Of the four events that a CI job makes, the last has the result.',
      match: { path: 'data.body.workflow_job.status', op: 'in', value: ['queued', 'waiting', 'in_progress'] },
      action: { type: 'drop' },
      on: ['GitHub', 'workflow_job', 5],
      gives: dropped,
      not: ['GitHub', 'workflow_job', 1],
    }),
    recipe('Drop deleted branches', {
      purpose: 'A push that deletes a branch or a tag has no commits to build.',
      match: {
        all: [
          { path: 'data.body.ref', op: 'starts_with', value: 'refs/' },
          { path: 'data.body.deleted', op: 'eq', value: true },
        ],
      },
      action: { type: 'drop' },
      on: ['GitHub', 'push', 1],
      gives: dropped,
      not: ['GitHub', 'push', 4],
    }),
    recipe('Drop drafts', {
      purpose: 'Reviewers hear of a pull request once it is ready.',
      match: { path: 'data.body.pull_request.draft', op: 'eq', value: true },
      action: { type: 'drop' },
      on: ['GitHub', 'pull_request', 5],
      gives: dropped,
      not: ['GitHub', 'pull_request', 15],
    }),
    recipe('Drop test mode', {
      purpose: 'Payments that nobody made must not reach the books.',
      match: {
        all: [
          { path: 'data.body.object', op: 'eq', value: 'event' },
          { path: 'data.body.livemode', op: 'eq', value: false },
        ],
      },
      action: { type: 'drop' },
      on: ['Stripe', 'charge.succeeded', 0],
      gives: dropped,
      not: ['GitHub', 'marketplace_purchase', 0],
    }),
    recipe('Keep the types that are wanted', {
      purpose: 'A list of what is wanted needs no change when the provider adds a type.',
      match: {
        all: [
          { path: 'data.body.object', op: 'eq', value: 'event' },
          { path: 'data.body.type', op: 'not_in', value: ['charge.succeeded', 'charge.dispute.created'] },
        ],
      },
      action: { type: 'drop' },
      on: ['Stripe', 'plan.created', 0],
      gives: dropped,
      not: ['Stripe', 'charge.dispute.created', 0],
    }),
  ],
  'To whom it matters': [
    recipe('Pushes to the main branch deploy', {
      purpose: 'The endpoint that deploys gets pushes to the main branch, and no others get them.',
      match: {
        all: [
          { path: 'data.body.ref', op: 'in', value: ['refs/heads/main', 'refs/heads/master'] },
          { path: 'data.body.deleted', op: 'eq', value: false },
        ],
      },
      action: { type: 'route_only', endpoint_ids: [DEPLOY] },
      on: ['GitHub', 'push', 4],
      gives: { endpoints: [DEPLOY] },
      not: ['GitHub', 'push', 0],
    }),
    recipe('Disputes go to finance', {
      purpose: 'A dispute has a deadline, and its own people.',
      match: { path: 'data.body.type', op: 'starts_with', value: 'charge.dispute.' },
      action: { type: 'route_only', endpoint_ids: [FINANCE] },
      on: ['Stripe', 'charge.dispute.created', 0],
      gives: { endpoints: [FINANCE] },
      not: ['Stripe', 'charge.succeeded', 0],
    }),
    recipe('Advisories of packages in use go to security', {
      purpose: 'Of all advisories, the ones about packages that you have.',
      match: {
        all: [
          { path: 'data.body.security_advisory.withdrawn_at', op: 'eq', value: null },
          {
            path: 'data.body.security_advisory.vulnerabilities.0.package.name',
            op: 'in',
            value: ['django', 'rails', 'undici'],
          },
        ],
      },
      action: { type: 'route_only', endpoint_ids: [SECURITY] },
      on: ['GitHub', 'security_advisory', 0],
      gives: { endpoints: [SECURITY] },
      not: ['GitHub', 'security_advisory', 3],
    }),
    recipe('One organization goes to its team', {
      purpose: 'A prefix of the full name picks all repositories of an owner.',
      match: { path: 'data.body.repository.full_name', op: 'starts_with', value: 'Octocoders/' },
      action: { type: 'route_only', endpoint_ids: [TEAM] },
      on: ['GitHub', 'team_add', 0],
      gives: { endpoints: [TEAM] },
      not: ['GitHub', 'issues', 0],
    }),
    recipe('Changed access goes to two', {
      purpose:
        'Routes of several rules add up: where another one matches too, the endpoints of both get the event.',
      match: {
        all: [
          { path: 'data.body.member.login', op: 'exists' },
          { path: 'data.body.action', op: 'in', value: ['added', 'removed', 'edited'] },
        ],
      },
      action: { type: 'route_only', endpoint_ids: [SECURITY, TEAM] },
      on: ['GitHub', 'member', 3],
      gives: { endpoints: [SECURITY, TEAM] },
      not: ['GitHub', 'organization', 0],
    }),
  ],
  'Found again': [
    recipe('Tag failed CI', {
      purpose: 'One tag for the three shapes in which a failure comes.',
      match: {
        any: [
          { path: 'data.body.check_run.conclusion', op: 'in', value: ['failure', 'timed_out'] },
          { path: 'data.body.workflow_job.conclusion', op: 'in', value: ['failure', 'timed_out'] },
          { path: 'data.body.workflow_run.conclusion', op: 'in', value: ['failure', 'timed_out'] },
        ],
      },
      action: { type: 'tag', tags: ['ci-failure'] },
      on: ['GitHub', 'check_run', 1],
      gives: { tags: ['ci-failure'] },
      not: ['GitHub', 'check_run', 2],
    }),
    recipe('Tag new bugs', {
      purpose: 'The label of the moment; `labels` lists all that the issue has.',
      match: {
        all: [
          { path: 'data.body.action', op: 'eq', value: 'labeled' },
          { path: 'data.body.label.name', op: 'eq', value: 'bug' },
        ],
      },
      action: { type: 'tag', tags: ['bug', 'triage'] },
      on: ['GitHub', 'issues', 9],
      gives: { tags: ['bug', 'triage'] },
      not: ['GitHub', 'issues', 24],
    }),
    recipe('Tag pull requests that were declined', {
      purpose: 'Closed and merged are one action with a flag.',
      match: {
        all: [
          { path: 'data.body.action', op: 'eq', value: 'closed' },
          { path: 'data.body.pull_request.merged', op: 'eq', value: false },
        ],
      },
      action: { type: 'tag', tags: ['declined'] },
      on: ['GitHub', 'pull_request', 3],
      gives: { tags: ['declined'] },
      not: ['GitHub', 'pull_request', 0],
    }),
    recipe('Tag severe alerts', {
      purpose: 'A number against a bound; 5.3 is below it.',
      match: { path: 'data.body.alert.security_advisory.cvss.score', op: 'gte', value: 5.5 },
      action: { type: 'tag', tags: ['severe'] },
      on: ['GitHub', 'dependabot_alert', 0],
      gives: { tags: ['severe'] },
      not: ['GitHub', 'dependabot_alert', 1],
    }),
    recipe('Tag what became public', {
      purpose: 'Source that was private is not.',
      match: { path: 'data.body.action', op: 'eq', value: 'publicized' },
      action: { type: 'tag', tags: ['audit', 'urgent'] },
      on: ['GitHub', 'repository', 0],
      gives: { tags: ['audit', 'urgent'] },
      not: ['GitHub', 'repository', 5],
    }),
    recipe('Tag protection that was removed', {
      purpose: 'Anybody with write access may now force-push.',
      match: {
        all: [
          { path: 'data.body.action', op: 'eq', value: 'deleted' },
          { path: 'data.body.rule.required_status_checks_enforcement_level', op: 'exists' },
        ],
      },
      action: { type: 'tag', tags: ['audit'] },
      on: ['GitHub', 'branch_protection_rule', 3],
      gives: { tags: ['audit'] },
      not: ['GitHub', 'branch_protection_rule', 1],
    }),
    recipe('Tag comments in a hurry', {
      purpose: 'A pattern finds words in any case; `\\b` keeps out words that contain them.',
      match: { path: 'data.body.comment.body', op: 'matches', value: '(?i)\\b(?:urgent|asap|right away)\\b' },
      action: { type: 'tag', tags: ['urgent'] },
      on: ['GitHub', 'issue_comment', 0],
      gives: { tags: ['urgent'] },
      not: ['GitHub', 'issue_comment', 5],
    }),
    recipe('Tag jobs on machines of your own', {
      purpose: '`contains` looks for a member of an array.',
      match: { path: 'data.body.workflow_job.labels', op: 'contains', value: 'self-hosted' },
      action: { type: 'tag', tags: ['self-hosted'] },
      on: ['GitHub', 'workflow_job', 6],
      gives: { tags: ['self-hosted'] },
      not: ['GitHub', 'workflow_job', 1],
    }),
    recipe('Tag versions that tools cannot read', {
      purpose: 'A negated pattern is false if the path is absent, so other events stay untagged.',
      match: { path: 'data.body.release.tag_name', op: 'not_matches', value: '^v\\d+\\.\\d+\\.\\d+$' },
      action: { type: 'tag', tags: ['odd-version'] },
      on: ['GitHub', 'release', 0],
      gives: { tags: ['odd-version'] },
      not: ['GitHub', 'push', 0],
    }),
    recipe('Tag fraud warnings', {
      purpose: 'A refund within hours spares a dispute.',
      match: {
        all: [
          { path: 'data.body.type', op: 'eq', value: 'radar.early_fraud_warning.created' },
          { path: 'data.body.data.object.actionable', op: 'eq', value: true },
        ],
      },
      action: { type: 'tag', tags: ['urgent', 'fraud'] },
      on: ['Stripe', 'radar.early_fraud_warning.created', 0],
      gives: { tags: ['urgent', 'fraud'] },
      not: ['Stripe', 'charge.succeeded', 0],
    }),
  ],
  'Nothing that should not leave': [
    recipe('Hide addresses of authors', {
      purpose: '`deep` redacts every string below a path, so that no field is forgotten.',
      match: { path: 'data.body.commits', op: 'exists' },
      action: {
        type: 'transform',
        ops: [
          {
            op: 'redact',
            path: 'data.body.commits',
            regex: '[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+',
            replace: '(an address)',
            deep: true,
          },
        ],
      },
      on: ['GitHub', 'push', 4],
      gives: {
        changes: [
          [
            'data.body.commits.0.author.email',
            '21031067+Codertocat@users.noreply.github.com',
            '(an address)',
          ],
          [
            'data.body.commits.0.committer.email',
            '21031067+Codertocat@users.noreply.github.com',
            '(an address)',
          ],
        ],
      },
      not: ['GitHub', 'commit_comment', 0],
    }),
    recipe('Hide a client secret', {
      purpose: '`set` replaces a value that exists, and creates nothing if there is none.',
      match: { path: 'data.body.type', op: 'starts_with', value: 'payment_intent.' },
      action: {
        type: 'transform',
        ops: [{ op: 'set', path: 'data.body.data.object.client_secret', value: null }],
      },
      on: ['Stripe', 'payment_intent.succeeded', 0],
      gives: {
        changes: [
          [
            'data.body.data.object.client_secret',
            'pi_1PgafyB7WZ01zgkWSjxsAJo3_secret_Dm43xiq1k0ywrRRjDoi8y1gkM',
            null,
          ],
        ],
      },
      not: ['Stripe', 'charge.succeeded', 0],
    }),
    recipe('One spelling of names and currencies', {
      purpose:
        'Receivers compare bytes. An op whose path is absent is skipped, so one rule serves both providers.',
      match: {
        any: [
          { path: 'data.body.sender.login', op: 'exists' },
          { path: 'data.body.object', op: 'eq', value: 'event' },
        ],
      },
      action: {
        type: 'transform',
        ops: [
          { op: 'lowercase', path: 'data.body.sender.login' },
          { op: 'uppercase', path: 'data.body.data.object.currency' },
        ],
      },
      on: ['Stripe', 'charge.succeeded', 0],
      gives: { changes: [['data.body.data.object.currency', 'usd', 'USD']] },
      not: ['GitHub', 'security_advisory', 0],
    }),
  ],
};

export const recipes: readonly Recipe[] = Object.values(chapters).flat();
