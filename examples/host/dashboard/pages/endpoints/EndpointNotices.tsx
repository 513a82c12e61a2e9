/** The notice above an endpoint that is paused, or whose attempts all fail. */
import { Notice, Time } from '../../ui/index.js';
import type { Endpoint } from './endpoint-list.js';

export function EndpointNotices({ endpoint }: { readonly endpoint: Endpoint }) {
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
