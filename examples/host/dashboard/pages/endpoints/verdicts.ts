/** Why a request at a receiver is not verified, in words. Pure. */
import type { Output } from '../../data/index.js';

type Reason = NonNullable<Output<'listReceivedRequests'>['items'][number]['verdict']['code']>;

const REASONS: Readonly<Record<Reason, string>> = {
  missing_header: 'It has no signature: somebody else sent it, or a proxy took the header away.',
  malformed_header: 'Its signature has not the right form: a proxy may have changed or doubled the header.',
  timestamp_mismatch: 'Its two times differ: a proxy may have changed a header.',
  timestamp_too_old:
    'It was signed more than five minutes before it came: it was sent again by somebody, or waited on its way.',
  timestamp_in_future: 'It was signed in the future: the clock of its sender is ahead.',
  signature_mismatch:
    'None of the secrets has made this signature: the body was changed, or somebody else signed it.',
  unknown_channel: 'Its body names no channel of this project.',
  body_too_large: 'Its body is too large to be verified here.',
};

/** One that is not known is shown as it is. */
export const verdictText = (code: string): string =>
  (REASONS as Readonly<Record<string, string>>)[code] ?? code;
