/** A built-in receiver by itself. */
import { useRoute } from 'preact-iso/router';
import { api, currentProject, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { Copyable, Page, SkeletonRows } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import './endpoint.css';
import { ReceiverView } from './ReceiverView.js';

export default function ReceiverPage() {
  const { receiver: id = '' } = useRoute().params;
  const project = currentProject();
  const resource = useResource(`receiver ${project} ${id}`, (signal) =>
    api.getReceiver({ project, receiver: id, signal }),
  );
  const { value } = resource;
  return (
    <Page
      title={value?.name ?? 'Receiver'}
      heading={<bdi>{visible(value?.name ?? 'Receiver')}</bdi>}
      back={{ href: '/dashboard/endpoints', text: 'Endpoints' }}
      text={value !== undefined && <Copyable text={value.url} label="URL" />}
    >
      <Loaded of={resource} skeleton={<SkeletonRows rows={6} height={48} />}>
        {(receiver) => <ReceiverView receiver={receiver} onChange={resource.set} />}
      </Loaded>
    </Page>
  );
}
