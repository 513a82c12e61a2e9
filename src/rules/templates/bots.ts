/** Drops events that automated accounts cause on code hosts. */
import type { Match, RuleDocument } from '../rule.js';

/** GitHub marks apps as `Bot` and ends their names with `[bot]`; Gitea and Forgejo run their actions under one name. */
const gitHubOrGitea: readonly Match[] = [
  { path: 'data.body.sender.type', op: 'eq', value: 'Bot' },
  { path: 'data.body.sender.login', op: 'ends_with', value: '[bot]' },
  { path: 'data.body.pusher.name', op: 'ends_with', value: '[bot]' },
  { path: 'data.body.sender.login', op: 'in', value: ['gitea-actions', 'forgejo-actions'] },
];

/** How GitLab names the accounts of project and group access tokens, and service accounts. */
const GITLAB_BOT = '^(?:(?:project|group)_\\d+_bot_?\\w*|service_account_(?:(?:group|project)_\\d+_)?\\w+)$';

/** Hooks of a push or a tag have the user's names at the top, all others in `user`. */
const gitLab: readonly Match[] = [
  { path: 'data.body.user.username', op: 'matches', value: GITLAB_BOT },
  { path: 'data.body.user_username', op: 'matches', value: GITLAB_BOT },
];

/**
 * In Bitbucket Cloud apps and access tokens are an `app_user`; Data Center, whose hooks have an `eventKey`, has service
 * users.
 */
const bitbucket: readonly Match[] = [
  { path: 'data.body.actor.type', op: 'eq', value: 'app_user' },
  {
    all: [
      { path: 'data.body.actor.type', op: 'eq', value: 'SERVICE' },
      { path: 'data.body.eventKey', op: 'exists' },
    ],
  },
];

/** The starter rule `drop_code_hosting_bots`. */
export const dropCodeHostingBots: RuleDocument = {
  name: 'Drop code-hosting bots',
  description: 'Events that an automated account caused on GitHub, GitLab, Bitbucket, Gitea or Forgejo.',
  stage: 'deliver',
  match: { any: [...gitHubOrGitea, ...gitLab, ...bitbucket] },
  action: { type: 'drop' },
  priority: 100,
};
