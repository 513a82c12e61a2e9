/** When the attempts of a policy are made, on a time line. */
import { retrySchedule } from 'headgate/delivery';
import { TimeLine } from '../../ui/index.js';
import { duration } from '../../words/time.js';
import { delaysOf, type Form, numberProblem } from './endpoint-form.js';

/** Longer lists are summed up in one line. */
const SHOWN = 8;

export function Schedule({ form }: { readonly form: Form }) {
  const { attempts, backoff, delays: listed } = numberProblem(form);
  if (attempts !== null || backoff !== null || listed !== null) {
    return <p class="hg-soft">The attempts are drawn here once all numbers are right.</p>;
  }
  const delays = retrySchedule({
    retry_max_attempts: Number(form.attempts),
    retry_backoff_base_seconds: Number(form.backoff),
    retry_delays: delaysOf(form),
  });
  return (
    <div class="hg-endpoint-settings__schedule">
      <TimeLine label="Attempts of a delivery that fails" steps={stepsOf(delays)} />
      <p class="hg-soft hg-small">
        Each wait begins when the attempt before it ends, and may be a little longer, so that not all
        deliveries come at once. A change holds from the next attempt on, also for retries that are scheduled.
      </p>
    </div>
  );
}

function stepsOf(delays: readonly number[]) {
  const ends = delays.map((_, index) => delays.slice(0, index + 1).reduce((sum, delay) => sum + delay, 0));
  const isLong = delays.length > SHOWN;
  const shown = isLong ? [...ends.slice(0, SHOWN - 1), ...ends.slice(-1)] : ends;
  const retries = shown.map((end, index) => {
    const isLast = index === shown.length - 1;
    const number = isLast ? ends.length + 1 : index + 2;
    const waits = `${duration((isLast ? (delays.at(-1) ?? 0) : (delays[index] ?? 0)) * 1_000)} after attempt ${number - 1}`;
    return { at: after(end), text: `Attempt ${number}, ${waits}`, tone: 'busy' as const };
  });
  const left = { at: '…', text: `${delays.length - SHOWN} more attempts` };
  return [
    { at: 'at once', text: 'Attempt 1', tone: 'busy' as const },
    ...(isLong ? [...retries.slice(0, -1), left, ...retries.slice(-1)] : retries),
    {
      at: after(ends.at(-1) ?? 0),
      text: 'It becomes a dead letter, which can be redelivered',
      tone: 'bad' as const,
    },
  ];
}

const after = (seconds: number): string => (seconds === 0 ? 'at once' : `+ ${duration(seconds * 1_000)}`);
