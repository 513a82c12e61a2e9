/** The replies of SDK clients to the event. */
import { useMemo } from 'preact/hooks';
import { JsonTree, Link, Section, Time } from '../../ui/index.js';
import { digitsBelow } from '../../words/exact-digits.js';
import { visible } from '../../words/visible.js';
import { digitsOf, type WholeEvent } from './event-traces.js';

/** The event has this many, the newest. */
const MOST = 100;

export function RepliesSection({ event }: { readonly event: WholeEvent }) {
  const { replies } = event;
  const digits = useMemo(() => digitsOf(event), [event]);
  return (
    <Section title="Replies of SDK clients">
      {replies.length === 0 ? (
        <p class="hg-soft">
          None. <Link href="/dashboard/clients">SDK clients</Link> can answer an event.
        </p>
      ) : (
        <ul class="hg-replies" aria-label="Replies">
          {replies.map(({ id, client, reply_id: replyId, payload, received_at: at }, index) => (
            <li key={id}>
              <div class="hg-replies__head">
                <strong>{client === '' ? 'a client without a name' : client}</strong>
                <span class="hg-mono hg-soft hg-cut">{visible(replyId)}</span>
                <span class="hg-soft hg-small">
                  <Time at={at} />
                </span>
              </div>
              <JsonTree
                label={`Reply ${replyId}`}
                value={payload}
                digits={digitsBelow(digits, `/replies/${index}/payload`)}
              />
            </li>
          ))}
        </ul>
      )}
      {replies.length >= MOST && <p class="hg-soft hg-small">These are the newest {MOST}.</p>}
    </Section>
  );
}
