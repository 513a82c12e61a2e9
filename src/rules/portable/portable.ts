/** Rules as files: export, and import that skips malformed entries and reports why. */
import { isCount } from '../../integers.js';
import { cloneJson, isObject, whyNotJson } from '../../json.js';
import { codePointLength, compareCodePoints } from '../../unicode.js';
import {
  IssueList,
  RuleError,
  listCapacity,
  reportCapacity,
  type Capacity,
  type RuleIssue,
  show,
} from '../issues/index.js';
import { childrenOf, isGroup } from '../match/index.js';
import { checkOptions, invalidOption, checkRule } from '../validate/index.js';
import { canonical } from '../own.js';
import type { Action, Match, RedactOp, Rule, RuleDocument, TransformOp } from '../rule.js';
import { inEvaluationOrder } from '../order.js';
import { MAX_FILE_BYTES, readEntries } from './rule-file.js';

/** UTF-16 units of an entry's name that its issues repeat. */
const MAX_NAME = 200;
/** Code points of an id. */
const MAX_ID = 200;

/**
 * The rules as documents, in evaluation order; `id`, `counts` and `enabled` stay behind, so a disabled
 * rule is exported like any other. The documents are copies.
 *
 * @throws {@link RuleError} where `rules` is not an array of rules, or a rule contains itself or is `too_large` as text.
 * @see docs/rules.md
 */
export function exportRules(rules: readonly Rule[]): readonly RuleDocument[] {
  if (!isListOfObjects(rules)) {
    const message = `rules must be an array of rules; this is ${show(rules)}`;
    throw new RuleError([{ code: 'invalid_type', pointer: '', message }]);
  }
  const room = listCapacity();
  rules.forEach((rule, index) => {
    assertFinite(rule, index, room);
  });
  return rules.toSorted(inEvaluationOrder).map(copyOf);
}

const isListOfObjects = (rules: unknown): boolean => Array.isArray(rules) && rules.every(isObject);

/** A document of its own, so that editing it changes no rule. */
const copyOf = (rule: RuleDocument): RuleDocument => cloneJson(toDocument(canonical(rule)));

/** Throws where a rule could not be written down: it contains itself, or has too much in too many places. */
function assertFinite({ id, match, action }: Rule, index: number, room: Capacity): void {
  const issues = new IssueList(undefined, room);
  const nothingWrong = (): null => null;
  for (const [key, part] of Object.entries({ match, action })) {
    const place = { parent: null, key };
    const reason = whyNotJson(part, (units) => issues.takes(units, place), nothingWrong);
    if (reason !== null) issues.add('invalid_value', place, `${key} must be JSON, but it holds ${reason}`);
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

/** A copy of a tree without the values that `exists` and `missing` ignore. */
function withoutIdleValues(match: Match): Match {
  const root: Match[] = [match];
  const pending: Match[][] = [root];
  for (let siblings = pending.pop(); siblings !== undefined; siblings = pending.pop()) {
    for (const [i, node] of siblings.entries()) {
      if (isGroup(node)) {
        const children = [...childrenOf(node)];
        siblings[i] = 'all' in node ? { all: children } : { any: children };
        pending.push(children);
      } else if (node.op === 'exists' || node.op === 'missing') {
        siblings[i] = { path: node.path, op: node.op };
      }
    }
  }
  return root[0] as Match;
}

/** How to import. */
export interface ImportOptions {
  /** Rules that the quota still has room for. @defaultValue no limit */
  readonly remaining?: number;
  /** Makes an id nobody has: 1..200 code points, another one each time. @defaultValue a random UUID */
  readonly newId?: () => string;
}

/** One thing wrong with an entry of a file, or with the file. */
export interface ImportIssue extends RuleIssue {
  /** Place of the entry in the file; `null` when the file as a whole is wrong. */
  readonly index: number | null;
  /** The entry's name, where it has one. */
  readonly name?: string;
}

/** The result of an import, in counts and problems. */
export interface ImportSummary {
  readonly imported: number;
  readonly skipped: number;
  /** All problems of all skipped entries. */
  readonly errors: readonly ImportIssue[];
}

/** The rules of a file, and a summary of the import. */
export interface ImportResult {
  readonly rules: readonly Rule[];
  readonly summary: ImportSummary;
}

/**
 * Imports one rule document or an array of them. Each entry stands alone: valid ones become rules,
 * others are skipped. New ids ascend with the entries, so that entries of the same priority keep
 * their order.
 *
 * @param input - JSON of at most 10 MiB, as text or as bytes of UTF-8, or a value from JSON.parse, which is copied.
 * @throws {@link OptionError} `invalid_option` when `remaining` is not a count, or `newId` returns an invalid id or repeats one.
 * @see docs/rules.md
 */
export function importRules(input: unknown, options: ImportOptions = {}): ImportResult {
  const { remaining, newId } = readOptions(options);
  const file = readEntries(input);
  if ('code' in file) {
    return { rules: [], summary: { imported: 0, skipped: 0, errors: [{ ...file, index: null }] } };
  }
  const { documents, errors } = sift(file.entries, remaining);
  const ids = makeIds(documents.length, newId);
  const rules = documents.map((document, i): Rule => ({ id: ids[i] as string, ...copyOf(document) }));
  return { rules, summary: { imported: rules.length, skipped: file.entries.length - rules.length, errors } };
}

function readOptions(options: ImportOptions): Required<ImportOptions> {
  checkOptions('the options of importRules', options, ['remaining', 'newId']);
  const { remaining = Infinity, newId = () => crypto.randomUUID() } = options;
  if (remaining !== Infinity && !isCount(remaining)) {
    throw invalidOption(
      `remaining must be a count of rules, 0 or more; it is ${show(remaining)}: give a whole number, or Infinity`,
    );
  }
  if (typeof newId !== 'function') throw invalidOption(`newId must be a function; it is ${show(newId)}`);
  return { remaining, newId };
}

/** Ids of which none is there twice, in ascending order. */
function makeIds(count: number, newId: () => unknown): readonly string[] {
  const ids = new Set<string>();
  while (ids.size < count) {
    const id = newId();
    if (typeof id !== 'string' || id === '' || codePointLength(id) > MAX_ID) {
      throw invalidOption(`newId must return text of 1 to ${MAX_ID} characters; it returned ${show(id)}`);
    }
    if (ids.has(id)) {
      throw invalidOption(`newId must return another id each time; it returned ${show(id)} twice`);
    }
    ids.add(id);
  }
  return [...ids].sort(compareCodePoints);
}

/** Parts the entries that can be imported from those that cannot. */
function sift(
  entries: readonly unknown[],
  remaining: number,
): { documents: RuleDocument[]; errors: ImportIssue[] } {
  const capacity = reportCapacity();
  const room = listCapacity(MAX_FILE_BYTES);
  const documents: RuleDocument[] = [];
  const errors: ImportIssue[] = [];
  for (const [index, entry] of entries.entries()) {
    const found = new IssueList(capacity, room);
    const document = found.takes(1, null) ? documentIn(entry) : undefined;
    if (document !== undefined) checkRule('document', document, found);
    if (found.none && documents.length >= remaining) {
      found.add('quota_exceeded', null, 'the plan has no room for this rule; remove one or upgrade');
    }
    if (found.none) documents.push(document as RuleDocument);
    if (entry === undefined) found.add('invalid_type', null, 'a rule must be an object; this is undefined');
    for (const issue of found.issues) errors.push({ ...issue, index, ...nameOf(entry) });
  }
  return { documents, errors };
}

/** Members of an entry that belong to the server it came from. */
const SERVER_SIDE: readonly string[] = ['id', 'counts', 'enabled'];

/** An entry without the members that its server added. */
const documentIn = (entry: unknown): unknown =>
  isObject(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([key]) => !SERVER_SIDE.includes(key)))
    : entry;

function nameOf(entry: unknown): { readonly name?: string } {
  const name = isObject(entry) && Object.hasOwn(entry, 'name') ? entry.name : undefined;
  return typeof name === 'string' ? { name: name.slice(0, MAX_NAME) } : {};
}
