/** The built-in receivers: people come here to find one again, or to delete it. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, type Output, useResource } from '../../data/index.js';
import { AskFirst } from '../../parts/AskFirst.js';
import { type Column, IconButton, Link, Section, Table, Time, toast } from '../../ui/index.js';
import { count } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';

type Receiver = Output<'getReceiver'>;

const MOST = 200;

const COLUMNS: readonly Column<Receiver>[] = [
  {
    id: 'name',
    head: 'Receiver',
    title: true,
    cell: ({ id, name }) => (
      <Link href={`/dashboard/receivers/${id}`} plain>
        <bdi>{visible(name)}</bdi>
      </Link>
    ),
  },
  { id: 'answers', head: 'Answers with', cell: ({ status_code: status }) => status },
  { id: 'arrived', head: 'Arrived', end: true, cell: ({ arrived }) => count(arrived) },
  {
    id: 'last',
    head: 'Last',
    end: true,
    cell: ({ arrived_at: at }) => (at === null ? <span class="hg-soft">–</span> : <Time at={at} />),
  },
];

const removal = (onRemove: (receiver: Receiver) => void): Column<Receiver> => ({
  id: 'delete',
  head: '',
  end: true,
  cell: (one) => (
    <IconButton
      size="s"
      icon="trash"
      label={`Delete the receiver ${one.name}`}
      onClick={() => onRemove(one)}
    />
  ),
});

export function Receivers() {
  const project = currentProject();
  const list = useResource(`receivers ${project}`, (signal) =>
    api.listReceivers({ project, query: { limit: MOST }, signal }),
  );
  const [leaving, setLeaving] = useState<Receiver | null>(null);
  const items = list.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <div class="hg-endpoints">
      <Section title="Built-in receivers">
        <Table
          caption="Built-in receivers"
          columns={mayManage() ? [...COLUMNS, removal(setLeaving)] : COLUMNS}
          rows={items}
          rowKey={({ id }) => id}
        />
        {leaving !== null && (
          <DeleteReceiver receiver={leaving} onClose={() => setLeaving(null)} onDone={list.reload} />
        )}
      </Section>
    </div>
  );
}

interface DeleteReceiverProps {
  readonly receiver: Receiver;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const DeleteReceiver = ({ receiver, onClose, onDone }: DeleteReceiverProps) => (
  <AskFirst
    title="Delete this receiver?"
    verb="Delete receiver"
    danger
    onClose={onClose}
    onDo={async () => {
      await api.deleteReceiver({ project: currentProject(), receiver: receiver.id });
      toast('Receiver deleted');
      onDone();
    }}
  >
    <p>
      What <bdi>{visible(receiver.name)}</bdi> has kept is deleted, too, and its URL is not found from then
      on. An endpoint that sends to it stays, and its deliveries fail with 404.
    </p>
  </AskFirst>
);
