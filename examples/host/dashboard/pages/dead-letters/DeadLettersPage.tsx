/** Dead letters: found by any conditions, redelivered all at once or alone, or discarded. */
import { useEffect, useState } from 'preact/hooks';
import {
  type Address,
  api,
  currentProject,
  mayManage,
  searchOf,
  useAddress,
  useCommands,
  useResource,
  ROOT,
  isPortal,
} from '../../data/index.js';
import { useEndpointOptions } from '../../parts/endpoints.js';
import { FilterBar } from '../../parts/FilterBar.js';
import { Loaded } from '../../parts/Loaded.js';
import { usePages } from '../../parts/use-pages.js';
import { Button, Empty, IconButton, Page, Section, Skeleton, SkeletonRows } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { useConditions } from './conditions.js';
import './DeadLettersPage.css';
import { DiscardDialog } from './DiscardDialog.js';
import { filterText, letterFilter, statusFault } from './filter.js';
import { Groups } from './Groups.js';
import { Letters } from './Letters.js';
import { Redeliveries } from './Redeliveries.js';
import { RedeliverDialog } from './RedeliverDialog.js';

const TEXT =
  'Deliveries whose attempts have all failed. They stay here until they are redelivered or discarded.';

export default function DeadLettersPage() {
  const address = useAddress();
  const endpoints = useEndpointOptions();
  const conditions = useConditions(endpoints);
  const [opened, setOpened] = useState<'redeliver' | 'discard' | null>(null);
  const queue = useQueue(address);
  const { filter, redeliveries, reload } = queue;
  const count = queue.total.value?.count;
  const redeliver = (): void => setOpened('redeliver');
  const discard = (): void => setOpened('discard');
  const isWriter = mayManage();
  useCommands([
    { text: 'Refresh the dead letters', keys: 'r', group: 'Dead letters', run: reload },
    ...(isWriter && count
      ? [
          { text: 'Redeliver dead letters', group: 'Dead letters', run: redeliver },
          ...(isPortal ? [] : [{ text: 'Discard dead letters', group: 'Dead letters', run: discard }]),
        ]
      : []),
  ]);
  const shown = {
    filter,
    text: filterText(letterFilter(address.query, 0), endpoints.nameOf),
    onClose: () => setOpened(null),
  };
  return (
    <Page
      title="Dead letters"
      text={TEXT}
      actions={isWriter && <Actions isEmpty={!count} {...{ redeliver, discard }} />}
    >
      <FilterBar
        label="Dead letters"
        times="Failed"
        address={address}
        conditions={conditions}
        fault={statusFault}
      />
      {redeliveries.state.status === 'loading' ? (
        <SkeletonRows rows={12} />
      ) : (
        <Found queue={queue} address={address} endpointName={endpoints.nameOf} />
      )}
      {opened === 'redeliver' && <RedeliverDialog {...shown} onBegun={redeliveries.reload} />}
      {opened === 'discard' && <DiscardDialog {...shown} onDone={reload} />}
    </Page>
  );
}

interface ActionsProps {
  readonly isEmpty: boolean;
  readonly redeliver: () => void;
  readonly discard: () => void;
}

const Actions = ({ isEmpty, redeliver, discard }: ActionsProps) => (
  <>
    {!isPortal && (
      <Button kind="danger" icon="trash" disabled={isEmpty} onClick={discard}>
        Discard…
      </Button>
    )}
    <Button kind="primary" icon="replay" disabled={isEmpty} onClick={redeliver}>
      Redeliver all…
    </Button>
  </>
);

/** The dead letters that the address asks for, and the redeliveries of all. */
function useQueue({ query }: Address) {
  const project = currentProject();
  const key = `${project} ${searchOf(query)}`;
  const filter = () => letterFilter(query, Date.now());
  const total = useResource(`dead letters counted ${key}`, (signal) =>
    api.countDeadLetters({ project, query: filter(), signal }),
  );
  const letters = usePages(`dead letters ${key}`, (cursor, signal) =>
    api.listDeadLetters({ project, query: { ...filter(), cursor }, signal }),
  );
  const redeliveries = usePages(`redeliveries ${project}`, (cursor, signal) =>
    api.listRedeliveries({ project, query: { limit: 5, cursor }, signal }),
  );
  const reload = (): void => {
    total.reload();
    letters.reload();
  };
  const newest = redeliveries.value?.items[0]?.id;
  useEffect(() => {
    if (newest !== undefined) reload();
  }, [newest]);
  return { key, filter, total, letters, redeliveries, reload };
}

interface FoundProps {
  readonly queue: ReturnType<typeof useQueue>;
  readonly address: Address;
  readonly endpointName: (id: string) => string | null;
}

function Found({ queue, address, endpointName }: FoundProps) {
  const { key, filter, total, letters, redeliveries, reload } = queue;
  return (
    <>
      <Redeliveries pages={redeliveries} endpointName={endpointName} onProgress={reload} />
      <Section
        title={total.value === undefined ? 'Dead letters' : counted(total.value.count, 'dead letter')}
        actions={<IconButton size="s" label="Refresh" icon="replay" onClick={reload} />}
      >
        <Loaded of={total} skeleton={<Skeleton height="72px" />}>
          {({ count }) => <Groups search={key} total={count} filter={filter} address={address} />}
        </Loaded>
        <Loaded of={letters}>
          {({ items, next }) =>
            items.length === 0 && next === null ? (
              <NoLetters isFiltered={address.search !== ''} onAll={() => address.go('')} />
            ) : (
              <Letters pages={letters} endpointName={endpointName} onGone={reload} />
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

interface NoLettersProps {
  readonly isFiltered: boolean;
  readonly onAll: () => void;
}

const NoLetters = ({ isFiltered, onAll }: NoLettersProps) =>
  isFiltered ? (
    <Empty icon="filter" title="No dead letters match these filters">
      <Button onClick={onAll}>Show all dead letters</Button>
    </Empty>
  ) : (
    <Empty
      icon="letters"
      title="No dead letters"
      text="Every delivery has arrived, or still has attempts left. A delivery whose attempts all fail appears here, with its cause."
    >
      <Button href={`${ROOT}/endpoints`}>Go to the endpoints</Button>
    </Empty>
  );
