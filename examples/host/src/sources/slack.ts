/** Slack: `X-Slack-Signature: v0=<hex>` over `v0:<timestamp>:<body>`. The event id is in the body. */
import { bodyMembers, idInBody } from './delivery-id.js';
import { hmacSource, parseSeconds } from './hmac.js';

export const slack = hmacSource({
  name: 'slack',
  headerSets: [['x-slack-signature', 'x-slack-request-timestamp']],
  encoding: 'hex',
  read([signature = '', time = '']) {
    const [, mac] = /^v0=([\da-f]{64})$/.exec(signature) ?? [];
    const timestamp = parseSeconds(time);
    if (mac === undefined || Number.isNaN(timestamp)) return null;
    return { timestamp, prefix: `v0:${time}:`, macs: [mac] };
  },
  deliveryId: idInBody('event_id'),
  challenge,
  // The outer type of most requests is event_callback.
  topic: ({ at }) => at('body', 'event', 'type') ?? at('body', 'type'),
});

/** Bytes of the longest request that may be a challenge. Slack's have about 150. */
const MAX_CHALLENGE = 2_048;

/** Slack takes an address only when it answers the first request with the challenge in it. */
function challenge(body: Uint8Array): string | null {
  if (body.byteLength > MAX_CHALLENGE) return null;
  const sent = bodyMembers(body);
  return sent.type === 'url_verification' && typeof sent.challenge === 'string' ? sent.challenge : null;
}
