/** The route by which events come in. */
import { z } from 'zod';
import { route } from '../api/route.js';

/** An address, or the id of a channel. */
const channel = z.string().regex(/^[\w-]{1,64}$/);

export const ingest = route({
  name: 'ingest',
  method: 'POST',
  path: '/in/{channel}',
  access: 'anybody',
  summary: 'Takes an event',
  description: `\`{channel}\` is the last part of the channel's address, or its id together with a key of scope \`ingest\`.
JSON, forms and text are taken, in UTF-8. The answer comes once the event is on the disk; rules decide afterwards. A second
request with one \`Idempotency-Key\`, or with one delivery id of the provider, makes no second event within 24 hours.`,
  params: z.object({ channel }),
  body: 'raw',
  status: 202,
  idempotent: true,
  answer: z.object({
    id: z.string(),
    status: z.enum(['received', 'processed', 'dropped']),
    /** True where an earlier request made the event. */
    duplicate: z.boolean(),
  }),
  problems: [
    'invalid_json',
    'unauthorized',
    'signature_invalid',
    'forbidden',
    'not_found',
    'idempotency_conflict',
    'body_too_large',
    'unsupported_media_type',
    'too_many_requests',
    'overloaded',
  ],
});

/** All routes of this module. */
export const ingestRoutes = { ingest };
