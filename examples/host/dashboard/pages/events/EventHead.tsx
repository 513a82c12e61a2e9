/** The top of an event's page: what happened to it and why, in one line, then its id, its time, its channel. */
import type { ComponentChildren } from 'preact';
import { isPortal } from '../../data/index.js';
import { Copyable, ExactTime, Link, Notice, Tag, Time } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { visible } from '../../words/visible.js';
import { byEndpoint, statesOf } from './by-endpoint.js';
import type { Deliveries, WholeEvent } from './event-traces.js';

export interface EventHeadProps {
  readonly event: WholeEvent;
  readonly deliveries: Deliveries | undefined;
}

export const EventHead = ({ event, deliveries }: EventHeadProps) => (
  <div class="hg-stack">
    <p class="hg-event__story">
      <Story event={event} deliveries={deliveries} />
    </p>
    <Limits event={event} />
    <dl class="hg-event__facts">
      <div>
        <dt>Received</dt>
        <dd>
          <ExactTime at={event.received_at} />
        </dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd>
          <Copyable text={event.id} label="the id" />
        </dd>
        {event.topic !== event.type && (
          <>
            <dt>Type</dt>
            <dd>{visible(event.type)}</dd>
          </>
        )}
        {event.channel !== null && (
          <>
            <dt>Channel</dt>
            <dd>
              <ChannelName channel={event.channel} />
            </dd>
          </>
        )}
      </div>
      {event.status !== 'received' && (
        <div>
          {event.decision !== null && (
            <>
              <dt>Decided</dt>
              <dd>
                <Time at={event.decision.decided_at} />, by version {event.decision.rules_version} of the
                rules
              </dd>
            </>
          )}
          <dt>Tags</dt>
          <dd class="hg-row">
            {event.tags.length === 0 && <span class="hg-soft">none</span>}
            {event.tags.map((tag) => (
              <Tag key={tag} text={visible(tag)} />
            ))}
          </dd>
        </div>
      )}
    </dl>
  </div>
);

function ChannelName({ channel: { id, name } }: { readonly channel: NonNullable<WholeEvent['channel']> }) {
  const text = visible(name ?? 'a channel that is deleted');
  return isPortal ? <>{text}</> : <Link href={`/dashboard/channels/${id}`}>{text}</Link>;
}

/** The status and why. */
function Story({ event: { status, decision }, deliveries }: EventHeadProps): ComponentChildren {
  if (isPortal) return deliveries === undefined ? '' : sentOf(deliveries);
  if (decision === null || status === 'received') return 'It waits for the rules to decide on it.';
  if (status === 'dropped') {
    const rule = decision.dropped_by;
    return (
      <>
        Dropped by {rule === null ? 'a rule' : <RuleLink id={rule.id} name={rule.name} />}, so nobody gets it.
      </>
    );
  }
  return (
    <>
      {decision.matched.length === 0 ? 'No rule matched. ' : <Matched of={decision.matched} />}
      {deliveries === undefined ? '' : sentOf(deliveries)}
    </>
  );
}

const Matched = ({ of }: { readonly of: NonNullable<WholeEvent['decision']>['matched'] }) => (
  <>
    Matched{' '}
    {of.map(({ id, name }, index) => (
      <>
        {index === 0 ? '' : index === of.length - 1 ? ' and ' : ', '}
        <RuleLink id={id} name={name} />
      </>
    ))}
    .{' '}
  </>
);

const RuleLink = ({ id, name }: { readonly id: string; readonly name: string | null }) => (
  <Link href={`/dashboard/rules/${id}`}>{visible(name ?? 'a rule that is deleted')}</Link>
);

/** How it stands with each endpoint. */
export function sentOf({ items }: Deliveries): string {
  if (items.length === 0) return 'It went to no endpoint.';
  const latest = byEndpoint(items).map((one) => one.latest);
  return `Deliveries: ${statesOf(latest)}.`;
}

function Limits({ event: { decision } }: Pick<EventHeadProps, 'event'>) {
  const count = decision?.limits_count ?? 0;
  return count === 0 ? null : (
    <Notice tone="warn">
      {counted(count, 'condition or operation', 'conditions or operations')} needed more work than a rule, or
      all rules together, may do on one event. Such a condition counts as not met. A redaction replaces the
      whole value, a set writes null, and any other operation leaves the value as it is.
    </Notice>
  );
}
