/** Signers of deliveries: with the secrets of the event's channel or of the endpoint, in the scheme of the endpoint. */
import type { Delivery, DeliverySigner, DeliveryTarget } from 'headgate/delivery';
import type { SchemeOption, Signer as LibrarySigner } from 'headgate/signing';
import { createSignerFor, withHeaders } from '../secrets/signer.js';

/** The secrets of a channel, oldest first; none for a channel that is gone. Equal lists may be one object. */
export type SecretsOf = (channelId: string) => Promise<readonly string[]>;

/** An endpoint, as attempts use it. */
export interface SignedTarget extends DeliveryTarget {
  readonly signature: SchemeOption;
  /** Opens the fixed headers; null without any. */
  readonly headers: (() => Readonly<Record<string, string>>) | null;
  /** Reads the endpoint's own secrets; null if those of the channel sign. */
  readonly secrets: (() => Promise<readonly string[]>) | null;
}

type Signer = Pick<LibrarySigner, 'headers'>;

const NO_SECRETS: readonly string[] = [];

/**
 * A function that returns the signer of a delivery, for the scheduler. If no secret can sign, it throws an
 * `OptionError`: the attempt fails and is retried, and at last the delivery is a dead letter, where it is seen.
 *
 * @param brand - The brand of the headers; that of the library unless given.
 */
export function createSigners(
  secretsOf: SecretsOf,
  brand?: string,
): (delivery: Delivery, target: SignedTarget) => Promise<DeliverySigner> {
  const known = new WeakMap<readonly string[], Map<SchemeOption, Signer>>();
  const once = createOnce();
  return async ({ columns }, { signature, headers, secrets: own }) => {
    const channel = columns?.channel_id;
    const ofChannel = () => (typeof channel === 'string' ? secretsOf(channel) : NO_SECRETS);
    const secrets = await (own ?? ofChannel)();
    const signers = known.get(secrets) ?? new Map<SchemeOption, Signer>();
    const signer = signers.get(signature) ?? once(createSignerFor({ secrets, signature, brand }));
    known.set(secrets, signers.set(signature, signer));
    const traceparent = columns?.traceparent;
    if (typeof traceparent === 'string') return withHeaders(signer, { ...headers?.(), traceparent });
    return headers === null ? signer : withHeaders(signer, headers());
  };
}

/**
 * A function that wraps signers, so that the deliveries of one event are signed once: those that are sent in the same
 * second have the same headers, and they come one after another. Only the last body and its headers are kept. The
 * scheduler never changes the bytes of a body.
 */
function createOnce(): (signer: Signer) => Signer {
  let last: readonly [Signer, ...Parameters<Signer['headers']>] | null = null;
  let signed: Record<string, string> = {};
  return (signer) => ({
    headers(body, about) {
      if (last?.[0] === signer && last[1] === body && isSame(last[2], about)) return signed;
      signed = signer.headers(body, about);
      last = [signer, body, about];
      return signed;
    },
  });
}

type Details = Parameters<Signer['headers']>[1];

const isSame = (one: Details, other: Details): boolean =>
  one.timestamp === other.timestamp &&
  one.eventId === other.eventId &&
  one.eventType === other.eventType &&
  one.origin === other.origin;
