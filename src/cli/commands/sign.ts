/** `headgate sign` */
import { createSigner } from '../../signing/index.js';
import { idAndType, readBody } from '../input/body.js';
import { requireSecrets } from '../input/secrets.js';
import { STDIN } from '../input/read.js';
import type { Run } from '../table/command.js';
import type { signSpec } from '../table/signing.js';

export const run: Run<typeof signSpec> = async ({ args, options }, context) => {
  const secrets = await requireSecrets(options, context);
  const body = await readBody(args.BODY ?? STDIN, context);
  const { id, type } = idAndType(body);
  const headers = createSigner({ secrets, brand: options.brand, scheme: options.scheme }).headers(body, {
    eventId: options['event-id'] ?? id,
    eventType: options['event-type'] ?? type,
    origin: options.origin,
    timestamp: Math.floor((options.timestamp ?? context.now()) / 1_000),
  });
  if (options.json) await context.out.json(headers);
  else for (const [name, value] of Object.entries(headers)) await context.out.line(`${name}: ${value}`);
  return 0;
};
