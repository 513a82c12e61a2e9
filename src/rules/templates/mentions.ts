/** Tags chat messages that are addressed to everyone. */
import type { Leaf, Match, RuleDocument } from '../rule.js';

/** Slack writes `<!channel>`, with or without a label, wherever a text has markup. */
const SLACK = '<!(?:channel|everyone|here)(?:\\|[^>]*)?>';
const slackText = (path: string): Leaf => ({ path, op: 'matches', value: SLACK });

/** A broadcast in rich text. */
const slackBroadcasts = (path: string): readonly Leaf[] =>
  ['channel', 'everyone', 'here'].map((range) => ({
    path,
    op: 'contains',
    value: { type: 'broadcast', range },
  }));

/** A message of Slack: as text, in blocks, which may come without text, or in attachments. */
const slackMessage = (path: string): readonly Leaf[] => [
  slackText(`${path}.text`),
  slackText(`${path}.blocks.*.text.text`),
  ...slackBroadcasts(`${path}.blocks.*.elements.*.elements`),
  slackText(`${path}.attachments.*.text`),
  slackText(`${path}.attachments.*.pretext`),
];

/** In an event a message is at `event`, an edited one at `event.message`; a plain webhook is a message itself. */
const slack: readonly Leaf[] = ['data.body.event', 'data.body.event.message', 'data.body'].flatMap(
  slackMessage,
);

/** A message of Discord has a flag for it, in a webhook and in an event of the gateway. */
const discord: readonly Leaf[] = ['data.body', 'data.body.d'].map((path) => ({
  path: `${path}.mention_everyone`,
  op: 'eq',
  value: true,
}));

const TEAMS_EVERYONE = '(?i)<at[^>]*>everyone</at>';

/**
 * Teams: a mention of a channel has the channel's id, which begins with `19:`, or in Graph the type of the
 * conversation.
 */
const teams: readonly Match[] = [
  {
    all: [
      { path: 'data.body.channelId', op: 'eq', value: 'msteams' },
      {
        any: [
          { path: 'data.body.text', op: 'matches', value: TEAMS_EVERYONE },
          { path: 'data.body.entities.*.mentioned.id', op: 'starts_with', value: '19:' },
        ],
      },
    ],
  },
  { path: 'data.body.body.content', op: 'matches', value: TEAMS_EVERYONE },
  {
    path: 'data.body.mentions.*.mentioned.conversation.conversationIdentityType',
    op: 'in',
    value: ['channel', 'team', 'chat'],
  },
];

/** Outgoing webhooks of Mattermost and Rocket.Chat have the words as they were typed, which elsewhere mean nothing. */
const mattermost: Match = {
  all: [
    { path: 'data.body.channel_name', op: 'exists' },
    {
      any: [
        { path: 'data.body.post_id', op: 'exists' },
        { path: 'data.body.message_id', op: 'exists' },
      ],
    },
    { path: 'data.body.text', op: 'matches', value: '(?i)(?:^|[^\\w@.-])@(?:all|channel|here)(?:[^\\w-]|$)' },
  ],
};

const googleChat: Leaf = {
  path: 'data.body.message.annotations.*.userMention.user.name',
  op: 'eq',
  value: 'users/all',
};

/** The starter rule `tag_mentions_of_everyone`. */
export const tagMentionsOfEveryone: RuleDocument = {
  name: 'Tag mentions of everyone',
  description:
    'Chat messages addressed to everyone on Slack, Discord, Teams, Mattermost, Rocket.Chat or Google Chat.',
  stage: 'deliver',
  match: { any: [...slack, ...discord, ...teams, mattermost, googleChat] },
  action: { type: 'tag', tags: ['urgent'] },
  priority: 100,
};
