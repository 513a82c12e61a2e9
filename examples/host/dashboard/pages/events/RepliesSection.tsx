/** The replies of SDK clients to the event. */
import { JsonTree, Link, Section, Time } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import type { WholeEvent } from './event-traces.js';

/** The event has the newest so many. */
const MOST = 100;

export function RepliesSection({ event: { replies } }: { readonly event: WholeEvent }) {
  return (
    <Section title="Replies of SDK clients">
      {replies.length === 0 ? (
        <p class="hg-soft">
          None. <Link href="/dashboard/clients">SDK clients</Link> can answer an event.
        </p>
      ) : (
        <ul class="hg-replies" aria-label="Replies">
          {replies.map(({ id, client, reply_id: replyId, payload, received_at: at }) => (
            <li key={id}>
              <div class="hg-replies__head">
                <strong>{client === '' ? 'a client without a name' : client}</strong>
                <span class="hg-mono hg-soft hg-cut">{visible(replyId)}</span>
                <span class="hg-soft hg-small">
                  <Time at={at} />
                </span>
              </div>
              <JsonTree label={`Reply ${visible(replyId)}`} value={payload} />
            </li>
          ))}
        </ul>
      )}
      {replies.length >= MOST && <p class="hg-soft hg-small">These are the newest {MOST}.</p>}
    </Section>
  );
}
