/** `headgate rules try` */
import { compileRules, type Decision, type Event, type Rule } from '../../index.js';
import type { Context } from '../context.js';
import { EventIntake, type InputEvent } from '../input/intake.js';
import { type Part, styled } from '../output/printer.js';
import { Table } from '../output/table.js';
import { grouped } from '../output/text.js';
import { printFindings } from '../rules/finding.js';
import { readRules } from '../rules/file.js';
import { addedTags, changesOf, showChanges, showName, textIn } from '../rules/show.js';
import type { Run } from '../table/command.js';
import type { trySpec } from '../table/rules.js';

const HEADING = ['EVENT', 'TYPE', 'OUTCOME', 'RULES', 'TAGS ADDED', 'ENDPOINTS', 'CHANGED'];

export const run: Run<typeof trySpec> = async ({ args, options }, context) => {
  const file = await readRules(args.FILE, context);
  // Decisions by the other rules alone would be decisions that nobody means.
  if (file.problems.length > 0) {
    await printFindings({ ...context, out: context.say }, file.problems, false);
    return 1;
  }
  const rules = compileRules(file.rules);
  const intake = new EventIntake(args.EVENTS, context, { body: options.body });
  const table = new Table(context.out, HEADING);
  // Standard input may give its next event tomorrow: nothing is held back.
  const isLive = intake.isStdin && !options.json;
  let dropped = 0;
  for await (const event of intake) {
    const decision = rules.evaluate(event as unknown as Event);
    if (decision.outcome === 'drop') dropped++;
    if (options.json) await context.out.json(recordOf(event, decision));
    else await table.row(...cellsOf(event, decision));
    if (isLive) await table.end();
  }
  await table.end();
  await tellSummary(context, intake, dropped);
  return intake.problems === 0 ? 0 : 1;
};

const tellSummary = ({ say }: Context, intake: EventIntake, dropped: number): Promise<void> =>
  say.line(`${intake.summary}: ${grouped(intake.events - dropped)} delivered, ${grouped(dropped)} dropped`);

function cellsOf(event: InputEvent, decision: Decision): readonly Part[] {
  const { droppedBy, matched, endpointIds, limits } = decision;
  return [
    textIn(event.id),
    textIn(event.type),
    droppedBy === null ? styled('green', 'deliver') : styled('red', 'drop'),
    [...matched.map(showName), ...(limits.length > 0 ? ['(a pattern met its work budget)'] : [])].join(', '),
    addedTags(event, decision).join(', '),
    endpointIds === null ? '' : endpointIds.join(', '),
    showChanges(changesOf(event, decision)),
  ];
}

/** A decision for programs. */
const recordOf = (event: InputEvent, decision: Decision): object => ({
  id: event.id ?? null,
  type: event.type ?? null,
  outcome: decision.outcome,
  dropped_by: decision.droppedBy && idAndName(decision.droppedBy),
  matched: decision.matched.map(idAndName),
  tags: decision.tags,
  endpoint_ids: decision.endpointIds,
  diff: changesOf(event, decision),
  limits: decision.limits.map(({ rule, path, pattern }) => ({ ...idAndName(rule), path, pattern })),
});

const idAndName = ({ id, name }: Rule): { readonly id: string; readonly name: string } => ({ id, name });
