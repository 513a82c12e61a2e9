/** The events, live: newest first, by any conditions. What one reads stays where it is while others come. */
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { GUIDE, mayManage, sentenceOf, useAddress, useCommands, isPortal } from '../../data/index.js';
import { EventLine, EventLineHead } from '../../parts/EventLine.js';
import { useEndpointOptions } from '../../parts/endpoints.js';
import { LiveBadge } from '../../parts/LiveBadge.js';
import { filterText } from '../../parts/replay/filter-text.js';
import { ReplayManyDialog, REPLAYS } from '../../parts/replay/ReplayManyDialog.js';
import {
  announce,
  Button,
  Empty,
  Failure,
  Notice,
  Page,
  Pager,
  SkeletonRows,
  Time,
  useMedia,
  VirtualList,
  type VirtualListHandle,
} from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { type EventList, useEventList } from './event-list.js';
import './EventsPage.css';
import { type Filter, filterOf, replayFilter } from './filter.js';
import { Filters } from './Filters.js';
import { LateSearchBar, SearchDialog } from './search-parts.js';
import { Views } from './Views.js';

export default function EventsPage() {
  const address = useAddress();
  const { route } = useLocation();
  const filter = filterOf(address.query);
  const list = useEventList(filter);
  const handle = useRef<VirtualListHandle | null>(null);
  const [isReplaying, setReplaying] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const change = (conditions: Filter): void => address.set(conditions);
  const openSearch = (): void => setSearching(true);
  const mayReplay = mayManage() && filter.status !== 'received' && filter.outcome !== 'not_decided';
  useCommands([
    { text: 'Show replays', group: 'Events', run: () => route(REPLAYS) },
    ...(mayReplay ? [{ text: 'Replay these events', group: 'Events', run: () => setReplaying(true) }] : []),
    { text: 'Go to the first event', keys: 'j', group: 'Events', run: () => handle.current?.focus() },
    { text: 'Show new events', keys: 'n', group: 'Events', run: () => showNew(list, handle.current) },
    { text: 'Show all events', group: 'Events', run: () => address.go('') },
  ]);
  return (
    <Page
      fill
      title="Events"
      heading={<Heading />}
      actions={
        <>
          {mayReplay && (
            <Button icon="replay" onClick={() => setReplaying(true)}>
              Replay these events…
            </Button>
          )}
          <Views address={address} />
        </>
      }
    >
      <Filters filter={filter} onChange={change} onSearch={openSearch} />
      {list.isOfPayloads && (
        <LateSearchBar
          key={address.search}
          {...{ list, filter }}
          onEdit={openSearch}
          onRemove={() => change({ match: '' })}
        />
      )}
      <Shown list={list} handle={handle} isFiltered={address.search !== ''} onAll={() => address.go('')} />
      {isSearching && (
        <SearchDialog
          match={filter.match ?? ''}
          onClose={() => setSearching(false)}
          onSearch={(match) => {
            setSearching(false);
            change({ match });
          }}
        />
      )}
      {isReplaying && <ReplayShown filter={filter} onClose={() => setReplaying(false)} />}
    </Page>
  );
}

const Heading = () => (
  <span class="hg-row">
    Events <LiveBadge />
  </span>
);

/** Replays all events of the filter, those that are not shown yet among them. */
function ReplayShown({ filter, onClose }: { readonly filter: Filter; readonly onClose: () => void }) {
  const { route } = useLocation();
  const { nameOf } = useEndpointOptions();
  const asked = replayFilter(filter, Date.now());
  return (
    <ReplayManyDialog
      filter={asked}
      text={filterText(asked, nameOf)}
      onClose={onClose}
      onBegun={() => route(REPLAYS)}
    />
  );
}

function showNew(list: EventList, handle: VirtualListHandle | null): void {
  list.showWaiting();
  handle?.toTop();
}

/** Says how many wait. If more arrived than the page keeps, it says so. */
function NewEvents({ list, onShow }: { readonly list: EventList; readonly onShow: () => void }) {
  const count = list.waiting.value.length;
  const text = list.hasGap.value ? 'Many new events' : counted(count, 'new event');
  const isShown = count > 0 || list.hasGap.value;
  useEffect(() => {
    if (isShown) announce(text);
  }, [isShown, text]);
  return isShown ? (
    <div class="hg-events__new">
      <Button size="s" kind="primary" icon="up" onClick={onShow}>
        {text}
      </Button>
    </div>
  ) : null;
}

const Shown = (props: ListProps) => (
  <div class="hg-events">
    <div class="hg-events__head">
      <EventLineHead />
    </div>
    <NewEvents list={props.list} onShow={() => showNew(props.list, props.handle.current)} />
    <List {...props} />
  </div>
);

interface ListProps {
  readonly list: EventList;
  readonly handle: { current: VirtualListHandle | null };
  readonly isFiltered: boolean;
  readonly onAll: () => void;
}

function List({ list, handle, isFiltered, onAll }: ListProps) {
  const items = list.items.value;
  const rowHeight = useRowHeight();
  if (items === null) {
    return list.error.value === null ? (
      <SkeletonRows rows={16} height={rowHeight} />
    ) : (
      <Failure
        title="The events could not be loaded"
        text={sentenceOf(list.error.value)}
        onRetry={list.again}
      />
    );
  }
  if (items.length === 0 && list.next.value === null && !list.isLoading.value) {
    return isFiltered ? (
      <Empty
        icon="filter"
        title="No events match these filters"
        text="New events that match appear here by themselves."
      >
        <Button onClick={onAll}>Show all events</Button>
      </Empty>
    ) : (
      <Empty
        icon="events"
        title="No events yet"
        text={
          isPortal
            ? 'The first one appears here by itself.'
            : 'Send the first one to the address of a channel. It appears here by itself.'
        }
      >
        {!isPortal && (
          <>
            <Button href="/dashboard/channels">Go to the channels</Button>
            <Button href={GUIDE}>Open the guide</Button>
          </>
        )}
      </Empty>
    );
  }
  return (
    <VirtualList
      label="Events"
      items={items}
      itemKey={({ id }) => id}
      rowHeight={rowHeight}
      row={(event, tabIndex) => <EventLine event={event} tabIndex={tabIndex} />}
      onNearEnd={list.nearEnd}
      onTop={(isAtTop) => {
        list.isAtTop = isAtTop;
        if (isAtTop) list.showWaiting();
      }}
      foot={<Foot list={list} />}
      handle={handle}
    />
  );
}

const NOTHING_YET = { hasMore: false, busy: false, onMore: () => undefined, text: 'Nothing found yet.' };

/** How far the list goes; a search that finds little says how far it has looked. */
function Foot({ list }: { readonly list: EventList }) {
  if (list.error.value !== null) {
    return (
      <Notice
        tone="bad"
        action={
          <Button size="s" onClick={list.again}>
            Try again
          </Button>
        }
      >
        {sentenceOf(list.error.value)}
      </Notice>
    );
  }
  if (list.isOfPayloads) return list.items.value?.length === 0 ? <Pager {...NOTHING_YET} /> : null;
  const [next, scannedTo] = [list.next.value, list.scannedTo.value];
  const text =
    next === null ? (
      'These are all events that are kept.'
    ) : scannedTo === null ? undefined : (
      <>
        Looked back to <Time at={scannedTo} />
      </>
    );
  return <Pager hasMore={next !== null} busy={list.isLoading.value} onMore={list.nearEnd} text={text} />;
}

/** Two lines where it is narrow. */
const useRowHeight = (): number => (useMedia('(max-width: 719px)') ? 60 : 40);
