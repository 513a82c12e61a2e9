/** The pauses of an endpoint: the events that skipped it are counted, and replayed to it. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, useResource } from '../../data/index.js';
import { Button, type Column, Link, Section, Table, Time } from '../../ui/index.js';
import { duration } from '../../words/time.js';
import type { Endpoint } from './endpoint-list.js';
import { type Pause, pausesOf } from './pauses.js';
import { ReplayMissed } from './ReplayMissed.js';

const SHOWN = 5;

export function Pauses({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = currentProject();
  const key = `pauses ${project} ${endpoint.id} ${endpoint.version}`;
  const pauses = useResource(key, async (signal) => {
    const query = { resource: `endpoint:${endpoint.id}`, limit: 200 };
    return pausesOf((await api.listAudit({ project, query, signal })).items).slice(0, SHOWN);
  });
  const [chosen, setChosen] = useState<Pause | null>(null);
  if (pauses.value === undefined || pauses.value.length === 0) return null;
  const columns: readonly Column<Pause>[] = [
    { id: 'from', head: 'Paused', title: true, cell: ({ from }) => <Time at={from} /> },
    { id: 'to', head: 'Resumed', cell: ({ to }) => (to === null ? 'Not yet' : <Time at={to} />) },
    {
      id: 'for',
      head: 'For',
      end: true,
      cell: ({ from, to }) => (to === null ? '–' : duration(Date.parse(to) - Date.parse(from))),
    },
    {
      id: 'events',
      head: 'Events of that time',
      cell: (pause) => <Link href={eventsOf(pause)}>Show events</Link>,
    },
  ];
  const replay: Column<Pause> = {
    id: 'replay',
    head: '',
    end: true,
    cell: (pause) => (
      <Button size="s" icon="replay" onClick={() => setChosen(pause)}>
        Replay missed events
      </Button>
    ),
  };
  return (
    <Section title="Pauses">
      <Table
        caption="Pauses of this endpoint"
        columns={mayManage() ? [...columns, replay] : columns}
        rows={pauses.value}
        rowKey={({ from }) => from}
      />
      {chosen !== null && <ReplayMissed endpoint={endpoint} time={chosen} onClose={() => setChosen(null)} />}
    </Section>
  );
}

const eventsOf = ({ from, to }: Pause): string =>
  `/dashboard/events?${new URLSearchParams({ from, ...(to !== null && { to }) }).toString()}`;
