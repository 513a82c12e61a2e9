/** An event: what happened to it, and why. */
import { useLocation, useRoute } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { hasCode, mayManage, useAddress, useCommands, ROOT, isPortal } from '../../data/index.js';
import { useEndpoints } from '../../parts/endpoints.js';
import { Loaded } from '../../parts/Loaded.js';
import { RuleOfEvent } from '../../parts/RuleOfEvent.js';
import { Badge, Button, Empty, Page } from '../../ui/index.js';
import { outcomeStatus } from '../../words/outcomes.js';
import { visible } from '../../words/visible.js';
import { failingOf } from './by-endpoint.js';
import { DeliveriesSection } from './DeliveriesSection.js';
import { type Traces, useTraces, type WholeEvent } from './event-traces.js';
import { EventHead } from './EventHead.js';
import './EventPage.css';
import { EventSkeleton } from './EventSkeleton.js';
import { DataSection, HeadersSection, PayloadSection } from './PayloadSection.js';
import { RepliesSection } from './RepliesSection.js';
import { ReplayDialog, type Replayed } from './ReplayDialog.js';
import { ReplayNotice, ReplaysSection } from './ReplaysSection.js';
import { RulesSection } from './RulesSection.js';

const BACK = { href: `${ROOT}/events`, text: 'Events' };

export default function EventPage() {
  const { event: id = '' } = useRoute().params;
  return <EventOf key={id} id={id} />;
}

function EventOf({ id }: { readonly id: string }) {
  const traces = useTraces(id);
  const { state, value } = traces.event;
  if (value !== undefined) return <Shown event={value} traces={traces} />;
  const isGone = state.status === 'failed' && hasCode(state.error, 'not_found', 'invalid_request');
  return (
    <Page title="Event" back={BACK}>
      {isGone ? <Gone /> : <Loaded of={traces.event} skeleton={<EventSkeleton />} children={() => null} />}
    </Page>
  );
}

const Gone = () => (
  <Empty
    icon="events"
    title="Event not found"
    text="The project deletes events after its retention time. Or the id in the address is incomplete."
  >
    <Button href={`${ROOT}/events`}>Show all events</Button>
  </Empty>
);

function Shown({ event, traces }: { readonly event: WholeEvent; readonly traces: Traces }) {
  const { query, set } = useAddress();
  const [isReplaying, setReplaying] = useState(false);
  const [replayed, setReplayed] = useState<Replayed | null>(null);
  const endpoints = useEndpoints();
  const title = visible(event.topic);
  const closeRule = (): void => set({ make: '' }, { replace: true });
  const actions = { event, onReplay: () => setReplaying(true), onRule: () => set({ make: 'rule' }) };
  useEventCommands(actions);
  return (
    <Page
      title={title}
      back={BACK}
      heading={
        <span class="hg-row">
          <span>{title}</span> <Badge status={outcomeStatus(event.outcome, failingOf(event.deliveries))} />
        </span>
      }
      actions={mayManage() && <Actions {...actions} />}
    >
      <EventHead event={event} deliveries={traces.deliveries.value} />
      {replayed !== null && <ReplayNotice replay={replayed} endpoints={endpoints} />}
      <DeliveriesSection
        event={event}
        traces={traces}
        endpoints={endpoints}
        made={query.made ?? null}
        onMade={(action) => set({ made: action }, { replace: true })}
      />
      {isPortal ? (
        <DataSection event={event} />
      ) : (
        <>
          <RulesSection event={event} />
          <PayloadSection event={event} />
          <HeadersSection event={event} />
          <RepliesSection event={event} />
        </>
      )}
      <ReplaysSection event={event} />
      {isReplaying && (
        <ReplayDialog
          event={event}
          endpoints={endpoints}
          onClose={() => setReplaying(false)}
          onDone={(done) => {
            setReplaying(false);
            setReplayed(done);
            set({ made: done.id }, { replace: true });
            traces.reload();
          }}
        />
      )}
      {query.make === 'rule' && !isPortal && <RuleOfEvent event={event} onClose={closeRule} />}
    </Page>
  );
}

interface ActionsProps {
  readonly event: WholeEvent;
  readonly onReplay: () => void;
  readonly onRule: () => void;
}

const Actions = ({ event, onReplay, onRule }: ActionsProps) => (
  <>
    <Button icon="replay" disabled={event.status === 'received'} onClick={onReplay}>
      Replay
    </Button>
    {!isPortal && (
      <Button kind="primary" onClick={onRule}>
        Create a rule from this event
      </Button>
    )}
  </>
);

/** An event without a topic of its own has its type for one. */
const sameTopic = ({ topic, type }: WholeEvent): string => {
  const filter = topic === type ? { type } : { topic };
  return `${ROOT}/events?${new URLSearchParams(filter).toString()}`;
};

function useEventCommands({ event, onReplay, onRule }: ActionsProps): void {
  const { route } = useLocation();
  useCommands([
    ...(mayManage()
      ? [
          { text: 'Replay this event', group: 'Event', run: onReplay },
          ...(isPortal ? [] : [{ text: 'Create a rule from this event', group: 'Event', run: onRule }]),
        ]
      : []),
    {
      text: 'Show events with the same topic',
      group: 'Event',
      run: () => route(sameTopic(event)),
    },
  ]);
}
