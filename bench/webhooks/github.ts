/** The webhooks that GitHub publishes as examples, and the values that stand in them. */
import { createRequire } from 'node:module';

interface Published {
  readonly examples: readonly object[];
}

export type Scalar = string | number | boolean | null;

/** A value of a payload, and the path that rules name it by. */
export interface Fact {
  readonly path: string;
  readonly value: Scalar;
}

export interface Payload {
  /** The event as JSON; the payload is its `data.body`. */
  readonly text: string;
  /** All of its values but links and identifiers that only machines read. */
  readonly facts: readonly Fact[];
  /** Types that people write rules about. */
  readonly named: readonly Fact[];
  /** Facts about elements of arrays, by paths with stars. */
  readonly elements: readonly Fact[];
}

/** The paths that people write rules about: who, where, what, in which state, on which branch, with which text. */
const NAMED = new Set(
  [
    'action ref ref_type before after commit.sha state sender.login sender.type sender.id pusher.name member.login',
    'repository.id repository.name repository.full_name repository.owner.login repository.private repository.size',
    'repository.language repository.default_branch repository.description repository.pushed_at repository.created_at',
    'organization.login organization.id organization.description installation.id team.slug hook.id package.name',
    'issue.number issue.title issue.state issue.user.login issue.body label.name milestone.title milestone.number',
    'pull_request.number pull_request.title pull_request.state pull_request.draft pull_request.additions',
    'pull_request.head.ref pull_request.head.sha pull_request.base.ref pull_request.user.login',
    'comment.body comment.user.login discussion.title discussion.number release.tag_name release.name',
    'deployment.environment deployment_status.state check_run.name check_run.conclusion check_run.head_sha',
    'check_suite.head_branch check_suite.conclusion workflow_run.name workflow_run.conclusion workflow_run.head_branch',
    'workflow_job.name alert.number alert.state head_commit.message',
    // Elements of arrays.
    'commits.*.message commits.*.author.username commits.*.added.* commits.*.modified.* commits.*.removed.*',
    'issue.labels.*.name issue.assignees.*.login pull_request.labels.*.name pull_request.assignees.*.login',
    'pull_request.requested_reviewers.*.login check_run.pull_requests.*.head.ref workflow_job.steps.*.name',
    'repositories.*.full_name branches.*.name pages.*.title hook.events.* installation.events.*',
  ]
    .flatMap((line) => line.split(' '))
    .map((path) => `data.body.${path}`),
);

const UNNAMED = /(?:^|[._])(?:url|node_id|gravatar_id)$/;

function factsOf(value: unknown, path: string): Fact[] {
  if (value === null || typeof value !== 'object') {
    return UNNAMED.test(path) ? [] : [{ path, value: value as Scalar }];
  }
  return Object.entries(value).flatMap(([key, member]) => factsOf(member, `${path}.${key}`));
}

/** The path of the same value in any element. */
const starred = ({ path, value }: Fact): Fact => ({ path: path.replace(/\.\d+(?=\.|$)/g, '.*'), value });

const isElement = ({ path }: Fact): boolean => path.includes('*');

interface Corpus {
  readonly payloads: readonly Payload[];
  /** How many payloads have a value at the path of which this is true. */
  readonly countOf: (path: string, holds: (value: Scalar) => boolean) => number;
}

let made: Corpus | undefined;

/** Every payload; 3 MB that are read when they are first asked for, since most benches do without. */
export const corpus = (): Corpus => (made ??= readCorpus());

function readCorpus(): Corpus {
  const published = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Published[];
  const payloads = published.flatMap(({ examples }) => examples).map(payloadOf);
  const valuesAt = new Map<string, Scalar[]>();
  for (const { path, value } of payloads.flatMap(({ facts, elements }) => [...facts, ...elements])) {
    const values = valuesAt.get(path);
    if (values === undefined) valuesAt.set(path, [value]);
    else values.push(value);
  }
  return { payloads, countOf: (path, holds) => (valuesAt.get(path) ?? []).filter(holds).length };
}

function payloadOf(body: object, nth: number): Payload {
  const id = `evt_${String(nth).padStart(6, '0')}`;
  const facts = factsOf(body, 'data.body');
  return {
    text: JSON.stringify({ id, type: 'webhook.received', data: { body } }),
    facts,
    named: facts.filter(({ path }) => NAMED.has(path)),
    elements: facts.map(starred).filter((fact) => isElement(fact) && NAMED.has(fact.path)),
  };
}
