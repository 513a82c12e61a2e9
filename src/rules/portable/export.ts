/** Rules as documents that another project can import. */
import { OptionError } from '../../errors.js';
import { cloneJson, isObject, whyNotJson } from '../../json.js';
import { IssueList, RuleError, listCapacity, show, type Capacity } from '../issues/index.js';
import { ignoresValue } from '../operators/index.js';
import { inEvaluationOrder } from '../order.js';
import { canonical } from '../own.js';
import type { Action, Leaf, Match, RedactOp, Rule, RuleDocument, TransformOp } from '../rule.js';
import { childrenOf, isGroup } from '../tree.js';
import { type QueryGroup, toQuery } from './to-query.js';

/** How to export. */
export interface ExportOptions {
  /** The system whose queries are to hold the matches. */
  readonly to: 'react-querybuilder';
}

/** A rule document whose match is a query of react-querybuilder. */
export interface QueryDocument extends Omit<RuleDocument, 'match'> {
  readonly match: QueryGroup;
}

/**
 * The rules as documents, in evaluation order; `id`, `counts` and `enabled` stay behind, so a disabled
 * rule is exported like any other. The documents are copies.
 *
 * @example
 * ```ts
 * import { exportRules, type Rule } from 'headgate';
 *
 * const saved: Rule = {
 *   id: '1',
 *   name: 'Drop pings',
 *   stage: 'deliver',
 *   match: { path: 'type', op: 'eq', value: 'ping' },
 *   action: { type: 'drop' },
 *   priority: 1,
 * };
 * console.log(JSON.stringify(exportRules([saved])));
 * // [{"name":"Drop pings","stage":"deliver","match":{"path":"type","op":"eq","value":"ping"},"action":{"type":"drop"},"priority":1}]
 * ```
 * @throws {@link RuleError} where `rules` is not an array of rules, or a rule contains itself or is `too_large` as
 *   text.
 * @see docs/rules.md
 */
export function exportRules(rules: readonly Rule[]): readonly RuleDocument[];
/**
 * The rules as documents whose matches are queries of react-querybuilder, with the operators `headgate:eq` and its
 * like. {@link importRules} takes them back.
 */
export function exportRules(rules: readonly Rule[], options: ExportOptions): readonly QueryDocument[];
export function exportRules(
  rules: readonly Rule[],
  options?: ExportOptions,
): readonly (RuleDocument | QueryDocument)[] {
  const to: unknown = options?.to;
  if (options !== undefined && to !== 'react-querybuilder') {
    throw new OptionError('invalid_option', `to must be react-querybuilder; it is ${show(to)}`);
  }
  if (!isListOfObjects(rules)) {
    const message = `rules must be an array of rules; this is ${show(rules)}`;
    throw new RuleError([{ code: 'invalid_type', pointer: '', message }]);
  }
  const room = listCapacity();
  rules.forEach((rule, index) => {
    assertFinite(rule, index, room);
  });
  const documents = rules.toSorted(inEvaluationOrder).map(copyOf);
  return options === undefined ? documents : documents.map((one) => ({ ...one, match: toQuery(one.match) }));
}

const isListOfObjects = (rules: unknown): boolean => Array.isArray(rules) && rules.every(isObject);

/** A document of its own, so that editing it changes no rule. */
export const copyOf = (rule: RuleDocument): RuleDocument => cloneJson(toDocument(canonical(rule)));

/** Throws if a rule could not be written down: it contains itself, or has too much that occurs too often. */
function assertFinite({ id, match, action }: Rule, index: number, room: Capacity): void {
  const issues = new IssueList(undefined, room);
  const nothingWrong = (): null => null;
  for (const [key, part] of Object.entries({ match, action })) {
    const location = { parent: null, key };
    const reason = whyNotJson(part, (units) => issues.takes(units, location), nothingWrong);
    if (reason !== null) issues.add('invalid_value', location, `${key} must be JSON, but it holds ${reason}`);
  }
  if (!issues.none) throw new RuleError(issues.issues.map((issue) => ({ ...issue, index, ruleId: id })));
}

function toDocument({ name, description, stage, match, action, priority }: RuleDocument): RuleDocument {
  return {
    name,
    ...(description !== undefined && { description }),
    stage,
    match: withoutIdleValues(match),
    action: withoutIdleFlags(action),
    priority,
  };
}

/** An action without `deep: false`, which is the default. */
function withoutIdleFlags(action: Action): Action {
  if (action.type !== 'transform' || !action.ops.some(isIdlyFlagged)) return action;
  const ops = action.ops.map((op) => {
    if (!isIdlyFlagged(op)) return op;
    const { deep: _, ...rest } = op;
    return rest;
  });
  return { ...action, ops };
}

const isIdlyFlagged = (op: TransformOp): op is RedactOp => op.op === 'redact' && op.deep === false;

/** A copy of a tree without the values that operators ignore. */
function withoutIdleValues(match: Match): Match {
  const root: Match[] = [match];
  const pending: Match[][] = [root];
  for (let siblings = pending.pop(); siblings !== undefined; siblings = pending.pop()) {
    for (const [i, node] of siblings.entries()) {
      if (isGroup(node)) {
        const children = [...childrenOf(node)];
        siblings[i] = 'all' in node ? { all: children } : { any: children };
        pending.push(children);
      } else if (ignoresValue(node.op)) {
        siblings[i] = { path: node.path, op: node.op } as Leaf;
      }
    }
  }
  return root[0] as Match;
}
