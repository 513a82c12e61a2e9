/** The attempts of a delivery: when, how long, the URL that was used, and for failures the cause and what to do. */
import { useState } from 'preact/hooks';
import type { Output } from '../data/index.js';
import { Badge, Button, Time } from '../ui/index.js';
import { causeOf } from '../words/causes.js';
import { duration } from '../words/time.js';
import { visible } from '../words/visible.js';
import './AttemptList.css';
import { AttemptExchange } from './exchange/AttemptExchange.js';
import { type SigningChannel, WhyFailed } from './WhyFailed.js';

export type Attempt = Output<'getDelivery'>['history'][number];

export interface AttemptListProps {
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** The id of their delivery. */
  readonly delivery: string;
  /** The name for screen readers. */
  readonly label: string;
  readonly channel: SigningChannel;
}

export const AttemptList = ({ attempts, delivery, label, channel }: AttemptListProps) => (
  <ol class="hg-attempts" aria-label={label}>
    {attempts.map((attempt, index) => (
      <Row
        key={attempt.number}
        attempt={attempt}
        before={attempts[index - 1]}
        delivery={delivery}
        channel={channel}
      />
    ))}
  </ol>
);

interface RowProps extends Pick<AttemptListProps, 'delivery' | 'channel'> {
  readonly attempt: Attempt;
  readonly before: Attempt | undefined;
}

function Row({ attempt, before, delivery, channel }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="hg-attempt">
      <span class="hg-attempt__number hg-soft">
        <span class="hg-unseen">Attempt </span>
        {attempt.number}
      </span>
      <span class="hg-attempt__result">
        <Badge bare status={resultOf(attempt)} />
      </span>
      <span class="hg-attempt__time hg-soft">
        <Time at={attempt.started_at} kind="clock" />
      </span>
      <span class="hg-attempt__duration">{duration(attempt.duration_ms)}</span>
      <span class="hg-attempt__url hg-mono">
        {attempt.url === null ? 'nothing was sent' : visible(attempt.url)}
      </span>
      <span class="hg-attempt__open">
        <Button
          size="s"
          kind="quiet"
          icon={isOpen ? 'down' : 'right'}
          expanded={isOpen}
          label={`Details of attempt ${attempt.number}`}
          onClick={() => setOpen(!isOpen)}
        >
          Details
        </Button>
      </span>
      <Why attempt={attempt} before={before} channel={channel} />
      {isOpen && (
        <div class="hg-attempt__exchange">
          <AttemptExchange delivery={delivery} attempt={attempt.number} />
        </div>
      )}
    </li>
  );
}

function resultOf({ ok, failure, status_code: code }: Attempt) {
  if (ok) return { text: code === null ? 'Delivered' : `HTTP ${code}`, tone: 'good' as const };
  return { text: causeOf(failure ?? 'internal_error', code).text, tone: 'bad' as const };
}

/** Said once where attempts fail in the same way. */
function Why({ attempt, before, channel }: Omit<RowProps, 'delivery'>) {
  if (attempt.ok || attempt.failure === null) return null;
  const isSame = before?.failure === attempt.failure && before.status_code === attempt.status_code;
  // The detail of an error status says no more than the cause.
  const hasDetail = (attempt.detail ?? '') !== '' && attempt.failure !== 'http_status';
  if (isSame && attempt.detail === before.detail) return null;
  return (
    <p class="hg-attempt__why">
      {!isSame && (
        <WhyFailed
          cause={causeOf(attempt.failure, attempt.status_code, attempt.detail ?? '')}
          channel={channel}
        />
      )}
      {hasDetail && <span class="hg-attempt__detail hg-mono">{visible(attempt.detail ?? '')}</span>}
    </p>
  );
}
