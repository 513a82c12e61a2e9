/** Signers of deliveries: an event is signed with the secrets of its channel, whichever endpoint gets it. */
import type { Delivery, DeliverySigner } from 'headgate/delivery';
import { createSigner } from 'headgate/signing';

/** The secrets of a channel, newest first; none for a channel that is gone. Equal lists may be one object. */
export type SecretsOf = (channelId: string) => Promise<readonly string[]>;

const NO_SECRETS: readonly string[] = [];

/**
 * A function that returns the signer of a delivery, for the scheduler. Without a secret, the signer cannot be made and
 * throws an `OptionError`: the attempt fails, and the delivery ends as a dead letter, where it is seen.
 *
 * @param brand - Of the headers; that of the library unless given.
 */
export function createSigners(
  secretsOf: SecretsOf,
  brand?: string,
): (delivery: Delivery) => Promise<DeliverySigner> {
  const signers = new WeakMap<readonly string[], DeliverySigner>();
  return async ({ columns }) => {
    const channel = columns?.channel_id;
    const secrets = typeof channel === 'string' ? await secretsOf(channel) : NO_SECRETS;
    const signer = signers.get(secrets) ?? createSigner({ secrets, ...(brand !== undefined && { brand }) });
    signers.set(secrets, signer);
    return signer;
  };
}
