/** `headgate retention` */
import { UsageError } from '../context.js';
import { plural } from '../output/text.js';
import { withStore } from '../store/open.js';
import type { Run } from '../table/command.js';
import type { retentionSpec } from '../table/store.js';

export const run: Run<typeof retentionSpec> = async ({ args, options }, context) => {
  const { before, 'older-than': age } = options;
  if ((before === undefined) === (age === undefined)) {
    throw new UsageError('give --older-than or --before, one of them');
  }
  const end = before ?? context.now() - (age ?? 0);
  const { deliveries, bodies } = await withStore(
    { store: args.STORE, schema: options.schema },
    context,
    (store) => store.deleteFinished({ before: end, batchSize: options.batch }),
  );
  if (options.json) await context.out.json({ before: new Date(end).toISOString(), deliveries, bodies });
  else {
    await context.out.line(
      `deleted ${plural(deliveries, 'delivery', 'deliveries')} and ${plural(bodies, 'body', 'bodies')}`,
    );
  }
  return 0;
};
