/** Sends an event, from a terminal or from here, and shows it once it is there. */
import { api, type EventItem } from '../../data/index.js';
import { useChange } from '../../parts/change.js';
import { EventLine } from '../../parts/EventLine.js';
import { Button, Code, Notice } from '../../ui/index.js';
import type { Channel } from './progress.js';
import { curlOf, SAMPLE } from './sample.js';

export interface SendStepProps {
  readonly channel: Channel;
  readonly isWaiting: boolean;
}

export function SendStep({ channel, isWaiting }: SendStepProps) {
  return (
    <>
      <p class="hg-soft">Run this in a terminal.</p>
      <Code label="the command" text={curlOf(channel.url ?? '')} wrap />
      <div class="hg-row">
        <SendButton channel={channel} text="Or send it from here" />
        {isWaiting && <Waiting text="Waiting for the first event" />}
      </div>
    </>
  );
}

export const Waiting = ({ text }: { readonly text: string }) => (
  <span class="hg-start__waiting hg-soft" role="status">
    <span class="hg-start__pulse" aria-hidden="true" />
    {text}…
  </span>
);

export interface SendButtonProps {
  readonly channel: Channel;
  readonly text: string;
}

/** The page sends what the command sends. */
export function SendButton({ channel, text }: SendButtonProps) {
  const { isBusy, error, run } = useChange();
  const send = async (): Promise<void> => {
    await api.ingest({ channel: channel.address ?? '', body: SAMPLE, contentType: 'application/json' });
  };
  return (
    <>
      <Button busy={isBusy} onClick={() => void run(send)}>
        {text}
      </Button>
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </>
  );
}

/** The event, as the list of events has it. */
export const ArriveStep = ({ event }: { readonly event: EventItem }) => (
  <div class="hg-start__line">
    <EventLine event={event} />
  </div>
);
