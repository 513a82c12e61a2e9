/** Sends a sample, from here or from a terminal, and shows the event once it is there. */
import type { EventItem } from '../../data/index.js';
import { EventLine } from '../../parts/EventLine.js';
import { SampleForm } from '../../parts/samples/SampleForm.js';
import type { Channel } from './progress.js';

export interface SendStepProps {
  readonly channel: Channel;
  readonly event: EventItem | null;
}

export const SendStep = ({ channel, event }: SendStepProps) =>
  event === null ? (
    <>
      <SampleForm channel={channel} isShown />
      <Waiting text="Waiting for the first event" />
    </>
  ) : (
    <div class="hg-start__line">
      <EventLine event={event} />
    </div>
  );

export const Waiting = ({ text }: { readonly text: string }) => (
  <span class="hg-start__waiting hg-soft" role="status">
    <span class="hg-start__pulse" aria-hidden="true" />
    {text}…
  </span>
);
