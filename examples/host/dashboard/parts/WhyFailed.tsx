/** Why something could not be delivered, and what to do; with the secret to compare, if that may be the reason. */
import { isPortal } from '../data/index.js';
import { Link } from '../ui/index.js';
import type { Cause } from '../words/causes.js';

/** The channel whose secrets signed a delivery; null if it is not known, or deleted. */
export type SigningChannel = { readonly id: string } | null;

export const WhyFailed = ({
  cause: { cause, cure, isSecret },
  channel,
}: {
  readonly cause: Cause;
  readonly channel: SigningChannel;
}) => (
  <>
    {cause} <strong>{cure}</strong>
    {isSecret === true && !isPortal && (
      <>
        {' '}
        {channel === null ? (
          <Link href="/dashboard/channels">Show the channels and their secrets</Link>
        ) : (
          <Link href={`/dashboard/channels/${channel.id}`}>Show the secret of this channel</Link>
        )}
      </>
    )}
  </>
);
