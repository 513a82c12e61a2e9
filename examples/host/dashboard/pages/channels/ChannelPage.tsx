/**
 * A channel: where its events come in, how they are verified, and with which secrets they are signed on their way out.
 */
import { useLocation, useRoute } from 'preact-iso/router';
import { api, currentProject, mayManage, useResource } from '../../data/index.js';
import { Card } from '../../parts/Card.js';
import { SampleForm } from '../../parts/samples/SampleForm.js';
import { useAgain } from '../../parts/use-again.js';
import { Loaded } from '../../parts/Loaded.js';
import { Secrets } from '../../parts/secrets/Secrets.js';
import { Button, Notice, Page, SkeletonRows, Time } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import { Address } from './Address.js';
import type { ChannelProps } from './channel.js';
import { ChannelSettings } from './ChannelSettings.js';
import './channels.css';
import { Publishing } from './Publishing.js';
import { SourceSettings } from './SourceSettings.js';

const BACK = { href: '/dashboard/channels', text: 'Channels' };
const REFRESH_MS = 10_000;

export default function ChannelPage() {
  const { channel: id = '' } = useRoute().params;
  const project = currentProject();
  const resource = useResource(`channel ${project} ${id}`, (signal) =>
    api.getChannel({ project, channel: id, signal }),
  );
  useAgain(resource.reload, REFRESH_MS);
  const channel = resource.value;
  return (
    <Page
      title={channel?.name ?? 'Channel'}
      heading={channel && <bdi>{visible(channel.name)}</bdi>}
      back={BACK}
      actions={
        channel !== undefined && (
          <Button href={`/dashboard/events?channel=${channel.id}`}>Show its events</Button>
        )
      }
    >
      <Loaded of={resource} skeleton={<SkeletonRows rows={8} height={56} />}>
        {(value) => <Shown key={id} channel={value} onChange={resource.set} />}
      </Loaded>
    </Page>
  );
}

function Shown({ channel, onChange }: ChannelProps) {
  const { route } = useLocation();
  const isApi = channel.type === 'api';
  return (
    <div class="hg-channel">
      <Rejections channel={channel} />
      {isApi ? <Publishing channel={channel} /> : <Address channel={channel} onChange={onChange} />}
      {mayManage() && (
        <Card title="Send a sample">
          <p class="hg-soft">
            It comes in as if its sender had sent it, without a signature or a key, and has the tag{' '}
            <code>sample</code>. Rules and endpoints treat it like any other event.
          </p>
          <SampleForm channel={channel} />
        </Card>
      )}
      <ChannelSecrets channel={channel} />
      {!isApi && <SourceSettings channel={channel} onChange={onChange} />}
      {mayManage() && (
        <ChannelSettings
          channel={channel}
          onChange={onChange}
          onGone={() => route('/dashboard/channels', true)}
        />
      )}
    </div>
  );
}

function ChannelSecrets({ channel: { id } }: Pick<ChannelProps, 'channel'>) {
  const about = { project: currentProject(), channel: id };
  return (
    <Secrets
      resource={`channel:${id}`}
      reveal={() => api.revealSecrets(about)}
      rotate={(hours) => api.rotateSecret({ ...about, body: { keep_hours: hours } })}
      remove={(secret) => api.removeSecret({ ...about, secret })}
    >
      Each delivery of an event of this channel is signed with them, so that its receiver can tell that it is
      genuine. Every channel has its own secrets; an endpoint may have its own instead.
    </Secrets>
  );
}

/** That requests were not genuine, which their sender is told, and nobody else. */
const Rejections = ({ channel: { rejected, rejected_at: at, source } }: Pick<ChannelProps, 'channel'>) =>
  rejected === 0 || at === null ? null : (
    <Notice tone="warn">
      {counted(rejected, 'request')} {rejected === 1 ? 'was' : 'were'} rejected, the last one <Time at={at} />
      .{' '}
      {source.name === 'none'
        ? 'They came when a source was still verified, or without the key that is asked for.'
        : 'They were not signed with the secrets below: compare those with the sender’s. Somebody who found the address may have sent them, too.'}
    </Notice>
  );
