/** Shapes that several modules share in their routes. */
import { z } from 'zod';

/** An id of everything but events: a UUID in lower case. */
export const id = z
  .string()
  .regex(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/, 'a UUID in lower case')
  .meta({ format: 'uuid' });

/** An id of an event. */
export const eventId = z
  .string()
  .regex(/^evt_[\dA-HJKMNP-TV-Z]{26}$/, 'evt_ and 26 characters of Crockford base32');

/** An instant as it is written in answers: ISO 8601, UTC, milliseconds. */
export const instant = z.string().meta({ format: 'date-time' });

/** An instant that a caller gives, as Unix milliseconds: ISO 8601 with a zone. */
export const instantIn = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= 0 && at < 253_402_300_800_000, 'an instant of the years 1970 to 9999')
  .meta({ format: 'date-time' });

/** A text for people: 1 to `most` code points, with no control character and no half of a character. */
export const line = (most: number) =>
  z
    .string()
    .min(1)
    // A text that has more units than this many characters can have is not counted.
    .refine((text) => text.length <= 2 * most && [...text].length <= most, `at most ${most} characters`)
    .refine((text) => text.length > 2 * most || !/[\p{Cc}\p{Cs}]/u.test(text), 'no control characters')
    .meta({ maxLength: most });

/** Parameters of a route under a project. */
export const inProject = z.object({ project: id });

/** The query of a list. Numbers in a query are texts. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});

/** A page: newest first unless the route says otherwise. `next` is null on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.string().nullable() });

/** Unix milliseconds as ISO 8601. */
export const iso = (at: number): string => new Date(at).toISOString();
/** The same for an instant that may be missing. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
