/** How events are published by a channel. */
import { currentProject } from '../../data/index.js';
import { Code } from '../../ui/index.js';
import { Card } from '../../parts/Card.js';
import { Fold } from '../../parts/Fold.js';
import type { ChannelProps } from './channel.js';

export const Publishing = ({ channel }: Pick<ChannelProps, 'channel'>) => (
  <Card title="Publish events">
    <p class="hg-soft">
      Send events with a key that has the scope <code>ingest</code>. Each goes through the rules, and then to
      every endpoint that is subscribed to its type.
    </p>
    <Code label="Publishing with TypeScript" text={typescript(channel.id)} />
    <Fold title="Publish with curl">
      <Code label="curl command" text={curl(channel.id)} />
    </Fold>
  </Card>
);

const typescript = (channel: string): string => `import { createPublisher } from 'headgate/publisher';

const publisher = createPublisher({
  url: '${location.origin}',
  project: '${currentProject()}',
  key: process.env.HEADGATE_KEY,
  channel: '${channel}',
});
await publisher.publish({ type: 'invoice.paid', data: { id: 'in_42', amount: 120 } });`;

const curl = (channel: string): string =>
  [
    `curl ${location.origin}/projects/${currentProject()}/events`,
    `-H "authorization: Bearer $HEADGATE_KEY"`,
    `-H 'content-type: application/json'`,
    `-d '{"type": "invoice.paid", "data": {"id": "in_42", "amount": 120}, "channel_id": "${channel}"}'`,
  ].join(' \\\n  ');
