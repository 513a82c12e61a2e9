/** `headgate dead-letters count` */
import { filterOf } from '../store/filter.js';
import { withStore } from '../store/open.js';
import type { Run } from '../table/command.js';
import type { countSpec } from '../table/store.js';

export const run: Run<typeof countSpec> = async ({ args, options }, context) => {
  const count = await withStore({ store: args.STORE, schema: options.schema }, context, ({ deadLetters }) =>
    deadLetters.count(filterOf(options)),
  );
  if (options.json) await context.out.json({ count });
  else await context.out.line(String(count));
  return 0;
};
