/** `headgate completion` */
import { completionScript } from '../completion.js';
import type { Run } from '../table/command.js';
import type { completionSpec } from '../table/completion.js';

export const run: Run<typeof completionSpec> = async ({ args }, context) => {
  for (const line of completionScript(args.SHELL, context.specs).split('\n')) await context.out.line(line);
  return 0;
};
