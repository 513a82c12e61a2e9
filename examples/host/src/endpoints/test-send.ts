/** Test sends: one event to one endpoint, and the result. Nothing is stored. */
import { type AttemptRequest, eventBody, type Transport } from 'headgate/delivery';
import { OptionError } from 'headgate/signing';
import { iso } from '../api/shapes.js';
import { createEventIds } from '../ids.js';
import { Problem } from '../errors/problem.js';
import { createTurns } from '../limits/turns.js';
import { SealingError } from '../secrets/sealing.js';
import { createSignerFor, type Signing, withHeaders } from '../secrets/signer.js';
import type { TestResult } from './routes.js';
import type { Target } from './shown.js';

/** Dependencies of {@link createTestSend}. */
export interface TestSendParts {
  readonly now: () => number;
  /** Sends one attempt, with the address guard of deliveries. */
  readonly send: Transport['send'];
  /** The channel of this id, or the oldest one of the project; null if it does not exist. */
  readonly channelOf: (
    project: string,
    id: string | null,
  ) => Promise<{ readonly id: string; readonly name: string } | null>;
  /** The secrets of a channel, oldest first. */
  readonly secretsOf: (channel: string) => Promise<readonly string[]>;
  /** The brand of the headers; that of the library unless given. */
  readonly brand?: string;
}

/** A test that is asked for. */
export interface TestSend {
  readonly project: string;
  readonly endpoint: string;
  readonly target: Target;
  readonly channel: string | null;
  readonly signal: AbortSignal;
}

/** Most tests of one project at a time: each may take ten seconds. */
const TURNS = { atOnce: Infinity, ofProject: 4, waiting: 0, allWaiting: 0, of: 'tests' };

export function createTestSend(parts: TestSendParts): (test: TestSend) => Promise<TestResult> {
  const turns = createTurns(TURNS);
  return (test) => turns.run(test.project, () => sendTest(test, parts));
}

async function sendTest(test: TestSend, parts: TestSendParts): Promise<TestResult> {
  const { project, target, signal } = test;
  const channel = await parts.channelOf(project, test.channel);
  if (channel === null) {
    throw test.channel === null
      ? new Problem(
          'conflict',
          'the project has no channel, from which the event of a test comes: make one first',
        )
      : new Problem('conflict', 'channel_id: the project has no such channel');
  }
  const at = parts.now();
  const eventId = createEventIds()(at);
  const request = await requestOf(test, { at, eventId, channel }, parts);
  const outcome = await parts.send({ ...request, url: target.url }, signal);
  return {
    ok: outcome.ok,
    status: outcome.status ?? null,
    failure: outcome.ok ? null : outcome.failure,
    detail: outcome.ok ? null : outcome.detail,
    ms: Math.max(0, parts.now() - at),
    event_id: eventId,
    channel_id: channel.id,
  };
}

/** The event of a test. */
interface TestEvent {
  readonly at: number;
  readonly eventId: string;
  readonly channel: { readonly id: string; readonly name: string };
}

const TYPE = 'endpoint.test';

/** Signed as deliveries are, with origin `live`. */
async function requestOf(
  { endpoint, target: { signature, headers, secrets } }: TestSend,
  { at, eventId, channel }: TestEvent,
  { secretsOf, brand }: TestSendParts,
): Promise<Omit<AttemptRequest, 'url'>> {
  const body = eventBody({
    id: eventId,
    type: TYPE,
    channel: { id: channel.id, type: 'webhook', name: channel.name },
    received_at: iso(at),
    data: { body: { message: 'A test of this endpoint. No event came in.', endpoint_id: endpoint } },
    status: 'processed',
    tags: [],
  });
  const signer = signerOf(
    { secrets: await (secrets?.() ?? secretsOf(channel.id)), signature, brand },
    headers,
  );
  const about = { eventId, eventType: TYPE, origin: 'live', timestamp: Math.floor(at / 1_000) } as const;
  return { headers: signer.headers(body, about), body };
}

/** @throws Problem `conflict` if no secret can sign, or the headers cannot be opened. */
function signerOf(signing: Signing, headers: Target['headers']): ReturnType<typeof createSignerFor> {
  try {
    const signer = createSignerFor(signing);
    return headers === null ? signer : withHeaders(signer, headers());
  } catch (error) {
    if (error instanceof OptionError) throw new Problem('conflict', UNUSABLE);
    if (error instanceof SealingError) throw new Problem('conflict', UNREADABLE);
    throw error;
  }
}

const UNUSABLE =
  'Standard Webhooks cannot use any of the secrets that would sign the test: rotate the secret';
const UNREADABLE =
  'the headers of the endpoint cannot be read, since their sealing key is missing: set them again';
