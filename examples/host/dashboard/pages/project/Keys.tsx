/** The keys of the project: what each may do, when it was last used, and how it ends. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, useCommands } from '../../data/index.js';
import { Actor, type ApiKey } from '../../parts/Actor.js';
import { Loaded } from '../../parts/Loaded.js';
import { usePages } from '../../parts/use-pages.js';
import { Badge, Button, type Column, Pager, Section, Table, Time } from '../../ui/index.js';
import { NewKeyDialog } from './NewKeyDialog.js';
import { RevokeDialog } from './RevokeDialog.js';
import { SCOPES } from './scopes.js';

const REVOKED = { text: 'Revoked', tone: 'quiet', explains: 'Requests with it are refused.' } as const;

/** Only who may manage sees them. */
export const Keys = () => (mayManage() ? <AllKeys /> : null);

function AllKeys() {
  const project = currentProject();
  const [opened, setOpened] = useState<'new' | ApiKey | null>(null);
  const keys = usePages<ApiKey>(`keys ${project}`, (cursor, signal) =>
    api.listKeys({ project, query: { cursor }, signal }),
  );
  useCommands([{ text: 'Create a key', group: 'Project', run: () => setOpened('new') }]);
  const close = (): void => setOpened(null);
  const columns: readonly Column<ApiKey>[] = [
    { id: 'name', head: 'Name', title: true, cell: NameCell },
    { id: 'scopes', head: 'May', cell: ({ scopes }) => scopes.map((scope) => SCOPES[scope].text).join(', ') },
    { id: 'used', head: 'Last used', cell: LastUsed },
    { id: 'owner', head: 'Created by', cell: Owner },
    { id: 'made', head: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
    { id: 'end', head: '', end: true, cell: (key) => <End apiKey={key} onRevoke={() => setOpened(key)} /> },
  ];
  return (
    <Section
      title="Keys"
      actions={
        <Button icon="plus" onClick={() => setOpened('new')}>
          Create a key
        </Button>
      }
    >
      <Loaded of={keys}>
        {({ items, next }) => (
          <div>
            <Table caption="Keys" columns={columns} rows={items} rowKey={({ id }) => id} />
            {next !== null && <Pager hasMore busy={keys.isBusy} onMore={keys.more} />}
          </div>
        )}
      </Loaded>
      {opened === 'new' && <NewKeyDialog onClose={close} onMade={keys.reload} />}
      {opened !== null && opened !== 'new' && (
        <RevokeDialog apiKey={opened} onClose={close} onRevoked={keys.reload} />
      )}
    </Section>
  );
}

const NameCell = ({ name, last_four: end }: ApiKey) => (
  <span class="hg-key__name">
    <strong>{name}</strong> <span class="hg-mono hg-soft">…{end}</span>
  </span>
);

const LastUsed = ({ last_used_at: at }: ApiKey) =>
  at === null ? <span class="hg-soft">never</span> : <Time at={at} />;

/** The key may be gone that made it, or be one of several thousands: its name comes with the key. */
const Owner = ({ created_by: actor, created_by_name: name }: ApiKey) => (
  <span class="hg-key__made">
    <Actor
      actor={actor}
      names={new Map(name === null ? [] : [[actor.slice(actor.indexOf(':') + 1), name]])}
    />
  </span>
);

interface EndProps {
  readonly apiKey: ApiKey;
  readonly onRevoke: () => void;
}

const End = ({ apiKey: { name, revoked_at: at }, onRevoke }: EndProps) =>
  at === null ? (
    <Button size="s" kind="danger" label={`Revoke ${name}`} onClick={onRevoke}>
      Revoke
    </Button>
  ) : (
    <span class="hg-row hg-key__revoked">
      <Badge bare status={REVOKED} /> <Time at={at} />
    </span>
  );
