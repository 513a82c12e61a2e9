/** Sends the event again, and shows what the rule did with it. */
import type { EventItem } from '../../data/index.js';
import { EventLine } from '../../parts/EventLine.js';
import { Button, Link, Notice } from '../../ui/index.js';
import { visible } from '../../words/visible.js';
import type { Channel, Rule } from './progress.js';
import { SendButton, Waiting } from './SendStep.js';

export interface AppliedStepProps {
  readonly channel: Channel;
  readonly rule: Rule;
  readonly applied: EventItem | null;
  readonly onLeave: () => void;
}

export function AppliedStep({ channel, rule, applied, onLeave }: AppliedStepProps) {
  if (applied === null) {
    return (
      <>
        <p class="hg-soft">Run the same command once more.</p>
        <div class="hg-row">
          <SendButton channel={channel} text="Or send it again from here" />
          <Waiting text="Waiting for an event that the rule matches" />
        </div>
      </>
    );
  }
  return (
    <>
      <div class="hg-start__line">
        <EventLine event={applied} />
      </div>
      <Notice tone="good">
        <p>
          <Link href={`/dashboard/rules/${rule.id}`}>{visible(rule.name)}</Link> was applied.{' '}
          <Link href={`/dashboard/events/${applied.id}`}>See why it matched</Link>, or go on: add an endpoint,
          and events are delivered there.
        </p>
      </Notice>
      <div class="hg-row">
        <Button kind="primary" onClick={onLeave}>
          Go to the events
        </Button>
        <Button href="/dashboard/endpoints">Add an endpoint</Button>
      </div>
    </>
  );
}
