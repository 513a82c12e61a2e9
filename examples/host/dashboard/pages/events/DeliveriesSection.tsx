/** The deliveries of an event: to whom, how each attempt went, when the next one is due. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, currentProject, mayManage, sentenceOf, ROOT, isPortal } from '../../data/index.js';
import { AttemptList } from '../../parts/AttemptList.js';
import type { NamedEndpoint } from '../../parts/endpoints.js';
import { InOrder } from '../../parts/InOrder.js';
import { Loaded } from '../../parts/Loaded.js';
import {
  Badge,
  Button,
  classes,
  Empty,
  Link,
  Section,
  SkeletonRows,
  Tag,
  Time,
  toast,
} from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { OUTCOMES } from '../../words/outcomes.js';
import { DELIVERY_STATES } from '../../words/statuses.js';
import { byEndpoint, statesOf, type ToEndpoint } from './by-endpoint.js';
import {
  actionOf,
  type Deliveries,
  type Delivery,
  type Sent,
  type Traces,
  type WholeEvent,
} from './event-traces.js';

export interface DeliveriesSectionProps {
  readonly event: WholeEvent;
  readonly traces: Traces;
  readonly endpoints: ReadonlyMap<string, NamedEndpoint>;
  /** The action whose deliveries are pointed out: one lands on what it has made. */
  readonly made: string | null;
  /** A delivery was redelivered or retried. */
  readonly onMade: (action: string) => void;
}

export const DeliveriesSection = (props: DeliveriesSectionProps) => (
  <Section title="Deliveries">
    <Loaded of={props.traces.deliveries} skeleton={<SkeletonRows rows={2} height={72} />}>
      {(deliveries) =>
        deliveries.items.length === 0 ? (
          <NoDelivery event={props.event} />
        ) : (
          <List {...props} deliveries={deliveries} />
        )
      }
    </Loaded>
  </Section>
);

const WHY_NONE = {
  received: ['Not decided yet', 'Deliveries appear here by themselves once the rules have decided.'],
  dropped: ['Nobody gets it', 'A rule dropped it. Replay it to named endpoints, or by the rules of today.'],
  processed: [
    'No endpoint gets it',
    'None was active when it was decided, or a rule routed it to endpoints that are gone. Add one, and replay it.',
  ],
} as const;

const PORTAL_NONE = ['No endpoint gets it', 'None was active when it came. Add one, and replay it.'] as const;

function NoDelivery({ event }: { readonly event: WholeEvent }) {
  const [title, text] = isPortal ? PORTAL_NONE : WHY_NONE[event.status];
  return (
    <Empty title={title} text={text}>
      {event.status === 'processed' && <Button href={`${ROOT}/endpoints`}>Go to the endpoints</Button>}
    </Empty>
  );
}

function List({
  deliveries: { items, isCut },
  ...props
}: DeliveriesSectionProps & { readonly deliveries: Deliveries }) {
  const list = useRef<HTMLUListElement>(null);
  const isThere = items.some(({ delivery }) => isMade(delivery, props.made));
  useEffect(() => {
    if (isThere) list.current?.querySelector('[data-made]')?.scrollIntoView({ block: 'nearest' });
  }, [isThere, props.made]);
  return (
    <>
      <ul class="hg-deliveries" aria-label="Deliveries" ref={list}>
        {byEndpoint(items).map((one) => (
          <Endpoint key={one.latest.delivery.endpoint_id} one={one} {...props} />
        ))}
      </ul>
      {isCut && <p class="hg-soft hg-small">These are the newest; the list of deliveries has all of them.</p>}
    </>
  );
}

/** An attempt has failed, and another one follows. */
const isRetried = ({ state, attempts }: Delivery): boolean => state === 'pending' && attempts > 0;

const isMade = (delivery: Delivery, made: string | null): boolean =>
  made !== null && actionOf(delivery) === made;

/** How the event stands with one endpoint. What came before a replay or a redelivery is folded away. */
function Endpoint({ one, ...props }: DeliveriesSectionProps & { readonly one: ToEndpoint }) {
  const { latest, earlier } = one;
  const isNew = isMade(latest.delivery, props.made);
  const id = latest.delivery.endpoint_id;
  return (
    <li class={classes('hg-delivery', isNew && 'hg-delivery--new')}>
      <One sent={latest} {...props} />
      {earlier.length > 0 && (
        <details
          class="hg-delivery__earlier"
          open={earlier.some(({ delivery }) => isMade(delivery, props.made))}
        >
          <summary>
            {counted(earlier.length, 'earlier delivery', 'earlier deliveries')}: {statesOf(earlier)}
          </summary>
          <ul aria-label={`Earlier deliveries to ${props.endpoints.get(id)?.name ?? id}`}>
            {earlier.map((sent) => (
              <li key={sent.delivery.id}>
                <One sent={sent} {...props} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function One({ sent: { delivery, attempts }, ...props }: DeliveriesSectionProps & { readonly sent: Sent }) {
  const endpoint = props.endpoints.get(delivery.endpoint_id);
  const name = endpoint?.name ?? delivery.endpoint_id;
  const isNew = isMade(delivery, props.made);
  return (
    <div data-made={isNew ? '' : undefined}>
      <div class="hg-delivery__head">
        <Badge status={isRetried(delivery) ? OUTCOMES.retrying : DELIVERY_STATES[delivery.state]} />
        <span class="hg-delivery__name hg-cut">
          <Link plain href={`${ROOT}/endpoints/${delivery.endpoint_id}`}>
            {name}
          </Link>
        </span>
        {delivery.origin === 'replay' && <Tag text="replay" />}
        {isNew && <span class="hg-unseen">just made</span>}
        <span class="hg-delivery__next hg-soft">
          <Next delivery={delivery} isPaused={endpoint?.status === 'paused'} />
        </span>
        <Again delivery={delivery} name={name} traces={props.traces} onMade={props.onMade} />
      </div>
      {attempts.length > 0 && (
        <AttemptList
          attempts={attempts}
          delivery={delivery.id}
          label={`Attempts to ${name}`}
          channel={props.event.channel}
        />
      )}
    </div>
  );
}

/** When the next attempt is due, for as long as there is one; or for whom it waits, and who waits for it. */
function Next({ delivery, isPaused }: { readonly delivery: Delivery; readonly isPaused: boolean }) {
  const { state, attempts, next_attempt_at: at, is_dead_letter: isDead, order } = delivery;
  if (order?.is_waiting || order?.is_holding) return <InOrder order={order} />;
  if (state !== 'pending') return <>{isDead ? 'dead letter' : counted(attempts, 'attempt')}</>;
  if (isPaused) return <>waits until the endpoint is resumed</>;
  if (at === null) return <>under way</>;
  return (
    <>
      next attempt <Time at={at} kind="countdown" />
    </>
  );
}

interface AgainProps extends Pick<DeliveriesSectionProps, 'traces' | 'onMade'> {
  readonly delivery: Delivery;
  readonly name: string;
}

/** A dead letter is redelivered; one that waits is tried at once. */
function Again({ delivery, name, traces, onMade }: AgainProps) {
  const [isBusy, setBusy] = useState(false);
  const { is_dead_letter: isDead } = delivery;
  if (!mayManage() || (!isDead && !isRetried(delivery))) return null;
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await api.retryDelivery({ project: currentProject(), delivery: delivery.id });
      toast(isDead ? `It is sent to ${name} again` : `The next attempt to ${name} is made now`);
      const action = actionOf(made);
      if (isDead && action !== null) onMade(action);
    } catch (error) {
      toast(sentenceOf(error), { tone: 'bad' });
    }
    setBusy(false);
    traces.reload();
  };
  return (
    <Button
      size="s"
      icon="replay"
      busy={isBusy}
      label={isDead ? `Redeliver to ${name}` : `Retry now to ${name}`}
      onClick={() => void retry()}
    >
      {isDead ? 'Redeliver' : 'Retry now'}
    </Button>
  );
}
