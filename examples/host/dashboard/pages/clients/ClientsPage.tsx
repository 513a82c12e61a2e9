/** SDK clients: who is connected, where each is in the log, how far behind; and how one connects. */
import { useState } from 'preact/hooks';
import { allOf } from '../../../src/client/index.js';
import { api, currentProject, type Resource, useResource } from '../../data/index.js';
import { Loaded } from '../../parts/Loaded.js';
import { useAgain, useReading } from '../../parts/use-again.js';
import { Empty, Page, Section, SkeletonRows, TextField } from '../../ui/index.js';
import './ClientsPage.css';
import { type Client, ClientTable } from './ClientTable.js';
import { ConnectSection } from './ConnectSection.js';
import { ForgetDialog } from './ForgetDialog.js';

/** Acknowledgements are not events, so they are polled. */
const AGAIN_MS = 3_000;
/** This many can be found at a glance. */
const FEW = 12;

export default function ClientsPage() {
  const [forgotten, setForgotten] = useState<Client | null>(null);
  const clients = useClients();
  return (
    <Page
      title="SDK clients"
      text="Processes that get the project’s events over a connection that they open themselves: no public address, and they can reply."
    >
      <Section title="Names and their cursors in the log">
        <Loaded of={clients} skeleton={<SkeletonRows rows={3} />}>
          {(items) => <Clients items={items} onForget={setForgotten} />}
        </Loaded>
      </Section>
      <ConnectSection />
      {forgotten !== null && (
        <ForgetDialog
          client={forgotten}
          onClose={() => setForgotten(null)}
          onDone={() => {
            setForgotten(null);
            clients.reload();
          }}
        />
      )}
    </Page>
  );
}

function useClients(): Resource<readonly Client[]> {
  const project = currentProject();
  const reading = useReading();
  const clients = useResource<readonly Client[]>(
    `clients ${project}`,
    reading.of((signal) => allOf(api.listClients, { project, signal })),
  );
  useAgain(reading.unlessBusy(clients.reload), AGAIN_MS);
  return clients;
}

interface ClientsProps {
  readonly items: readonly Client[];
  readonly onForget: (client: Client) => void;
}

function Clients({ items, onForget }: ClientsProps) {
  const [text, setText] = useState('');
  if (items.length === 0) {
    return (
      <Empty
        icon="clients"
        title="No SDK client has connected under a name yet"
        text="Run the code below: it appears here by itself, with its cursor in the log of events."
      />
    );
  }
  const found = items.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <>
      {items.length > FEW && (
        <div class="hg-clients__find">
          <TextField
            label="Find by name"
            hideLabel
            type="search"
            placeholder="Find by name"
            value={text}
            onInput={setText}
          />
        </div>
      )}
      {found.length === 0 ? (
        <Empty icon="search" title="No client has such a name" />
      ) : (
        <ClientTable items={found} onForget={onForget} />
      )}
    </>
  );
}
