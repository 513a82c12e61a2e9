/** An event in one line: how it stands, its topic, the rules that matched, its deliveries, its time. */
import { ROOT, isPortal } from '../data/index.js';
import type { EventItem } from '../data/index.js';
import { Badge, Tag, Time } from '../ui/index.js';
import { counted, listed } from '../words/numbers.js';
import { outcomeStatus } from '../words/outcomes.js';
import { visible } from '../words/visible.js';
import './EventLine.css';

export interface EventLineProps {
  readonly event: EventItem;
  readonly tabIndex?: 0 | -1;
}

/** The portal does not show rules. */
const LINE = isPortal ? 'hg-event-line hg-event-line--short' : 'hg-event-line';

/** A real link, so that it opens in a new tab as well. */
export const EventLine = ({ event, tabIndex }: EventLineProps) => (
  <a class={LINE} href={`${ROOT}/events/${event.id}`} tabIndex={tabIndex}>
    <span class="hg-event-line__status">
      <Badge status={outcomeStatus(event.outcome, event.deliveries.failed)} bare />
    </span>
    <span class="hg-event-line__type">
      <span class="hg-cut">{visible(event.topic)}</span>
      <span class="hg-event-line__tags">
        {event.tags.slice(0, 3).map((tag) => (
          <Tag key={tag} text={tag} />
        ))}
      </span>
    </span>
    {!isPortal && <span class="hg-event-line__rules hg-cut hg-soft">{becauseOf(event)}</span>}
    <span class="hg-event-line__channel hg-cut hg-soft">{event.channel?.name ?? ''}</span>
    <span class="hg-event-line__reached hg-soft">{reached(event)}</span>
    <span class="hg-event-line__time">
      <Time at={event.received_at} />
    </span>
  </a>
);

/** The names of the columns; the links themselves read well without them. */
export const EventLineHead = () => (
  <div class={`${LINE} hg-event-line--head`} aria-hidden="true">
    <span>Outcome</span>
    <span>Topic</span>
    {!isPortal && <span>Rules</span>}
    <span class="hg-event-line__channel">Channel</span>
    <span class="hg-event-line__reached">Arrived at</span>
    <span class="hg-event-line__time">Received</span>
  </div>
);

/** Such as `2 of 3 endpoints`. */
function reached({ deliveries: { delivered, pending, failed } }: EventItem): string {
  const all = delivered + pending + failed;
  return all === 0 ? '' : `${delivered} of ${counted(all, 'endpoint')}`;
}

function becauseOf({ dropped_by: dropped, matched }: EventItem): string {
  if (dropped !== null) return `by ${dropped.name ?? 'a rule that is deleted'}`;
  return listed(matched.map(({ name }) => name ?? 'a rule that is deleted'));
}
