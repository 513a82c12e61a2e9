/** `headgate dead-letters redeliver` */
import { UsageError } from '../context.js';
import { plural } from '../output/text.js';
import { filterOf } from '../store/filter.js';
import { withStore } from '../store/open.js';
import type { Run } from '../table/command.js';
import type { redeliverSpec } from '../table/store.js';

export const run: Run<typeof redeliverSpec> = async ({ args, options }, context) => {
  const filter = filterOf(options);
  const hasCondition = Object.keys(filter).length > 0;
  if (hasCondition && options.all) throw new UsageError('give conditions or --all, not both');
  if (!hasCondition && !options.all) {
    throw new UsageError(
      'give a condition, such as --endpoint or --from, or --all to redeliver every dead letter',
    );
  }
  const action = options.action ?? `cli-${Buffer.from(context.random(9)).toString('base64url')}`;
  // Before the work, so that it is known if the command is cut off.
  await context.say.line(`action ${action}`);
  const redelivered = await withStore(
    { store: args.STORE, schema: options.schema },
    context,
    ({ deadLetters }) => deadLetters.redeliver(filter, { at: context.now(), replay: action }),
  );
  if (options.json) await context.out.json({ redelivered, action });
  else await context.out.line(`${plural(redelivered, 'delivery is', 'deliveries are')} due again`);
  return 0;
};
