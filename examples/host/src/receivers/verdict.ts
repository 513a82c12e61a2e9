/** Judges whether one of a project's channels has signed a request. Pure but for the look-up of secrets. */
import { createVerifier, SignatureError, type VerifiedDelivery } from 'headgate/signing';
import { iso } from '../api/shapes.js';
import { isUuid } from '../ids.js';
import type { Verdict } from './routes.js';

/** A secret of a channel. */
export interface NamedSecret {
  readonly id: string;
  readonly secret: string;
}

/** A request to judge. */
export interface Judged {
  readonly project: string;
  /** The URL of the receiver. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Unix ms. */
  readonly at: number;
}

/** Dependencies of {@link createJudge}. */
export interface JudgeParts {
  /** Oldest first; none if the project has no such channel. One that was deleted still signs. */
  readonly secretsIn: (project: string, channel: string) => Promise<readonly NamedSecret[]>;
  /** The secrets of the endpoints of a project with this URL that sign by their own. */
  readonly secretsAt: (project: string, url: string) => Promise<readonly NamedSecret[]>;
  /** The brand of the headers. */
  readonly brand: string;
}

/** A verdict, and the event that the request names. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly event_id: string | null;
}

/** The body has to be parsed to know its channel, and all requests wait meanwhile. */
const MAX_JUDGED_BYTES = 1_048_576;
const NONE = { ok: false, code: null, message: null, channel_id: null, secret_ids: [], signed_at: null };

/** Makes a judge, which never rejects for what a request has in it. */
export const createJudge =
  ({ secretsIn, secretsAt, brand }: JudgeParts) =>
  async (judged: Judged): Promise<Judgement> => {
    const { project, url, body } = judged;
    if (body.byteLength > MAX_JUDGED_BYTES) return refused('body_too_large', TOO_LARGE);
    const named = channelIn(body);
    const ofChannel = named === null ? [] : await secretsIn(project, named);
    if (named === null || ofChannel.length === 0) return unsigned(judged, brand);
    const secrets = [...ofChannel, ...(await secretsAt(project, url))];
    const fitting = secrets.filter((one) => !(check(judged, brand, [one]) instanceof SignatureError));
    const all = check(judged, brand, fitting.length > 0 ? fitting.slice(0, 1) : ofChannel);
    if (all instanceof SignatureError) return refused(all.code, all.message, named);
    return {
      event_id: all.eventId === '' ? null : all.eventId,
      verdict: {
        ...{ ...NONE, ok: true, channel_id: named },
        ...{ secret_ids: fitting.map(({ id }) => id), signed_at: iso(all.timestamp * 1_000) },
      },
    };
  };

/** Without a channel no signature counts; if it is missing or old, that is the better reason. */
function unsigned(judged: Judged, brand: string): Judgement {
  const found = check(judged, brand, [NOBODYS]);
  return found instanceof SignatureError && found.code !== 'signature_mismatch'
    ? refused(found.code, found.message)
    : refused('unknown_channel', UNKNOWN_CHANNEL);
}

const NOBODYS: NamedSecret = { id: '', secret: 'no channel has this secret' };
const UNKNOWN_CHANNEL =
  'the body names no channel of this project, so none of its secrets can have signed it';
const TOO_LARGE = 'only bodies of up to 1 MiB are verified here';

const refused = (
  code: NonNullable<Verdict['code']>,
  message: string,
  channel_id: string | null = null,
): Judgement => ({ event_id: null, verdict: { ...NONE, code, message, channel_id } });

function check(
  { headers, body, at }: Judged,
  brand: string,
  secrets: readonly NamedSecret[],
): VerifiedDelivery | SignatureError {
  const now = (): number => Math.floor(at / 1_000);
  const verify = createVerifier({ secrets: secrets.map(({ secret }) => secret), brand, now });
  try {
    return verify(body, headers);
  } catch (error) {
    if (error instanceof SignatureError) return error;
    throw error;
  }
}

/** The channel that a delivered event names; null if the body is no such event. */
function channelIn(body: Uint8Array): string | null {
  const { channel } = (parsed(body) ?? {}) as { readonly channel?: { readonly id?: unknown } | null };
  return typeof channel?.id === 'string' && isUuid(channel.id) ? channel.id : null;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return null;
  }
}
