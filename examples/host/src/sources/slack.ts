/** Slack: `X-Slack-Signature: v0=<hex>` over `v0:<timestamp>:<body>`. Its delivery ids stand in the body alone. */
import { JsonError, parseJson } from 'headgate';
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
  deliveryId: () => null,
  challenge,
});

/** Bytes of the longest request that may be a challenge. Slack's have about 150. */
const MAX_CHALLENGE = 2_048;

/** Slack takes an address only when it answers the first request with the challenge in it. */
function challenge(body: Uint8Array): string | null {
  if (body.byteLength > MAX_CHALLENGE) return null;
  const sent = parseObject(new TextDecoder().decode(body));
  return sent.type === 'url_verification' && typeof sent.challenge === 'string' ? sent.challenge : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(parseJson(text)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof JsonError) return {};
    throw error;
  }
}
