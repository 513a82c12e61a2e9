/** `headgate migrate` */
import { styled } from '../output/printer.js';
import { migrateStore } from '../store/open.js';
import type { Run } from '../table/command.js';
import type { migrateSpec } from '../table/store.js';

export const run: Run<typeof migrateSpec> = async ({ args, options }, context) => {
  await migrateStore({ store: args.STORE, schema: options.schema }, context);
  if (options.json) await context.out.json({ migrated: true });
  else await context.say.line(styled('green', 'the tables are up to date'));
  return 0;
};
