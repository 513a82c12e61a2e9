/** The components that hold others, or much data. */
import { useState } from 'preact/hooks';
import {
  Badge,
  Button,
  Code,
  Copyable,
  Dialog,
  Diff,
  ExactTime,
  Facts,
  JsonTree,
  Link,
  Menu,
  Pager,
  Plot,
  Popover,
  Spark,
  Table,
  Tabs,
  TextField,
  Time,
  TimeLine,
  toast,
  VirtualList,
} from '../../ui/index.js';
import { count, percent } from '../../words/numbers.js';
import { ENDPOINT_STATUSES } from '../../words/statuses.js';

const nothing = (): void => undefined;
const AT = Date.parse('2026-11-22T11:46:50.123Z');

export function OpeningSamples() {
  const [tab, setTab] = useState<'data' | 'headers' | 'raw'>('data');
  return (
    <>
      <div class="hg-row">
        <MenuSamples />
        <DialogSamples />
        <Button onClick={() => toast('The rule is saved', { action: { text: 'Undo', run: nothing } })}>
          Toast
        </Button>
        <Button onClick={() => toast('The rule could not be saved', { tone: 'bad' })}>Failed toast</Button>
      </div>
      <Tabs
        label="Parts of the event"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'data', text: 'Data' },
          { id: 'headers', text: 'Headers', count: 12 },
          { id: 'raw', text: 'Raw payload' },
        ]}
      >
        The panel of {tab}.
      </Tabs>
    </>
  );
}

const MenuSamples = () => (
  <>
    <Menu
      label="Menu"
      icon="more"
      items={[
        { text: 'Replay', icon: 'replay', onSelect: () => toast('Replayed') },
        { text: 'Open', icon: 'link', href: '/dashboard/events' },
        { text: 'Not now', disabled: true },
        'line',
        { text: 'Delete', icon: 'trash', danger: true, onSelect: nothing },
      ]}
    >
      Menu
    </Menu>
    <Popover label="Filter" text="Popover" icon="filter">
      {(close) => (
        <div class="hg-stack">
          <TextField label="Type" value="" onInput={nothing} />
          <Button onClick={close}>Apply</Button>
        </div>
      )}
    </Popover>
  </>
);

function DialogSamples() {
  const [opened, setOpened] = useState<'small' | 'wide' | null>(null);
  const close = (): void => setOpened(null);
  return (
    <>
      <Button onClick={() => setOpened('small')}>Dialog</Button>
      <Button onClick={() => setOpened('wide')}>Wide dialog</Button>
      {opened === 'small' && (
        <Dialog
          title="Delete the rule?"
          onClose={close}
          foot={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" onClick={close}>
                Delete
              </Button>
            </>
          }
        >
          <p>Events that it would have dropped are delivered from now on.</p>
        </Dialog>
      )}
      {opened === 'wide' && (
        <Dialog title="Both versions" size="wide" onClose={close}>
          <Diff label="Changes" changes={CHANGES} />
        </Dialog>
      )}
    </>
  );
}

const CHANGES = [
  { path: 'data.body.card', before: '4242 4242 4242 4242', after: '**** **** **** ****' },
  { path: 'data.body.debug', before: { trace: true } },
  { path: 'data.body.region', after: 'eu' },
];
const ROWS = [
  { id: '1', name: 'Orders service', status: ENDPOINT_STATUSES.active, sent: 12_345, share: 0.9995 },
  { id: '2', name: 'Warehouse', status: ENDPOINT_STATUSES.paused, sent: 87, share: 0.42 },
];
const NUMBERS = Array.from({ length: 100_000 }, (_, index) => ({ id: String(index) }));

export const ListSamples = () => (
  <>
    <Table
      caption="Endpoints"
      rows={ROWS}
      rowKey={({ id }) => id}
      columns={[
        {
          id: 'name',
          head: 'Name',
          title: true,
          cell: ({ name }) => (
            <Link plain href="/dashboard/endpoints">
              {name}
            </Link>
          ),
        },
        { id: 'status', head: 'Status', cell: ({ status }) => <Badge status={status} bare /> },
        {
          id: 'trend',
          head: '7 days',
          cell: ({ name }) => <Spark label={`Deliveries to ${name}`} values={[2, 4, 3, 8, 5, 6, 9]} />,
        },
        { id: 'sent', head: 'Delivered', end: true, cell: ({ sent }) => count(sent) },
        { id: 'share', head: 'Success', end: true, cell: ({ share }) => percent(share) },
      ]}
    />
    <Pager hasMore busy={false} onMore={nothing} text="2 endpoints" />
    <div class="hg-sample-list hg-card">
      <VirtualList
        label="A hundred thousand rows"
        items={NUMBERS}
        itemKey={({ id }) => id}
        rowHeight={28}
        row={({ id }, tabIndex) => (
          <a href={`#${id}`} tabIndex={tabIndex}>
            Row {count(Number(id) + 1)}
          </a>
        )}
      />
    </div>
  </>
);

const PAYLOAD = {
  kind: 'order.paid',
  amount: 980,
  card: '**** **** **** ****',
  customer: { name: 'Ada', 'e.mail': 'ada@example.com', tags: ['new', 'eu'], address: null },
  isTest: false,
  empty: {},
  text: '<img src=x onerror=alert(1)>',
};
const CURL = `curl -X POST https://hooks.example.com/in/4f9c \\
  -H 'content-type: application/json' \\
  -d '{"kind":"order.created"}'`;

export function DataSamples() {
  const [picked, setPicked] = useState('nothing yet');
  return (
    <div class="hg-stack">
      <Facts
        facts={[
          ['Event', <Copyable key="id" text="evt_01KAN5M3V8C6Y2Q4R7T9W1X3Z5" label="event id" />],
          ['Received', <ExactTime key="at" at={AT} />],
          [
            'In lists',
            <span key="times">
              <Time at={AT} /> · <Time at={AT} kind="clock" /> ·{' '}
              <Time at={Date.now() + 90_000} kind="countdown" />
            </span>,
          ],
          ['Left out', null],
        ]}
      />
      <JsonTree
        label="Data"
        root="data.body"
        value={PAYLOAD}
        marks={
          new Map([
            ['/card', 'changed'],
            ['/isTest', 'added'],
            ['/customer/address', 'removed'],
          ])
        }
        onPick={setPicked}
      />
      <p class="hg-soft">Picked: {picked}</p>
      <Diff label="Changes" changes={CHANGES} />
      <Code label="the command" text={CURL} />
    </div>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => `Sun ${String(hour).padStart(2, '0')}:00`);

export const PlotSamples = () => (
  <div class="hg-stack">
    <Plot
      label="Attempts in the last 24 hours"
      times={HOURS}
      series={[
        { name: 'Delivered', tone: 'good', values: HOURS.map((_, hour) => 40 + ((hour * 37) % 60)) },
        { name: 'Failed', tone: 'bad', values: HOURS.map((_, hour) => (hour * 13) % 17) },
      ]}
    />
    <Plot
      kind="lines"
      label="Mean latency"
      times={HOURS}
      format={(ms) => `${Math.round(ms)} ms`}
      series={[
        {
          name: 'Mean',
          tone: 'busy',
          values: HOURS.map((_, h) => (h % 9 === 4 ? null : 80 + ((h * 53) % 90))),
        },
      ]}
    />
    <TimeLine
      label="Retry schedule"
      steps={[
        { at: 'at once', text: 'First attempt', tone: 'bad' },
        { at: '+ 30 s', text: 'Second attempt', tone: 'busy' },
        { at: '+ 1 min', text: 'Third attempt' },
        { at: '+ 2 min', text: 'Dead letter' },
      ]}
    />
  </div>
);
