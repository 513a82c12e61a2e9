/** How far a redelivery is: what arrived, what failed again, what is under way, what is left. */
import type { Output } from '../../data/index.js';
import { count } from '../../words/numbers.js';

export type Progress = Output<'getRedelivery'>;
type Redelivery = Output<'listRedeliveries'>['items'][number];

/** Whether its numbers still change. */
export const isUnderWay = ({ state, pending }: Progress): boolean => state === 'running' || pending > 0;

/** Label and tooltip of the letters that were not sent, by the state of the redelivery. */
const LEFT = {
  running: ['left', 'They are sent next.'],
  stopped: ['not sent', 'They stay in the queue.'],
  done: ['not needed', 'They had left the queue, or a newer letter of the same event was sent.'],
} as const;

interface Part {
  readonly id: string;
  readonly size: number;
  readonly text: string;
  readonly tone: string;
  readonly title?: string;
}

/** The parts of the bar, which make up the whole. */
function partsOf({ state, total, redelivered, delivered, failed, pending }: Progress): readonly Part[] {
  const [text, title] = LEFT[state];
  return [
    { id: 'delivered', size: delivered, text: 'delivered', tone: 'good' },
    { id: 'failed', size: failed, text: 'failed', tone: 'bad', title: 'They are dead letters again.' },
    { id: 'pending', size: pending, text: 'under way', tone: 'busy', title: 'They have attempts left.' },
    { id: 'left', size: Math.max(0, total - redelivered), text, tone: 'quiet', title },
  ];
}

export interface ProgressBarProps {
  /** Null until it is read; the place is the same. */
  readonly progress: Progress | null;
  readonly of: Redelivery;
}

export function ProgressBar({ progress, of }: ProgressBarProps) {
  const parts = progress === null ? [] : partsOf(progress);
  const { redelivered, total } = progress ?? of;
  return (
    <div class="hg-progress">
      <div
        class="hg-progress__bar"
        role="progressbar"
        aria-label="Redelivered"
        aria-valuemin={0}
        aria-valuemax={Math.max(1, total)}
        aria-valuenow={Math.min(redelivered, total)}
      >
        {parts.map(({ id, size, tone }) => (
          <span key={id} class={`hg-progress__part hg-tone-${tone}`} style={{ flexGrow: `${size}` }} />
        ))}
      </div>
      <ul class="hg-progress__counts">
        {parts
          .filter(({ id, size }) => size > 0 || id === 'delivered')
          .map(({ id, size, text, tone, title }) => (
            <li key={id} class={`hg-tone-${tone}`} title={title}>
              {count(size)} {text}
            </li>
          ))}
      </ul>
    </div>
  );
}
