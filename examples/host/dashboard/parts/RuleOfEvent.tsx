/** A rule begins with an event: what it matches is picked there, and the editor opens with that. */
import { useState } from 'preact/hooks';
import { Button, Dialog } from '../ui/index.js';
import { newRuleHref, type Pick } from './match-of-picks.js';
import { PathPicker, type PickedEvent } from './PathPicker.js';

export interface RuleOfEventProps {
  readonly event: PickedEvent;
  readonly onClose: () => void;
}

export function RuleOfEvent({ event, onClose }: RuleOfEventProps) {
  const [picks, setPicks] = useState<readonly Pick[]>([]);
  return (
    <Dialog
      title="Create a rule from this event"
      size="wide"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={picks.length === 0} href={newRuleHref(picks, event.id)}>
            Go on to the rule
          </Button>
        </>
      }
    >
      <PathPicker event={event} picks={picks} onChange={setPicks} />
    </Dialog>
  );
}
