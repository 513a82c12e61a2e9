/** `headgate rules lint` */
import { styled } from '../output/printer.js';
import { plural } from '../output/text.js';
import { printFindings } from '../rules/finding.js';
import { readRules } from '../rules/file.js';
import type { Run } from '../table/command.js';
import type { lintSpec } from '../table/rules.js';

export const run: Run<typeof lintSpec> = async ({ args, options }, context) => {
  const file = await readRules(args.FILE, context);
  const warnings = file.lint();
  await printFindings(context, [...file.problems, ...warnings], options.json);
  const isFine = file.problems.length + warnings.length === 0;
  const counts = [
    plural(file.problems.length, 'problem'),
    plural(warnings.length, 'warning'),
    plural(file.rules.length, 'valid rule'),
  ];
  const words = isFine ? `${plural(file.rules.length, 'valid rule')}, no warnings` : counts.join(', ');
  await context.say.line(styled(isFine ? 'green' : 'yellow', `${file.name}: ${words}`));
  return isFine ? 0 : 1;
};
