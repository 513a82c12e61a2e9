/** Signing secrets, as the routes of channels and of endpoints take and show them. */
import { z } from 'zod';
import { instant } from '../api/shapes.js';

/** Most secrets that sign, which is the most that a receiver compares. */
export const MAX_SECRETS = 16;
const MAX_KEEP_HOURS = 720;

/** A signing secret, revealed. */
export const signingSecret = z.object({
  id: z.string(),
  secret: z.string(),
  created_at: instant,
  /** Null for the one that signs until another is added. */
  expires_at: instant.nullable(),
});
export type SigningSecret = z.output<typeof signingSecret>;

/** All of them, oldest first. */
export const signingSecrets = z.object({ items: z.array(signingSecret) });

/** Longer than the base64 of 64 bytes. */
const MAX_SECRET_LENGTH = 100;

/** A rotation: how long the secrets before the new one still sign, and the new one unless it is to be drawn. */
export const rotation = z
  .strictObject({
    keep_hours: z.number().int().min(0).max(MAX_KEEP_HOURS).default(24),
    /** `whsec_` and the base64 of 24 to 64 bytes. */
    secret: z.string().max(MAX_SECRET_LENGTH).optional(),
  })
  .default({ keep_hours: 24 });
export type Rotation = z.output<typeof rotation>;
