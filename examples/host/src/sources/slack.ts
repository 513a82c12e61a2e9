/** Slack: `X-Slack-Signature: v0=<hex>` over `v0:<timestamp>:<body>`. Its delivery ids stand in the body alone. */
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
});
