/** Asks before events go because they are kept for fewer days. */
import { Button, Dialog, now } from '../../ui/index.js';
import { counted } from '../../words/numbers.js';
import { localTime } from '../../words/time.js';

const DAY_MS = 86_400_000;

export interface ShorterDialogProps {
  readonly days: number;
  readonly onClose: () => void;
  readonly onSure: () => void;
}

export const ShorterDialog = ({ days, onClose, onSure }: ShorterDialogProps) => (
  <Dialog
    title={`Keep events for ${counted(days, 'day')} only?`}
    onClose={onClose}
    foot={
      <>
        <Button onClick={onClose}>Keep them longer</Button>
        <Button kind="danger" onClick={onSure}>
          Keep {counted(days, 'day')}
        </Button>
      </>
    }
  >
    <p>
      Events that were received before {localTime(now.peek() - days * DAY_MS)} go for good, within about an
      hour. Nothing brings them back.
    </p>
  </Dialog>
);
