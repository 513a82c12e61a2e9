/**
 * The counts that must come out, worked out from the payloads in plain code, without any rule of the library,
 * so that a mistake of the library cannot hide.
 */
import type { Event } from 'headgate';
import { apiKey, policy, type ReceiverName } from './project.js';

/** Counts of one endpoint. */
export interface EndpointCounts {
  /** Events that it has answered with 2xx. */
  readonly delivered: number;
  /** Deliveries that ended as dead letters. */
  readonly failed: number;
  /** Requests that it has verified; repeats make more of them. */
  readonly requests: number;
}

export interface Counts {
  /** Matches by rule id. */
  readonly matched: Readonly<Record<string, number>>;
  readonly dropped: number;
  /** Events that are sent with a key taken out. */
  readonly redacted: number;
  readonly endpoints: Readonly<Record<ReceiverName, EndpointCounts>>;
}

interface Payload {
  readonly sender?: { readonly type?: string; readonly login?: string };
  readonly livemode?: boolean;
  readonly content?: string;
  readonly event?: { readonly text: string };
  readonly data?: { readonly object: { readonly amount: number } };
}

/** The facts that a reader of the payload would note. */
export function look({ data }: Pick<Event, 'data'>) {
  const body = data.body as Payload;
  const text = body.event?.text ?? body.content ?? '';
  return {
    byBot: body.sender?.type === 'Bot' || body.sender?.login?.endsWith('[bot]') === true,
    testMode: body.livemode === false,
    // One of GitHub's examples holds the id of an AWS key.
    hasKey: text.includes(apiKey) || /AKIA[0-9A-Z]{16}/.test(JSON.stringify(body)),
    toAll: /<!(channel|here)>|@everyone/.test(text),
    charge: data.source === 'stripe',
    large: (body.data?.object as { amount?: number } | undefined)?.amount === 250_000,
  };
}

export function impliedCounts(events: readonly Event[]): Counts {
  const looks = events.map(look);
  const count = (holds: (seen: ReturnType<typeof look>) => boolean): number => looks.filter(holds).length;
  const kept = looks.filter(({ byBot, testMode }) => !byBot && !testMode);
  const routed = kept.filter(({ charge, large }) => charge && large).length;
  const everywhere = kept.length - routed;
  return {
    matched: {
      r1: count(({ byBot }) => byBot),
      r2: count(({ testMode }) => testMode),
      r3: looks.length, // it goes through every body, and changes those that hold a key
      r4: count(({ toAll }) => toAll),
      r5: routed,
      r6: kept.filter(({ charge }) => charge).length,
    },
    dropped: looks.length - kept.length,
    redacted: kept.filter(({ hasKey }) => hasKey).length,
    endpoints: {
      healthy: { delivered: everywhere, failed: 0, requests: everywhere },
      'fails twice': { delivered: kept.length, failed: 0, requests: kept.length * 3 },
      'always fails': {
        delivered: 0,
        failed: everywhere,
        requests: everywhere * policy.retry_max_attempts,
      },
      paused: { delivered: 0, failed: 0, requests: 0 },
    },
  };
}
