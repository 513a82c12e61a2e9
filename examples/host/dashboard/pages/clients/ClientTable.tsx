/** The clients of a project, one a row. */
import { mayManage, type Output } from '../../data/index.js';
import { Badge, Button, type Column, Table, Time } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';

export type Client = Output<'listClients'>['items'][number];

export interface ClientTableProps {
  readonly items: readonly Client[];
  readonly onForget: (client: Client) => void;
}

const CONNECTED = {
  text: 'Connected',
  tone: 'good',
  explains: 'A process with this name is connected.',
} as const;
const AWAY = {
  text: 'Away',
  tone: 'quiet',
  explains: 'It goes on from its cursor when it connects again.',
} as const;

export function ClientTable({ items, onForget }: ClientTableProps) {
  const columns: readonly Column<Client>[] = [
    {
      id: 'name',
      head: 'Name',
      title: true,
      cell: ({ name }) => <strong class="hg-clients__name">{name}</strong>,
    },
    {
      id: 'state',
      head: 'State',
      cell: ({ connected }) => <Badge bare status={connected ? CONNECTED : AWAY} />,
    },
    { id: 'since', head: 'Connected or seen', cell: (client) => <Since client={client} /> },
    { id: 'cursor', head: 'Cursor in the log', end: true, cell: (client) => <Cursor client={client} /> },
    { id: 'behind', head: 'Behind', end: true, cell: (client) => <Behind client={client} /> },
    {
      id: 'actions',
      head: '',
      end: true,
      cell: (client) =>
        mayManage() && (
          <Button size="s" kind="quiet" label={`Forget ${client.name}`} onClick={() => onForget(client)}>
            Forget
          </Button>
        ),
    },
  ];
  return (
    <div class="hg-clients__table">
      <Table caption="SDK clients by name" columns={columns} rows={items} rowKey={({ name }) => name} />
    </div>
  );
}

const Since = ({ client: { connected_at: at, seen_at: seen } }: { readonly client: Client }) => (
  <span class="hg-soft">
    {at === null ? 'seen ' : 'since '}
    <Time at={at ?? seen} />
  </span>
);

const Cursor = ({ client: { position, head } }: { readonly client: Client }) => (
  <span>
    {count(position)} <span class="hg-soft">of {count(head)}</span>
  </span>
);

/** In events, and how long the oldest of them has waited. */
const Behind = ({ client: { behind, behind_since: since } }: { readonly client: Client }) =>
  behind === 0 ? (
    <span class="hg-soft">up to date</span>
  ) : (
    <span>
      {counted(behind, 'event')}
      {since !== null && (
        <span class="hg-soft">
          , oldest <Time at={since} />
        </span>
      )}
    </span>
  );
