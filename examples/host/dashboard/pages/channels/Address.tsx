/** The address at which events come in: copied, tried, renewed. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, versionOf } from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { Button, Code, toast } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import { Card } from '../../parts/Card.js';
import type { ChannelProps } from './channel.js';

export function Address({ channel, onChange }: ChannelProps) {
  const [isAsked, setAsked] = useState(false);
  const { url } = channel;
  return (
    <Card
      title="Address"
      actions={
        mayManage() && (
          <Button size="s" icon="replay" onClick={() => setAsked(true)}>
            Renew address
          </Button>
        )
      }
    >
      {url === null ? (
        <p class="hg-soft">
          Anyone who knows the address can send, so it is shown only to people who may manage the project.
        </p>
      ) : (
        <Code label="URL of the channel" text={url} wrap />
      )}
      {isAsked && (
        <AskFirst
          title="Renew the address?"
          verb="Renew address"
          danger
          onClose={() => setAsked(false)}
          onDo={async () => {
            const ifMatch = versionOf(channel) ?? channel.version;
            onChange(await api.renewAddress({ project: currentProject(), channel: channel.id, ifMatch }));
            toast('The channel has another address');
          }}
        >
          <p>
            The address of now is closed at once: what is sent to it is answered with 404, and is lost. Enter
            the new one at every sender of <bdi>{visible(channel.name)}</bdi>. Do this when somebody knows the
            address who should not.
          </p>
        </AskFirst>
      )}
    </Card>
  );
}
