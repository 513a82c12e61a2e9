/** The channels: addresses at which events come in, and how their requests are verified. */
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, type Output, useCommands } from '../../data/index.js';
import { useAgain } from '../../parts/use-again.js';
import { Loaded } from '../../parts/Loaded.js';
import { usePages } from '../../parts/use-pages.js';
import {
  Badge,
  Button,
  type Column,
  Copyable,
  Empty,
  Link,
  Page,
  Pager,
  SkeletonRows,
  Table,
  Time,
} from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import './channels.css';
import { NewChannel } from './NewChannel.js';
import { SOURCES } from './sources.js';

type Channel = Output<'getChannel'>;

/** For each page that is shown. */
const REFRESH_MS = 15_000;
const LIMIT = 50;

export default function ChannelsPage() {
  const project = currentProject();
  const { route } = useLocation();
  const [isNew, setNew] = useState(false);
  const list = usePages<Channel>(`channels ${project}`, (cursor, signal) =>
    api.listChannels({ project, query: { limit: LIMIT, cursor }, signal }),
  );
  useAgain(list.reload, REFRESH_MS * (list.value?.pages ?? 1));
  useCommands([{ text: 'Create a channel', keys: 'c', group: 'Channels', run: () => setNew(true) }]);
  const add = mayManage() && (
    <Button kind="primary" icon="plus" onClick={() => setNew(true)}>
      New channel
    </Button>
  );
  return (
    <Page
      title="Channels"
      text="Events come in by a channel: webhooks at its address, or events that you publish. Its secrets sign them on their way out."
      actions={add}
    >
      <Loaded of={list} skeleton={<SkeletonRows rows={5} height={41} />}>
        {({ items, next }) => (
          <div class="hg-channels">
            <Table caption="Channels" columns={COLUMNS} rows={items} rowKey={({ id }) => id} />
            <Pager
              hasMore={next !== null}
              busy={list.isBusy}
              onMore={list.more}
              text={next === null && counted(items.length, 'channel')}
            />
            {next === null && !items.some(isWebhook) && (
              <Empty
                icon="channels"
                title="No channels for webhooks yet"
                text="A channel for webhooks has an address. Enter it wherever a service asks for the URL of your webhooks, and its events come in here."
              >
                {add}
              </Empty>
            )}
          </div>
        )}
      </Loaded>
      {isNew && (
        <NewChannel
          isAnother={list.value?.items.some(isWebhook) === true}
          onClose={() => setNew(false)}
          onMade={(id) => route(`/dashboard/channels/${id}`)}
        />
      )}
    </Page>
  );
}

const isWebhook = ({ type }: Channel): boolean => type === 'webhook';

const UNVERIFIED = {
  text: 'Not verified',
  tone: 'warn',
  explains: 'Anyone who knows the address can send.',
} as const;
const BY_KEY = { text: 'By key', tone: 'good', explains: 'Requests need a key of this project.' } as const;

const COLUMNS: readonly Column<Channel>[] = [
  {
    id: 'name',
    head: 'Channel',
    title: true,
    cell: ({ id, name }) => (
      <Link href={`/dashboard/channels/${id}`} plain class="hg-channels__name">
        <bdi>{visible(name)}</bdi>
      </Link>
    ),
  },
  {
    id: 'address',
    head: 'Address',
    cell: ({ url, name, type }) =>
      type === 'api' ? (
        <span class="hg-soft">You publish events with the API</span>
      ) : url === null ? (
        <span class="hg-soft">Not shown to you</span>
      ) : (
        <span class="hg-channels__address">
          <Copyable text={url} label={`address of ${name}`} />
        </span>
      ),
  },
  { id: 'source', head: 'Verified', cell: Verified },
  { id: 'rejected', head: 'Rejected', end: true, cell: Rejected },
  { id: 'made', head: 'Created', end: true, cell: ({ created_at: at }) => <Time at={at} /> },
];

function Verified({ source, requires_key: requiresKey }: Channel) {
  if (source.name !== 'none') {
    return <Badge bare status={{ text: SOURCES[source.name].name, tone: 'good' }} />;
  }
  return <Badge bare status={requiresKey ? BY_KEY : UNVERIFIED} />;
}

function Rejected({ rejected, rejected_at: at }: Channel) {
  if (rejected === 0 || at === null) return <span class="hg-soft">–</span>;
  return (
    <span class="hg-tone-bad hg-channels__rejected">
      {count(rejected)}
      <span class="hg-soft hg-small">
        , last <Time at={at} />
      </span>
    </span>
  );
}
