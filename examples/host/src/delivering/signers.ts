/** Signers of deliveries: an event is signed with the secrets of its channel, whichever endpoint gets it. */
import type { Delivery, DeliverySigner } from 'headgate/delivery';
import { createSigner } from 'headgate/signing';
import type { Queries } from '../db/index.js';
import { createBatch } from '../ground/batch.js';
import { CHANNELS_OF_EVENTS } from './statements.js';

/** The secrets of a channel, newest first; none for a channel that is gone. Equal lists may be one object. */
export type SecretsOf = (channelId: string) => Promise<readonly string[]>;

/**
 * A function that returns the signer of a delivery, for the scheduler. Without a secret, the signer cannot be made and
 * throws an `OptionError`: the attempt fails, and the delivery ends as a dead letter, where it is seen.
 *
 * @param brand - Of the headers; that of the library unless given.
 */
export function createSigners(
  queries: Queries,
  secretsOf: SecretsOf,
  brand?: string,
): (delivery: Delivery) => Promise<DeliverySigner> {
  const channelOf = createChannelLookup(queries);
  const signers = new WeakMap<readonly string[], DeliverySigner>();
  return async ({ event_id }) => {
    const channel = await channelOf(event_id);
    const secrets = channel === null ? [] : await secretsOf(channel);
    const signer = signers.get(secrets) ?? createSigner({ secrets, ...(brand !== undefined && { brand }) });
    signers.set(secrets, signer);
    return signer;
  };
}

/** An event never changes its channel. Beyond this number the oldest look-up is forgotten. */
const MOST_KNOWN = 10_000;

type Channel = string | null;

/** The channels of events; those that are asked for together are looked up together. */
function createChannelLookup(queries: Queries): (eventId: string) => Promise<Channel> {
  const known = new Map<string, Channel>();
  const lookUp = createBatch(async (ids: readonly string[]) => {
    const rows = await queries.all<{ id: string; channel_id: Channel }>(CHANNELS_OF_EVENTS, [
      JSON.stringify(ids),
    ]);
    return new Map(rows.map(({ id, channel_id }) => [id, channel_id]));
  });
  return async (eventId) => {
    const found = known.get(eventId) ?? (await lookUp(eventId)) ?? null;
    if (found !== null) known.set(eventId, found);
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value as string);
    return found;
  };
}
