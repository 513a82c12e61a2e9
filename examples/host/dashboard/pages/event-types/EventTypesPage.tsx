/** The catalog of event types: what the project publishes. */
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, useCommands } from '../../data/index.js';
import type { EventTypeItem } from '../../parts/event-types.js';
import { Loaded } from '../../parts/Loaded.js';
import { usePages } from '../../parts/use-pages.js';
import {
  Badge,
  Button,
  type Column,
  Empty,
  Link,
  Page,
  Pager,
  SkeletonRows,
  Table,
  Time,
} from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import './event-types.css';
import { NewEventType } from './NewEventType.js';
import { statusesOf } from './status.js';

const LIMIT = 100;

export const pathOf = (name: string): string => `/dashboard/event-types/${encodeURIComponent(name)}`;

export default function EventTypesPage() {
  const project = currentProject();
  const { route } = useLocation();
  const [isNew, setNew] = useState(false);
  const list = usePages<EventTypeItem>(`event types ${project}`, (cursor, signal) =>
    api.listEventTypes({ project, query: { limit: LIMIT, cursor }, signal }),
  );
  const begin = (): void => setNew(true);
  useCommands(
    mayManage() ? [{ text: 'Add an event type', keys: 'c', group: 'Event types', run: begin }] : [],
  );
  const add = mayManage() && (
    <Button kind="primary" icon="plus" onClick={begin}>
      New event type
    </Button>
  );
  return (
    <Page
      title="Event types"
      text="The events that you publish. They are offered when somebody subscribes an endpoint, writes a rule or filters events."
      actions={add}
    >
      <Loaded of={list} skeleton={<SkeletonRows rows={5} height={41} />}>
        {({ items, next }) =>
          items.length === 0 ? (
            <Empty
              icon="types"
              title="No event types yet"
              text="List the types that you publish, such as invoice.paid, with a JSON Schema and an example. A strict type refuses events that do not match its schema."
            >
              {add}
            </Empty>
          ) : (
            <div class="hg-event-types">
              <Table caption="Event types" columns={COLUMNS} rows={items} rowKey={({ name }) => name} />
              <Pager
                hasMore={next !== null}
                busy={list.isBusy}
                onMore={list.more}
                text={next === null && counted(items.length, 'event type')}
              />
            </div>
          )
        }
      </Loaded>
      {isNew && <NewEventType onClose={() => setNew(false)} onMade={(name) => route(pathOf(name))} />}
    </Page>
  );
}

const COLUMNS: readonly Column<EventTypeItem>[] = [
  {
    id: 'name',
    head: 'Event type',
    title: true,
    cell: ({ name }) => (
      <Link href={pathOf(name)} plain class="hg-event-types__name">
        {name}
      </Link>
    ),
  },
  {
    id: 'description',
    head: 'Description',
    cell: ({ description }) =>
      description === null ? (
        <span class="hg-soft">–</span>
      ) : (
        <bdi class="hg-event-types__text">{visible(description)}</bdi>
      ),
  },
  {
    id: 'status',
    head: 'Status',
    cell: (type) => (
      <span class="hg-row">
        {statusesOf(type).map((status) => (
          <Badge key={status.text} bare status={status} />
        ))}
      </span>
    ),
  },
  { id: 'changed', head: 'Changed', end: true, cell: ({ updated_at: at }) => <Time at={at} /> },
];
