/** Says whether new things appear by themselves: `Live` only while they do. */
import { type Liveness, liveness, online } from '../data/index.js';
import { Badge } from '../ui/index.js';
import type { Status } from '../words/statuses.js';

const STATUSES = {
  connecting: { text: 'Connecting', tone: 'quiet', explains: 'The page is connecting to the service.' },
  live: { text: 'Live', tone: 'good', explains: 'New events appear by themselves.' },
  lost: {
    text: 'Not live',
    tone: 'warn',
    explains: 'The connection is lost, so new events do not appear. The page reconnects by itself.',
  },
} as const satisfies Record<Liveness, Status>;

/** @param isAway - The page asks again and again, and its last request was not answered. */
export const LiveBadge = ({
  isAway = false,
  bare = false,
}: {
  readonly isAway?: boolean;
  readonly bare?: boolean;
}) => (
  <span role="status">
    <Badge status={STATUSES[isAway || !online.value ? 'lost' : liveness()]} bare={bare} />
  </span>
);
