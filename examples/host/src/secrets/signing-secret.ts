/** Signing secrets of channels. */
import { randomBytes } from 'node:crypto';
import type { Random } from '../ids.js';

/** A new signing secret: `whsec_` and 32 random bytes in base64url. */
export const newSigningSecret = (random: Random = randomBytes): string =>
  `whsec_${Buffer.from(random(32)).toString('base64url')}`;
