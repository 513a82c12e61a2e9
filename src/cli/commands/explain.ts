/** `headgate rules explain` */
import {
  type AccessPath,
  compileRules,
  explainMatch,
  type IndexAccess,
  type LeafResult,
  type LeafTrace,
  type Rule,
  type RuleAccess,
} from '../../index.js';
import type { Context } from '../context.js';
import { EventIntake, type InputEvent } from '../input/intake.js';
import { type Style, styled } from '../output/printer.js';
import { plural } from '../output/text.js';
import { showValue } from '../output/value.js';
import { chooseRule } from '../rules/choose.js';
import { printFindings } from '../rules/finding.js';
import { readRules, type RulesFile } from '../rules/file.js';
import { showLeaf, showName, textIn } from '../rules/show.js';
import type { Run } from '../table/command.js';
import type { explainSpec } from '../table/rules.js';

export const run: Run<typeof explainSpec> = async ({ args, options }, context) => {
  const file = await readRules(args.FILE, context);
  if (file.problems.length > 0) {
    await printFindings({ ...context, out: context.say }, file.problems, false);
    return 1;
  }
  const chosen = options.rule === undefined ? file.rules : [chooseRule(file, options.rule)];
  if (args.EVENTS === undefined) {
    await explainIndex(file, chosen, context, options.json);
    return 0;
  }
  const intake = new EventIntake(args.EVENTS, context, { body: options.body });
  for await (const event of intake) {
    if (!options.json) {
      await context.out.line(styled('bold', `${textIn(event.id)} ${textIn(event.type)}`));
    }
    for (const rule of chosen) await explainRule(file, rule, { event, context, asJson: options.json });
  }
  await context.say.line(intake.summary);
  return intake.problems === 0 ? 0 : 1;
};

interface Explained {
  readonly event: InputEvent;
  readonly context: Context;
  readonly asJson: boolean;
}

async function explainRule(
  file: RulesFile,
  rule: Rule,
  { event, context, asJson }: Explained,
): Promise<void> {
  const { matched, leaves } = explainMatch(rule.match, event);
  const number = file.numberOf(rule);
  if (asJson) {
    const about = { id: event.id ?? null, type: event.type ?? null, rule: number, name: rule.name };
    return context.out.json({ ...about, enabled: rule.enabled !== false, matched, leaves });
  }
  const verdict = matched ? styled('green', 'matches') : styled('yellow', 'does not match');
  const note = rule.enabled === false ? ', and is not enabled' : '';
  await context.out.line(`  rule ${number} ${JSON.stringify(showName(rule))} `, verdict, note);
  for (const leaf of leaves) await explainLeaf(leaf, context);
}

const RESULTS: Readonly<Record<LeafResult, readonly [words: string, style: Style]>> = {
  held: ['holds', 'green'],
  not_held: ['does not hold', 'red'],
  not_reached: ['not tried', 'dim'],
  undecided: ['undecided: the pattern met its work budget', 'yellow'],
};

const WIDTH = 'does not hold'.length + 2;

async function explainLeaf(leaf: LeafTrace, { out }: Context): Promise<void> {
  const [words, style] = RESULTS[leaf.result];
  await out.line(
    '    ',
    styled(style, words.padEnd(WIDTH)),
    showLeaf(leaf),
    styled('dim', leaf.result === 'not_reached' ? '' : `  (${seenBy(leaf)})`),
  );
}

/** Says which value the event has at the path of a leaf. */
function seenBy({ present, actual, element }: LeafTrace): string {
  if (!present) return 'there is no such path';
  if (actual === undefined) return 'no such element';
  return `${element ?? 'it'} is ${showValue(actual)}`;
}

/** How each rule is found among the others. */
async function explainIndex(
  file: RulesFile,
  chosen: readonly Rule[],
  { out }: Context,
  asJson: boolean,
): Promise<void> {
  const isChosen = new Set(chosen.map(({ id }) => id));
  for (const access of compileRules(file.rules).describe()) {
    const { rule, layer: _, ...found } = access;
    if (!isChosen.has(rule.id)) continue;
    const number = numberOf(file, access);
    if (asJson) {
      await out.json({ rule: number, id: rule.id, name: rule.name, ...found });
      continue;
    }
    await out.line(styled('bold', `rule ${number} ${JSON.stringify(showName(rule))}`));
    for (const line of accessLines(found)) await out.line(`  ${line}`);
  }
}

/** A rule set may have copies of the rules. */
const numberOf = (file: RulesFile, { rule }: RuleAccess): number =>
  file.numberOf(file.rules.find(({ id }) => id === rule.id) ?? rule);

function accessLines({ tried, by }: IndexAccess): readonly string[] {
  if (tried === 'always') return ['tried on every event: no leaf of it can be looked up'];
  return by.length === 0 ? ['never tried: no event can match it'] : by.flatMap(pathLines);
}

function pathLines({ kind, leaves, sharedBy, isCertain, inner }: AccessPath): readonly string[] {
  const shared = sharedBy === 1 ? '' : `, which ${plural(sharedBy, 'rule')} share`;
  const certain = isCertain ? '; found so, it matches' : '';
  return [
    `found by ${kind}: ${leaves.map(showLeaf).join(' and ')}${shared}${certain}`,
    ...inner.flatMap((access) => accessLines(access).map((line) => `  ${line}`)),
  ];
}
