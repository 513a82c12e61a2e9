/** `headgate rules dry-run` */
import { dryRun, type DryRunReport, type DryRunSample, type EventLike, type Rule } from '../../index.js';
import { type Context, UsageError } from '../context.js';
import { EventIntake } from '../input/intake.js';
import { styled } from '../output/printer.js';
import { Table } from '../output/table.js';
import { grouped, plural } from '../output/text.js';
import { chooseRule, listed } from '../rules/choose.js';
import { printFindings } from '../rules/finding.js';
import { readRules, type RulesFile } from '../rules/file.js';
import { showChanges, textIn } from '../rules/show.js';
import type { Run } from '../table/command.js';
import type { dryRunSpec } from '../table/rules.js';

export const run: Run<typeof dryRunSpec> = async ({ args, options }, context) => {
  const file = await readRules(args.FILE, context);
  if (file.problems.length > 0) {
    await printFindings({ ...context, out: context.say }, file.problems, false);
    return 1;
  }
  const { stage, match, action } = oneRule(file, options.rule);
  const intake = new EventIntake(args.EVENTS, context, { body: options.body, printsLast: true });
  const newest = new Newest();
  const events = newest.of(intake) as AsyncIterable<unknown> as AsyncIterable<EventLike>;
  const now = options.now ?? context.now();
  const report = await dryRun({ stage, match, action }, events, { windowHours: options.hours, now });
  if (options.json) await context.out.json(report);
  else await printReport(report, context);
  if (report.scanned === 0 && intake.events > 0) await tellWindow(newest, report, context);
  return intake.problems === 0 ? 0 : 1;
};

function oneRule(file: RulesFile, word: string | undefined): Rule {
  if (word !== undefined) return chooseRule(file, word);
  const [rule] = file.rules;
  if (rule !== undefined && file.rules.length === 1) return rule;
  const why = rule === undefined ? 'has no rule' : `has ${plural(file.rules.length, 'rule')}`;
  throw new UsageError(`${file.name} ${why}, and a dry-run tries one: give --rule; ${listed(file)}`);
}

/** Remembers the time of the newest event, for the advice where none is in the window. */
class Newest {
  at = '';

  async *of(events: AsyncIterable<Readonly<Record<string, unknown>>>): AsyncGenerator<object> {
    for await (const event of events) {
      const at = textIn(event.received_at);
      if (Date.parse(at) > (Date.parse(this.at) || -Infinity)) this.at = at;
      yield event;
    }
  }
}

async function tellWindow({ at }: Newest, { undated }: DryRunReport, { say }: Context): Promise<void> {
  await say.line(
    at === ''
      ? `none of ${plural(undated, 'event')} has a received_at that can be read, such as 2026-01-31T12:00:00Z`
      : `no event is in the window: the newest was received at ${at}; give --now ${at}`,
  );
}

async function printReport(report: DryRunReport, { out }: Context): Promise<void> {
  const { matched, scanned, undated, limits, byAction, samples } = report;
  const action = Object.keys(byAction)[0];
  await out.line(
    styled('bold', `${grouped(matched)} of ${plural(scanned, 'event')}`),
    ` in the window ${matched === 1 ? 'matches' : 'match'}`,
    action === undefined ? '' : ` (${action})`,
  );
  if (undated > 0) {
    await out.line(
      `${plural(undated, 'event')} without a readable received_at ${undated === 1 ? 'is' : 'are'} left out`,
    );
  }
  if (limits > 0) await out.line(`on ${plural(limits, 'event')} a pattern met its work budget`);
  if (samples.length === 0) return;
  await out.line('');
  const table = new Table(out, ['EVENT', 'TYPE', 'EFFECT']);
  for (const sample of samples) await table.row(textIn(sample.id), textIn(sample.type), effectOf(sample));
  await table.end();
  if (matched > samples.length) await out.line(`and ${grouped(matched - samples.length)} more`);
}

function effectOf({ diff, endpoint_ids, tags }: DryRunSample): string {
  if (diff !== undefined) return diff.length === 0 ? 'changes nothing' : `changes ${showChanges(diff)}`;
  if (endpoint_ids !== undefined) return `only to ${endpoint_ids.join(', ')}`;
  if (tags !== undefined) return tags.length === 0 ? 'adds no tag' : `adds ${tags.join(', ')}`;
  return 'dropped';
}
