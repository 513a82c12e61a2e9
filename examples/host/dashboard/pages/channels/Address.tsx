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
        <>
          <Code label="URL of the channel" text={url} wrap />
          <details class="hg-channel__try">
            <summary>Try it with curl</summary>
            <Code label="curl command" text={curlOf(url, channel.requires_key)} />
            {channel.source.name !== 'none' && (
              <p class="hg-soft hg-small">
                It is answered with 401, since it is not signed by the source. Choose the source None to try
                it.
              </p>
            )}
          </details>
        </>
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

const curlOf = (url: string, requiresKey: boolean): string =>
  [
    `curl ${url}`,
    ...(requiresKey ? [`-H 'authorization: Bearer <a key of this project>'`] : []),
    `-H 'content-type: application/json'`,
    `-d '{"kind": "order.created", "amount": 120}'`,
  ].join(' \\\n  ');
