/** Drops what automated accounts do on code hosts. */
import type { Match, RuleDocument } from '../rule.js';

/** How GitLab names the accounts of project and group access tokens, and of service accounts, unless renamed. */
const GITLAB_BOT =
  '^(?:(?:project|group)_\\d+_bot(?:_?[0-9a-z]+)?|service_account(?:_group_\\d+)?_[0-9a-z]+|(?:gitlab-bot|support-bot|alert-bot|ghost1?|renovate-bot|dependabot))$';

/** Hooks of GitLab say `object_kind`; those of a push or a tag have the names of their user at the top. */
const gitLab: Match = {
  all: [
    { path: 'data.body.object_kind', op: 'exists' },
    {
      any: [
        { path: 'data.body.user.username', op: 'matches', value: GITLAB_BOT },
        { path: 'data.body.user_username', op: 'matches', value: GITLAB_BOT },
      ],
    },
  ],
};

/** GitHub marks apps as `Bot`, and ends their names with `[bot]`; Gitea and Forgejo do the latter. */
const gitHub: Match = {
  any: [
    { path: 'data.body.sender.type', op: 'eq', value: 'Bot' },
    { path: 'data.body.sender.login', op: 'ends_with', value: '[bot]' },
    { path: 'data.body.pusher.name', op: 'ends_with', value: '[bot]' },
    { path: 'data.body.pusher.login', op: 'ends_with', value: '[bot]' },
  ],
};

/** Bitbucket Cloud calls the accounts of apps `app_user`; Bitbucket Server has a `SERVICE` type of user. */
const bitbucket: Match = {
  any: [
    { path: 'data.body.actor.type', op: 'in', value: ['app_user', 'SERVICE'] },
    {
      all: [
        { path: 'data.body.actor.kind', op: 'eq', value: 'repository_access_token' },
        { path: 'data.body.repository', op: 'exists' },
      ],
    },
  ],
};

/** The starter rule `drop_code_hosting_bots`. */
export const dropCodeHostingBots: RuleDocument = {
  name: 'Drop code-hosting bots',
  description: 'Events that an automated account caused on GitHub, GitLab, Bitbucket or Gitea.',
  stage: 'deliver',
  match: { any: [gitHub, gitLab, bitbucket] },
  action: { type: 'drop' },
  priority: 100,
};
