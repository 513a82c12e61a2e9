/** `headgate rules diff` */
import { compareRules, stringifyJson, type Decision, type Leaf, type RuleComparison } from '../../index.js';
import type { Context } from '../context.js';
import { styled } from '../output/printer.js';
import { grouped } from '../output/text.js';
import { showValue } from '../output/value.js';
import { printFindings } from '../rules/finding.js';
import { readRules, type RulesFile } from '../rules/file.js';
import { changesOf, showLeaf, showName } from '../rules/show.js';
import type { Exit, Run } from '../table/command.js';
import type { diffSpec } from '../table/rules.js';

type Difference = Extract<RuleComparison, { answer: 'differs' }>;

const EXITS: Readonly<Record<RuleComparison['answer'], Exit>> = { same: 0, differs: 1, unknown: 2 };

export const run: Run<typeof diffSpec> = async ({ args, options }, context) => {
  const before = await readRules(args.BEFORE, context);
  const after = await readRules(args.AFTER, context);
  const problems = [...before.problems, ...after.problems];
  if (problems.length > 0) {
    await printFindings({ ...context, out: context.say }, problems, false);
    return 1;
  }
  const comparison = compareRules(before.rules, after.rules);
  if (options.json) await context.out.json(inJson(comparison, before, after));
  else await print(comparison, before, after, context);
  return EXITS[comparison.answer];
};

const REASONS = {
  work_used_up: 'finding out takes more work than is spent on it',
  not_decided: 'the rules ask for something that is not decided, such as a large pattern; see docs/rules.md',
} as const;

async function print(
  comparison: RuleComparison,
  before: RulesFile,
  after: RulesFile,
  context: Context,
): Promise<void> {
  if (comparison.answer === 'differs') return printDifference(comparison, before, after, context);
  const line =
    comparison.answer === 'same'
      ? styled('green', 'every event is decided alike')
      : styled(
          'yellow',
          `not known: ${REASONS[comparison.reason]} (${grouped(Math.ceil(comparison.work))} units)`,
        );
  await context.say.line(line);
}

async function printDifference(
  { event, before, after, cause }: Difference,
  fileBefore: RulesFile,
  fileAfter: RulesFile,
  { out }: Context,
): Promise<void> {
  const file = cause.in === 'before' ? fileBefore : fileAfter;
  await out.line(styled('bold', 'this event is decided differently'));
  await out.line(`  ${stringifyJson(event)}`);
  await out.line('before  ', decisionLine(event, before));
  await out.line('after   ', decisionLine(event, after));
  await out.line(
    'because ',
    `rule ${String(file.numberOf(cause.rule))} ${JSON.stringify(showName(cause.rule))} of ${file.name}, ${partAt(cause.rule, cause.pointer)}`,
    styled('dim', `  ${cause.pointer}`),
  );
}

function decisionLine(event: Difference['event'], decision: Decision): string {
  if (decision.outcome === 'drop') return `dropped${tagsIn(decision)}`;
  const to =
    decision.endpointIds === null
      ? 'to every endpoint'
      : `to ${decision.endpointIds.join(', ') || 'no endpoint'}`;
  const changes = changesOf(event, decision).map(({ path, after }) => `${path} becomes ${showValue(after)}`);
  return [`delivered ${to}${tagsIn(decision)}`, ...changes].join(', ');
}

const tagsIn = ({ tags }: Decision): string => (tags.length === 0 ? '' : `, tagged ${tags.join(', ')}`);

/** The part of a rule that a pointer leads to, in words. */
function partAt(rule: object, pointer: string): string {
  let part: unknown = rule;
  for (const key of pointer.split('/').slice(1)) part = (part as Readonly<Record<string, unknown>>)[key];
  if (pointer === '/action') return 'which has another action';
  return pointer === '/priority' ? 'which runs at another time' : `by ${showLeaf(part as Leaf)}`;
}

/** The answer for programs, with the rule as its number in its file, from 1. */
function inJson(comparison: RuleComparison, before: RulesFile, after: RulesFile): unknown {
  if (comparison.answer !== 'differs') return comparison;
  const { answer, event, cause, work } = comparison;
  const file = cause.in === 'before' ? before : after;
  const decision = ({ outcome, tags, endpointIds, event: { data } }: Decision) => ({
    outcome,
    tags,
    endpointIds,
    data,
  });
  return {
    ...{ answer, event, before: decision(comparison.before), after: decision(comparison.after) },
    cause: { in: cause.in, rule: file.numberOf(cause.rule), name: cause.rule.name, pointer: cause.pointer },
    work,
  };
}
