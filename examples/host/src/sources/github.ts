/** GitHub: `X-Hub-Signature-256: sha256=<hex>` over the body. The scheme has no time. The delivery id is not signed. */
import { idInHeader } from './delivery-id.js';
import { singleHeader } from '../http/headers.js';
import { hmacSource } from './hmac.js';

export const github = hmacSource({
  name: 'github',
  headerSets: [['x-hub-signature-256']],
  encoding: 'hex',
  read([signature = '']) {
    const [, mac] = /^sha256=([\da-f]{64})$/.exec(signature) ?? [];
    return mac === undefined ? null : { timestamp: null, prefix: '', macs: [mac] };
  },
  deliveryId: idInHeader(['x-github-delivery'], { isSigned: false }),
  topic({ headers, at }) {
    const event = singleHeader(headers, 'x-github-event');
    const action = at('body', 'action');
    return event === null || action === null ? event : `${event}.${action}`;
  },
});
