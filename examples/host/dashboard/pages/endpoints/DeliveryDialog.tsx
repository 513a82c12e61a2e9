/** One delivery with its attempts: what was called, what it answered, what is probably wrong. */
import { useState } from 'preact/hooks';
import { api, currentProject, type Output, useResource } from '../../data/index.js';
import { eventHref } from '../../parts/event-href.js';
import { AttemptList } from '../../parts/AttemptList.js';
import { useChange } from '../../parts/change.js';
import { InOrder } from '../../parts/InOrder.js';
import { useAgain } from '../../parts/use-again.js';
import { Loaded } from '../../parts/Loaded.js';
import { Badge, Button, Dialog, Facts, Link, Notice, SkeletonRows, Time, toast } from '../../ui/index.js';
import { DELIVERY_STATES } from '../../words/statuses.js';
import { visible } from '../../words/visible.js';

type Whole = Output<'getDelivery'>;

export interface DeliveryDialogProps {
  readonly id: string;
  readonly mayRetry: boolean;
  readonly onClose: () => void;
}

const REFRESH_MS = 2_000;

export function DeliveryDialog({ id: first, mayRetry, onClose }: DeliveryDialogProps) {
  const project = currentProject();
  // The redelivery of a dead letter is another delivery, which is then shown.
  const [id, setId] = useState(first);
  const one = useResource(`delivery ${project} ${id}`, (signal) =>
    api.getDelivery({ project, delivery: id, signal }),
  );
  useAgain(one.reload, REFRESH_MS);
  const event = one.value?.event_id;
  const channel = useResource(`channel of ${project} ${event ?? ''}`, async (signal) =>
    event === undefined ? null : (await api.getEvent({ project, event, signal })).channel,
  ).value;
  const { isBusy, error, run } = useChange();
  const retry = (): Promise<boolean> =>
    run(async () => {
      setId((await api.retryDelivery({ project, delivery: id })).id);
      toast('The delivery is sent now');
      one.reload();
    });
  const verb = one.value === undefined ? null : retryVerb(one.value);
  return (
    <Dialog
      title="Delivery"
      size="wide"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          {mayRetry && verb !== null && (
            <Button kind="primary" icon="replay" busy={isBusy} onClick={() => void retry()}>
              {verb}
            </Button>
          )}
        </>
      }
    >
      <Loaded of={one} skeleton={<SkeletonRows rows={4} height={44} />}>
        {(value) => (
          <>
            <About delivery={value} />
            {value.history.length === 0 ? (
              <p class="hg-soft">No attempt has ended yet.</p>
            ) : (
              <AttemptList
                label="Attempts"
                attempts={value.history}
                delivery={id}
                channel={channel ?? null}
              />
            )}
          </>
        )}
      </Loaded>
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </Dialog>
  );
}

/** A dead letter is redelivered; what waits is not waited for. */
function retryVerb({ state, is_dead_letter: isLetter, next_attempt_at: next }: Whole): string | null {
  if (isLetter) return 'Redeliver';
  return state === 'pending' && next !== null ? 'Try now' : null;
}

const About = ({ delivery }: { readonly delivery: Whole }) => (
  <Facts
    facts={[
      [
        'Event',
        <Link href={eventHref(delivery)}>
          <bdi>{visible(delivery.topic)}</bdi>
        </Link>,
      ],
      ['State', <Badge status={DELIVERY_STATES[delivery.state]} />],
      [
        'Next attempt',
        delivery.next_attempt_at !== null && <Time at={delivery.next_attempt_at} kind="countdown" />,
      ],
      ['Order', delivery.order !== null && <InOrder order={delivery.order} />],
      ['Created', <Time at={delivery.created_at} />],
    ]}
  />
);
