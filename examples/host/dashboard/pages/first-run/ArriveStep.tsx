/** Sends the sample once more, and shows how it arrives. */
import type { EventItem } from '../../data/index.js';
import { newRuleHref } from '../../parts/match-of-picks.js';
import { useSample } from '../../parts/samples/SampleForm.js';
import { Badge, Button, Link, Notice } from '../../ui/index.js';
import { causeOf } from '../../words/causes.js';
import { visible } from '../../words/visible.js';
import {
  type Channel,
  type Delivery,
  type Endpoint,
  isArrived,
  type Progress,
  type Received,
} from './progress.js';
import { Waiting } from './SendStep.js';

export interface ArriveStepProps {
  readonly progress: Progress & { readonly channel: Channel; readonly endpoint: Endpoint };
  readonly onLeave: () => void;
}

export function ArriveStep({ progress, onLeave }: ArriveStepProps) {
  const { channel, event, endpoint, delivery, received } = progress;
  if (delivery === null || !isArrived(progress)) {
    return (
      <>
        <p class="hg-soft">The endpoint gets the events that come in from now on.</p>
        <SendAgain channel={channel} />
        {delivery === null ? (
          <Waiting text="Waiting for a delivery" />
        ) : (
          <NotYet endpoint={endpoint} delivery={delivery} />
        )}
      </>
    );
  }
  return (
    <>
      <Notice tone="good">
        <Arrived endpoint={endpoint} delivery={delivery} received={received} />
      </Notice>
      <Next event={event} onLeave={onLeave} />
    </>
  );
}

function SendAgain({ channel }: { readonly channel: Channel }) {
  const { change, send } = useSample(channel);
  return (
    <>
      <div>
        <Button kind="primary" busy={change.isBusy} onClick={send}>
          Send the sample again
        </Button>
      </div>
      {change.error !== null && <Notice tone="bad">{change.error}</Notice>}
    </>
  );
}

interface DeliveredProps {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
}

const hrefOf = ({ id }: Endpoint, tab = ''): string => `/dashboard/endpoints/${id}${tab}`;

/** An attempt is under way, or has failed. */
const NotYet = ({ endpoint, delivery: { failure, status_code: status } }: DeliveredProps) =>
  failure === null ? (
    <Waiting text="Delivering" />
  ) : (
    <Notice tone="warn">
      <p>
        The last attempt failed: {causeOf(failure, status).text}. It is tried again on its own.{' '}
        <Link href={hrefOf(endpoint)}>Look at the endpoint</Link>
      </p>
    </Notice>
  );

const VERIFIED = { text: 'Verified', tone: 'good' } as const;
const REFUSED = { text: 'Not verified', tone: 'bad' } as const;

const Arrived = ({
  endpoint,
  delivery,
  received,
}: DeliveredProps & { readonly received: Received | null }) =>
  received === null ? (
    <p>
      <bdi>{visible(endpoint.name)}</bdi> answered {delivery.status_code}. Its requests are signed:{' '}
      <Link href={hrefOf(endpoint)}>verify signatures</Link> at your end.
    </p>
  ) : (
    <p>
      <Badge status={received.verdict.ok ? VERIFIED : REFUSED} />{' '}
      {received.verdict.ok
        ? 'It arrived, signed with a secret of its channel.'
        : 'It arrived, but its signature does not fit.'}{' '}
      <Link href={hrefOf(endpoint, '?tab=receiver')}>Show the request</Link>
    </p>
  );

const Next = ({ event, onLeave }: { readonly event: EventItem | null; readonly onLeave: () => void }) => (
  <div class="hg-row">
    {event !== null && (
      <Button kind="primary" href={newRuleHref([], event.id)}>
        Create a rule from this event
      </Button>
    )}
    <Button onClick={onLeave}>Go to the overview</Button>
  </div>
);
