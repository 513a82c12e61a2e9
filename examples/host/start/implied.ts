/** The counts that must come out, worked out from the payloads in plain code, without any rule of the library. */
import { look } from '../../quickstart/implied.js';
import { type EndpointName, POLICY } from './project.js';

/** Counts of one endpoint. */
export interface EndpointCounts {
  readonly delivered: number;
  readonly failed: number;
  /** Requests that the receiver got; where nothing listens, attempts that the host has recorded. */
  readonly requests: number;
}

/** Every count of a run. */
export interface Counts {
  readonly accepted: number;
  readonly processed: number;
  readonly dropped: number;
  /** Events with the tag `urgent`. */
  readonly urgent: number;
  /** Events that are sent with a key taken out. */
  readonly redacted: number;
  readonly deadLetters: number;
  /** Matches of each rule, in the order of the rules. */
  readonly matched: readonly number[];
  readonly endpoints: Readonly<Record<EndpointName, EndpointCounts>>;
  /** Events that the SDK client got, each counted once. */
  readonly received: number;
  /** Replies of the SDK client that are stored. */
  readonly replies: number;
}

/** A webhook that is sent, with the name of its provider. */
interface Sent {
  readonly source: string;
  readonly body: object;
}

const looksOf = (bodies: readonly Sent[]) =>
  bodies.map(({ source, body }) => look({ data: { source, body } }));

/** The number of dropped events that the corrected rule lets through: see `correction.ts`. */
export const impliedCorrection = (bodies: readonly Sent[]): number =>
  looksOf(bodies).filter(({ testMode, large }) => testMode && large).length;

export function impliedCounts(bodies: readonly Sent[]): Counts {
  const looks = looksOf(bodies);
  const count = (holds: (seen: ReturnType<typeof look>) => boolean): number => looks.filter(holds).length;
  const kept = looks.filter(({ byBot, testMode }) => !byBot && !testMode);
  const routed = kept.filter(({ charge, large }) => charge && large).length;
  const everywhere = kept.length - routed;
  const urgent = kept.filter(({ toAll }) => toAll).length;
  const well = (delivered: number, requestsEach = 1): EndpointCounts => ({
    ...{ delivered, failed: 0, requests: delivered * requestsEach },
  });
  return {
    accepted: bodies.length,
    processed: kept.length,
    dropped: bodies.length - kept.length,
    urgent,
    redacted: kept.filter(({ hasKey }) => hasKey).length,
    deadLetters: everywhere,
    matched: [
      count(({ byBot }) => byBot),
      count(({ testMode }) => testMode),
      looks.length, // it goes through every body, and changes those that hold a key
      count(({ toAll }) => toAll),
      routed,
      kept.filter(({ charge }) => charge).length,
    ],
    endpoints: {
      healthy: well(everywhere),
      'fails twice': well(kept.length, 3),
      slow: well(everywhere),
      gone: { delivered: 0, failed: everywhere, requests: everywhere * POLICY.retry_max_attempts },
      paused: well(0),
    },
    received: kept.length,
    replies: urgent,
  };
}

/** Deliveries that must end, in all. */
export const deliveriesOf = ({ endpoints }: Counts): number =>
  Object.values(endpoints).reduce((sum, { delivered, failed }) => sum + delivered + failed, 0);
