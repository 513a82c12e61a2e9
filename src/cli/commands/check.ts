/** `headgate rules check` */
import { plural } from '../output/text.js';
import { styled } from '../output/printer.js';
import { printFindings } from '../rules/finding.js';
import { readRules } from '../rules/file.js';
import type { Run } from '../table/command.js';
import type { checkSpec } from '../table/rules.js';

export const run: Run<typeof checkSpec> = async ({ args, options }, context) => {
  const file = await readRules(args.FILE, context, options.plan);
  await printFindings(context, file.problems, options.json);
  const problems = file.problems.length;
  const rules = plural(file.rules.length, 'valid rule');
  await context.say.line(
    problems === 0
      ? styled('green', `${file.name}: ${rules}, no problems`)
      : styled('red', `${file.name}: ${plural(problems, 'problem')}, ${rules}`),
  );
  return problems === 0 ? 0 : 1;
};
