/** Rules as files: export, and import that skips what is malformed and says why. */
import { OptionError } from '../errors.js';
import { compareCodePoints, isObject } from '../json.js';
import { IssueList, reportCapacity, type RuleIssue, type RuleIssueCode } from './issues.js';
import { childrenOf, isGroup } from './match.js';
import type { Action, Match, RedactOp, Rule, RuleDocument, TransformOp } from './rule.js';
import { inEvaluationOrder } from './order.js';
import { checkRule } from './validate.js';

/** UTF-8 bytes of a file. */
const MAX_FILE_BYTES = 10 * 1_024 * 1_024;
/** UTF-16 units of an entry's name that its issues repeat. */
const MAX_NAME = 200;

/**
 * The rules as documents, in evaluation order; `id`, `counts` and `enabled` stay behind, so a disabled
 * rule is exported like any other.
 *
 * @see docs/rules.md
 */
export function exportRules(rules: readonly Rule[]): readonly RuleDocument[] {
  return rules.toSorted(inEvaluationOrder).map(toDocument);
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

/** An action without `deep: false`, which says what is so anyway. */
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
  /** Makes an id nobody has. @defaultValue a random UUID */
  readonly newId?: () => string;
}

/** One thing wrong with an entry of a file, or with the file. */
export interface ImportIssue extends RuleIssue {
  /** Place of the entry in the file; `null` when the file as a whole is wrong. */
  readonly index: number | null;
  /** The entry's name, where it has one. */
  readonly name?: string;
}

/** What became of the entries of a file. */
export interface ImportSummary {
  readonly imported: number;
  readonly skipped: number;
  /** All problems of all skipped entries. */
  readonly errors: readonly ImportIssue[];
}

/** The rules of a file, and what became of its entries. */
export interface ImportResult {
  readonly rules: readonly Rule[];
  readonly summary: ImportSummary;
}

/**
 * Imports one rule document or an array of them. Each entry stands alone: valid ones become rules,
 * others are skipped. New ids ascend with the entries, so that entries of the same priority keep
 * their order.
 *
 * @param input - JSON text of at most 10 MiB, or what JSON.parse gave.
 * @throws {@link OptionError} `invalid_option` when `remaining` is no count.
 * @see docs/rules.md
 */
export function importRules(input: unknown, options: ImportOptions = {}): ImportResult {
  const { remaining = Infinity, newId = () => crypto.randomUUID() } = options;
  if (!(remaining >= 0)) {
    throw new OptionError(
      'invalid_option',
      `remaining must be a count of rules, 0 or more; it is ${String(remaining)}`,
    );
  }
  const file = readFile(input);
  if ('code' in file)
    return { rules: [], summary: { imported: 0, skipped: 0, errors: [{ ...file, index: null }] } };
  const { documents, errors } = sift(file.entries, remaining);
  const ids = documents.map(() => newId()).sort(compareCodePoints);
  const rules = documents.map((document, i): Rule => ({ id: ids[i] as string, ...toDocument(document) }));
  return { rules, summary: { imported: rules.length, skipped: file.entries.length - rules.length, errors } };
}

/** The entries of a file, or what is wrong with it as a whole. */
function readFile(input: unknown): { readonly entries: readonly unknown[] } | RuleIssue {
  const parsed = typeof input === 'string' ? parse(input) : { value: input };
  if ('code' in parsed) return parsed;
  if (Array.isArray(parsed.value)) return { entries: parsed.value };
  if (isObject(parsed.value) && Array.isArray(parsed.value.rules)) {
    return fileIssue('invalid_file', 'this object keeps its rules under "rules"; import that array');
  }
  if (isObject(parsed.value)) return { entries: [parsed.value] };
  return fileIssue('invalid_file', 'a file of rules holds one rule object or an array of them');
}

function parse(text: string): { readonly value: unknown } | RuleIssue {
  if (utf8Length(text) > MAX_FILE_BYTES) {
    return fileIssue('file_too_large', 'a file of rules may have 10 MiB; split it and import the parts');
  }
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
  } catch (error) {
    return fileIssue('invalid_json', `this is not JSON: ${(error as SyntaxError).message}`);
  }
}

const fileIssue = (code: RuleIssueCode, message: string): RuleIssue => ({ code, pointer: '', message });

function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A surrogate pair has four bytes in its two units, so two for each of them.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}

/** Parts the entries that can be imported from those that cannot. */
function sift(
  entries: readonly unknown[],
  remaining: number,
): { documents: RuleDocument[]; errors: ImportIssue[] } {
  const capacity = reportCapacity();
  const documents: RuleDocument[] = [];
  const errors: ImportIssue[] = [];
  for (const [index, entry] of entries.entries()) {
    const found = new IssueList(capacity);
    const document = documentIn(entry);
    checkRule('document', document, found);
    if (found.none && documents.length >= remaining) {
      found.add('quota_exceeded', null, 'the plan has no room for this rule; remove one or upgrade');
    }
    if (found.none) documents.push(document as RuleDocument);
    for (const issue of found.issues) errors.push({ ...issue, index, ...nameOf(entry) });
  }
  return { documents, errors };
}

/** Members of an entry that belong to the server it came from. */
const SERVER_SIDE: readonly string[] = ['id', 'counts', 'enabled'];

/** What an entry says about a rule; what its server said is ignored. */
const documentIn = (entry: unknown): unknown =>
  isObject(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([key]) => !SERVER_SIDE.includes(key)))
    : entry;

function nameOf(entry: unknown): { readonly name?: string } {
  const name = isObject(entry) && Object.hasOwn(entry, 'name') ? entry.name : undefined;
  return typeof name === 'string' ? { name: name.slice(0, MAX_NAME) } : {};
}
