/** `headgate send` */
import { createHttpTransport } from '../../adapters/http/index.js';
import { createSigner } from '../../signing/index.js';
import { type Context, UsageError } from '../context.js';
import { idAndType, readBody } from '../input/body.js';
import { requireSecrets } from '../input/secrets.js';
import { ANYWHERE, answerLine, assertUrl } from '../sending.js';
import type { Run } from '../table/command.js';
import type { sendSpec } from '../table/signing.js';

const MAX_TIMEOUT_MS = 10_000;

export const run: Run<typeof sendSpec> = async ({ args, options }, context) => {
  if (options.timeout < 1 || options.timeout > MAX_TIMEOUT_MS) {
    throw new UsageError('--timeout: give a length of time up to 10s');
  }
  assertUrl('URL', args.URL);
  const secrets = await requireSecrets(options, context);
  const body = args.BODY === undefined ? sample(context) : await readBody(args.BODY, context);
  const { id, type } = idAndType(body);
  const timestamp = Math.floor((options.timestamp ?? context.now()) / 1_000);
  const details = {
    eventId: options['event-id'] ?? id,
    eventType: options['event-type'] ?? type,
    origin: options.origin,
    timestamp,
  };
  const headers = createSigner({ secrets, brand: options.brand, scheme: options.scheme }).headers(
    body,
    details,
  );
  const transport = createHttpTransport({ allow: ANYWHERE, timeoutMs: options.timeout });
  const startedAt = context.now();
  const outcome = await transport.send({ url: args.URL, headers, body }, new AbortController().signal);
  const ms = context.now() - startedAt;
  await transport.close();
  const { eventId: event_id, eventType: event_type, origin } = details;
  if (options.json) {
    await context.out.json({ event_id, event_type, origin, timestamp, ...outcome, ms });
  } else {
    await context.out.line(`--> ${event_type} ${event_id} (${body.length} bytes)`);
    await context.out.line(...answerLine(outcome, ms));
  }
  return outcome.ok ? 0 : 1;
};

/** An event for people who have none at hand. */
function sample({ now, random }: Context): Uint8Array {
  const event = {
    id: `evt_${Buffer.from(random(12)).toString('hex')}`,
    type: 'webhook.received',
    channel: { type: 'webhook' },
    data: { body: { hello: 'world' } },
    received_at: new Date(now()).toISOString(),
  };
  return new TextEncoder().encode(JSON.stringify(event));
}
