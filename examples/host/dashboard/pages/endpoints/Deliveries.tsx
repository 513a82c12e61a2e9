/** The deliveries to an endpoint, newest first, each with its attempts. */
import { useState } from 'preact/hooks';
import { api, currentProject, mayManage, type Output, useAddress } from '../../data/index.js';
import { useAgain } from '../../parts/use-again.js';
import { eventHref } from '../../parts/event-href.js';
import { InOrder } from '../../parts/InOrder.js';
import { Loaded } from '../../parts/Loaded.js';
import { usePages } from '../../parts/use-pages.js';
import { Badge, Button, type Column, Empty, Link, Pager, Select, Table, Time } from '../../ui/index.js';
import { CAUSES, causeOf } from '../../words/causes.js';
import { count } from '../../words/numbers.js';
import { DELIVERY_STATES } from '../../words/statuses.js';
import { visible } from '../../words/visible.js';
import { DeliveryDialog } from './DeliveryDialog.js';
import type { Endpoint } from './endpoint-list.js';

export type Delivery = Output<'listDeliveries'>['items'][number];
type State = Delivery['state'];
type FailureCode = keyof typeof CAUSES;

const LIMIT = 50;
/** For each page that is shown. */
const REFRESH_MS = 5_000;
const STATES = [
  { value: '', text: 'All states' },
  ...Object.entries(DELIVERY_STATES).map(([value, { text }]) => ({ value, text })),
];
const CODES = [
  { value: '', text: 'All causes' },
  ...Object.entries(CAUSES).map(([value, { text }]) => ({ value, text })),
];

export function Deliveries({ endpoint }: { readonly endpoint: Endpoint }) {
  const { query, set } = useAddress();
  const state = query.state ?? '';
  const failure = query.failure ?? '';
  const [shown, setShown] = useState<Delivery | null>(null);
  const list = useDeliveries(endpoint.id, { state, failure });
  useAgain(list.reload, REFRESH_MS * (list.value?.pages ?? 1));
  const isFiltered = state !== '' || failure !== '';
  return (
    <div class="hg-endpoint hg-endpoint--list">
      <Filters state={state} failure={failure} onChange={set} />
      <Loaded of={list}>
        {({ items, next, scanned_to: scannedTo }) =>
          items.length === 0 && next === null ? (
            <NoDeliveries isFiltered={isFiltered} onAll={() => set({ state: '', failure: '' })} />
          ) : (
            <>
              <Table
                caption="Deliveries"
                columns={columnsOf(setShown)}
                rows={items}
                rowKey={({ id }) => id}
              />
              <Pager
                hasMore={next !== null}
                busy={list.isBusy}
                onMore={list.more}
                text={
                  next === null ? (
                    'These are all of them.'
                  ) : scannedTo ? (
                    <LookedBack to={scannedTo} />
                  ) : undefined
                }
              />
            </>
          )
        }
      </Loaded>
      {shown !== null && (
        <DeliveryDialog
          id={shown.id}
          mayRetry={mayManage()}
          onClose={() => {
            setShown(null);
            list.reload();
          }}
        />
      )}
    </div>
  );
}

interface Conditions {
  readonly state: string;
  readonly failure: string;
}

interface FiltersProps extends Conditions {
  readonly onChange: (change: Partial<Conditions>) => void;
}

const Filters = ({ state, failure, onChange }: FiltersProps) => (
  <div class="hg-row hg-endpoint__filters">
    <Select
      label="State"
      hideLabel
      value={state}
      options={STATES}
      onChange={(to) => onChange({ state: to })}
    />
    <Select
      label="Cause"
      hideLabel
      value={failure}
      options={CODES}
      onChange={(to) => onChange({ failure: to })}
    />
  </div>
);

const LookedBack = ({ to }: { readonly to: string }) => (
  <>
    Looked back to <Time at={to} />
  </>
);

interface NoDeliveriesProps {
  readonly isFiltered: boolean;
  readonly onAll: () => void;
}

const NoDeliveries = ({ isFiltered, onAll }: NoDeliveriesProps) =>
  isFiltered ? (
    <Empty icon="letters" title="No deliveries match these filters">
      <Button onClick={onAll}>Show all deliveries</Button>
    </Empty>
  ) : (
    <Empty
      icon="letters"
      title="No deliveries yet"
      text="Each event that comes in from now on makes one here."
    />
  );

function useDeliveries(endpoint: string, { state, failure }: Conditions) {
  const project = currentProject();
  return usePages<Delivery>(`deliveries ${project} ${endpoint} ${state} ${failure}`, (cursor, signal) =>
    api.listDeliveries({
      project,
      query: {
        ...{ endpoint, limit: LIMIT, cursor },
        ...(Object.hasOwn(DELIVERY_STATES, state) && { state: state as State }),
        ...(Object.hasOwn(CAUSES, failure) && { failure: failure as FailureCode }),
      },
      signal,
    }),
  );
}

const columnsOf = (show: (delivery: Delivery) => void): readonly Column<Delivery>[] => [
  {
    id: 'event',
    head: 'Event',
    title: true,
    cell: (delivery) => (
      <span class="hg-endpoint__event">
        <Link href={eventHref(delivery)} plain label={`Event ${delivery.topic} ${delivery.event_id}`}>
          <bdi class="hg-cut">{visible(delivery.topic)}</bdi>
        </Link>
        {delivery.origin === 'replay' && <span class="hg-soft hg-small">replay</span>}
      </span>
    ),
  },
  { id: 'state', head: 'State', cell: ({ state }) => <Badge status={DELIVERY_STATES[state]} bare /> },
  { id: 'answer', head: 'Last answer', cell: LastAnswer },
  { id: 'next', head: 'Next attempt', cell: NextAttempt },
  { id: 'attempts', head: 'Attempts', end: true, cell: ({ attempts }) => count(attempts) },
  { id: 'time', head: 'Created', end: true, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    id: 'details',
    head: '',
    end: true,
    cell: (one) => (
      <Button size="s" label={`Details of the delivery of ${one.event_id}`} onClick={() => show(one)}>
        Details
      </Button>
    ),
  },
];

function LastAnswer({ failure, status_code: status, attempts }: Delivery) {
  if (failure !== null) {
    const { text, cause } = causeOf(failure, status);
    return <span title={cause}>{text}</span>;
  }
  return <>{status === null || attempts === 0 ? <span class="hg-soft">–</span> : `HTTP ${status}`}</>;
}

function NextAttempt({ next_attempt_at: at, order }: Delivery) {
  if (order?.is_waiting) return <InOrder order={order} />;
  return at === null ? <span class="hg-soft">–</span> : <Time at={at} kind="countdown" />;
}
