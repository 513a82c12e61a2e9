/** The notices above an endpoint that is paused, whose attempts all fail, or whose dead letters hold back others. */
import { api, currentProject, ROOT, useResource } from '../../data/index.js';
import { Button, Notice, Time } from '../../ui/index.js';
import { count } from '../../words/numbers.js';
import type { Endpoint } from './endpoint-list.js';

interface EndpointProps {
  readonly endpoint: Endpoint;
}

export const EndpointNotices = ({ endpoint }: EndpointProps) => (
  <>
    <State endpoint={endpoint} />
    {endpoint.ordering !== 'none' && endpoint.on_exhausted === 'hold' && <Held id={endpoint.id} />}
  </>
);

/** Keys wait until somebody has dealt with a letter, so it is said here. */
function Held({ id }: { readonly id: string }) {
  const project = currentProject();
  const query = { endpoint: id, order: 'holding' } as const;
  const held = useResource(`held keys ${project} ${id}`, (signal) =>
    api.countDeadLetters({ project, query, signal }),
  );
  const letters = held.value?.count ?? 0;
  if (letters === 0) return null;
  return (
    <Notice
      tone="warn"
      action={
        <Button size="s" href={`${ROOT}/dead-letters?endpoint=${id}&order=holding`}>
          Show what is held
        </Button>
      }
    >
      {letters === 1
        ? '1 dead letter holds back later deliveries with the same ordering key until it is redelivered or discarded.'
        : `${count(letters)} dead letters hold back later deliveries with the same ordering keys until they are redelivered or discarded.`}
    </Notice>
  );
}

function State({ endpoint }: EndpointProps) {
  const { status, paused_by: pausedBy, failing_since: since } = endpoint;
  if (status === 'paused') {
    return (
      <Notice tone="warn">
        {pausedBy === 'failures' && since !== null ? (
          <>
            All attempts have failed since <Time at={since} />, so the service has paused it. Fix the
            receiver, send a test, and resume it.{' '}
          </>
        ) : (
          'It was paused by hand. '
        )}
        New events skip it; retries that were scheduled before still run, and events that came meanwhile can
        be replayed.
      </Notice>
    );
  }
  if (since === null) return null;
  return (
    <Notice tone="bad">
      All attempts have failed since <Time at={since} />. If this goes on, the service may pause it; the
      overview shows the causes.
    </Notice>
  );
}
