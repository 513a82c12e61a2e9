/** Tries a match tree and an action on some events. Runs in a thread. */
import {
  compileRules,
  dryRun,
  type DryRunEndpoint,
  type DryRunSample,
  type PatternOptions,
  type Rule,
  RuleError,
  stringifyJson,
  validateRuleDocument,
  type Action,
  type Match,
} from 'headgate';
import { eventForRules, type EventForRules } from '../stored/event-json.js';
import { explanationOf, NO_TREE } from './explaining.js';
import type { GivenEvent, IsOver } from './given.js';

/** A rule to try on events. */
export interface GivenRule {
  /** JSON of `{ match, action }`, each of which may be left out. */
  readonly rule: string;
  readonly events: readonly GivenEvent[];
  readonly endpoints: readonly DryRunEndpoint[];
}

/** The rule as a caller sends it: not valid until it was checked. */
interface TriedRule {
  readonly match?: Match;
  readonly action?: Action;
}

/** Every event has an id. */
const EVERYTHING: Match = { path: 'id', op: 'exists' };
/** Characters of the JSON of `data`, and of a whole effect; what is longer is left out. */
const MOST_DATA = 262_144;
const MOST_EFFECT = 1_048_576;
/** Characters of all items together; the item that reaches them is the last. */
const MOST_ALL = 2_097_152;

/** Returns the effect of an action on one event, which has some tags already. */
type EffectOf = (event: EventForRules, has: readonly string[]) => Promise<object>;

/**
 * @returns JSON of each event's item, which may be deep; those that there was no time for are missing.
 * @throws RuleError
 */
export async function tryRule(
  { rule, events, endpoints }: GivenRule,
  patterns: PatternOptions | undefined,
  isOver: IsOver,
): Promise<readonly string[]> {
  const { match, action } = checked(JSON.parse(rule));
  const effectOf = action === undefined ? null : effectsOf(action, endpoints, patterns);
  const items: string[] = [];
  let units = 0;
  for (const given of events) {
    if (units > MOST_ALL || (items.length > 0 && isOver())) break;
    const event = eventForRules(given);
    const explanation = match === undefined ? NO_TREE : explanationOf(match, event, patterns);
    const isApplied = effectOf !== null && explanation.matched;
    const effect = isApplied ? effectText(await effectOf(event, given.tags)) : 'null';
    const { id, type, topic, received_at } = event;
    const head = JSON.stringify({ event: { id, type, topic, received_at }, explanation });
    const item = `${head.slice(0, -1)},"effect":${effect}}`;
    units += item.length;
    items.push(item);
  }
  return items;
}

/** Stands in for what is left out, while the rest is checked. */
const VALID = { name: 'tried', stage: 'deliver', match: EVERYTHING, action: { type: 'drop' }, priority: 0 };

/** @throws RuleError with every issue. */
function checked(tried: unknown): TriedRule {
  const result = validateRuleDocument({ ...VALID, ...(tried as object) });
  if (!result.ok) throw new RuleError(result.issues);
  return tried as TriedRule;
}

/** An effect as JSON; without its values where those are too large. */
function effectText(effect: object): string {
  const text = stringifyJson(effect);
  if (text.length <= MOST_EFFECT) return text;
  return stringifyJson({ ...effect, data: null, diff: [], diff_truncated: true });
}

function effectsOf(
  action: Action,
  endpoints: readonly DryRunEndpoint[],
  patterns: PatternOptions | undefined,
): EffectOf {
  const bounds = patterns === undefined ? {} : { patterns };
  const tried = { stage: 'deliver' as const, match: EVERYTHING, action };
  const rule: Rule = { id: 'tried', name: 'tried', priority: 0, ...tried };
  const set = compileRules([rule], bounds);
  return async (event, has) => {
    const { event: projected, limits } = set.evaluate(event);
    const now = Date.parse(event.received_at);
    const { samples } = await dryRun(tried, [event], { windowHours: 1, now, endpoints, ...bounds });
    const { diff, diff_truncated, endpoint_ids, tags } = samples[0] as DryRunSample;
    return {
      type: action.type,
      ...(action.type === 'transform' && { data: bounded(projected.data) }),
      ...defined({ diff, diff_truncated, endpoint_ids, tags: tags?.filter((tag) => !has.includes(tag)) }),
      limits: limits.map(({ rule: _, ...limit }) => limit),
    };
  };
}

const bounded = (data: unknown): unknown => (stringifyJson(data).length > MOST_DATA ? null : data);

const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
