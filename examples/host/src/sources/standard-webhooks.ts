/**
 * Standard Webhooks 1.0, symmetric: `v1,<base64>` over `<id>.<timestamp>.<body>`. Svix's own names of the headers are
 * read too, since many providers send through Svix.
 */
import { idInHeader } from './delivery-id.js';
import { hmacSource, parseSeconds } from './hmac.js';

const namesOf = (brand: string): readonly string[] => [
  `${brand}-id`,
  `${brand}-timestamp`,
  `${brand}-signature`,
];

/** A signature of any version. Two headers that were joined with a comma have none of this form in the middle. */
const VERSIONED = /^\w+,[\w+/=-]+$/;
const V1 = /^v1,[\w+/]{43}=$/;

/** Most signatures of one header that are compared. A sender writes one for each of its secrets. */
const MAX_SIGNATURES = 16;

export const standardWebhooks = hmacSource({
  name: 'standard_webhooks',
  headerSets: [namesOf('webhook'), namesOf('svix')],
  encoding: 'base64',
  read([id = '', time = '', signatures = '']) {
    const parts = signatures.split(' ');
    const macs = parts.filter((part) => V1.test(part)).map((part) => part.slice('v1,'.length));
    const timestamp = parseSeconds(time);
    const isWellFormed = parts.every((part) => VERSIONED.test(part)) && macs.length > 0;
    // With a full stop in the id, one signature would fit two splits of what is signed.
    if (!isWellFormed || Number.isNaN(timestamp) || !/^[^.]+$/.test(id)) return null;
    return { timestamp, prefix: `${id}.${time}.`, macs: macs.slice(0, MAX_SIGNATURES) };
  },
  keyOf: (secret) => Buffer.from(withoutPrefix(secret), 'base64'),
  secretProblem: (secret) => (BASE64.test(withoutPrefix(secret)) ? null : 'is not whsec_ and base64'),
  deliveryId: idInHeader(['webhook-id', 'svix-id'], { isSigned: true }),
});

/** At least one byte, with or without padding. */
const BASE64 = /^(?=.)(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;
const withoutPrefix = (secret: string): string => secret.replace(/^whsec_/, '');
