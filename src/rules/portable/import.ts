/** Import of rules from a file, which skips malformed entries and reports why. */
import { isCount } from '../../integers.js';
import { isObject } from '../../json.js';
import { codePointLength, compareCodePoints } from '../../unicode.js';
import { toDocument } from '../formats/index.js';
import {
  type Capacity,
  IssueList,
  listCapacity,
  reportCapacity,
  show,
  type Location,
  type RuleIssue,
} from '../issues/index.js';
import type { Rule, RuleDocument } from '../rule.js';
import { checkOptions, checkRule, invalidOption } from '../validate/index.js';
import { type Foreign, type ForeignOptions, readForeign } from './foreign.js';
import { copyOf } from './export.js';
import type { OutOfRange } from './out-of-range.js';
import { MAX_FILE_BYTES, readEntries, type RuleFile } from './rule-file.js';

/** UTF-16 units of an entry's name that its issues repeat. */
const MAX_NAME = 200;
/** Code points of an id. */
const MAX_ID = 200;

/** How to import. */
export interface ImportOptions extends ForeignOptions {
  /** Rules that the quota still has room for. @defaultValue no limit */
  readonly remaining?: number;
  /** Makes an id nobody has: 1..200 code points, another one each time. @defaultValue a random UUID */
  readonly newId?: () => string;
}

/** One thing wrong with an entry of a file, or with the file. */
export interface ImportIssue extends RuleIssue {
  /** Index of the entry in the file; `null` if the file as a whole is wrong. */
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
 * Imports one rule document or an array of them. Each entry is independent: valid ones become rules,
 * others are skipped. New ids ascend with the entries, so that entries of the same priority keep
 * their order.
 *
 * @example
 * ```ts
 * import { importRules } from 'headgate';
 *
 * const file = '[{ "name": "Drop pings", "stage": "deliver", "priority": 1, "action": { "type": "drop" } }]';
 * const { summary } = importRules(file, { remaining: 25 });
 * console.log(summary.imported, summary.skipped, summary.errors[0]?.pointer); // 0 1 /match
 * ```
 * @param input - JSON of at most 10 MiB, as text or as bytes of UTF-8, or a value from JSON.parse, which is copied.
 * @throws {@link OptionError} `invalid_option` when `remaining` is not a count, or `newId` returns an invalid id or
 *   repeats one.
 * @see docs/rules.md
 */
export function importRules(input: unknown, options: ImportOptions = {}): ImportResult {
  const { remaining, newId, foreign } = readOptions(options);
  const file = readEntries(input, foreign !== null);
  if ('code' in file) {
    return { rules: [], summary: { imported: 0, skipped: 0, errors: [{ ...file, index: null }] } };
  }
  const { documents, errors } = sift(file, remaining, foreign);
  const ids = makeIds(documents.length, newId);
  const rules = documents.map((document, i): Rule => ({ id: ids[i] as string, ...copyOf(document) }));
  return { rules, summary: { imported: rules.length, skipped: file.entries.length - rules.length, errors } };
}

interface Options extends Required<Pick<ImportOptions, 'remaining' | 'newId'>> {
  readonly foreign: Foreign | null;
}

function readOptions(options: ImportOptions): Options {
  checkOptions('the options of importRules', options, ['remaining', 'newId', 'from', 'as', 'at', 'assume']);
  const { remaining = Infinity, newId = () => crypto.randomUUID() } = options;
  if (remaining !== Infinity && !isCount(remaining)) {
    throw invalidOption(
      `remaining must be a count of rules, 0 or more; it is ${show(remaining)}: give a whole number, or Infinity`,
    );
  }
  if (typeof newId !== 'function') throw invalidOption(`newId must be a function; it is ${show(newId)}`);
  return { remaining, newId, foreign: readForeign(options) };
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
  { entries, outOfRange }: RuleFile,
  remaining: number,
  foreign: Foreign | null,
): { documents: RuleDocument[]; errors: ImportIssue[] } {
  const capacity = reportCapacity();
  const room = listCapacity(MAX_FILE_BYTES);
  const convertedRoom = listCapacity(MAX_FILE_BYTES);
  const documents: RuleDocument[] = [];
  const errors: ImportIssue[] = [];
  for (const [index, entry] of entries.entries()) {
    const found = new IssueList(capacity, room);
    addOutOfRange(outOfRange.get(index) ?? [], foreign === null ? SERVER_SIDE : [], found);
    const numbers = found.issues.length;
    const document = found.takes(1, null)
      ? readEntry(entry, index, foreign, found, convertedRoom)
      : undefined;
    if (found.none && documents.length >= remaining) {
      found.add('quota_exceeded', null, 'the plan has no room for this rule; remove one or upgrade');
    }
    if (found.none) documents.push(document as RuleDocument);
    if (entry === undefined) found.add('invalid_type', null, 'a rule must be an object; this is undefined');
    for (const issue of issuesOf(found, numbers)) errors.push({ ...issue, index, ...nameOf(entry) });
  }
  return { documents, errors };
}

/** The rule document of an entry; its problems are added. */
function readEntry(
  entry: unknown,
  index: number,
  foreign: Foreign | null,
  found: IssueList,
  convertedRoom: Capacity,
): unknown {
  if (foreign === null) {
    const document = documentIn(entry);
    if (document !== undefined) checkRule('document', document, found);
    return document;
  }
  const converted = entry === undefined ? null : toDocument(entry, index + 1, foreign, found);
  if (converted === null) return undefined;
  const document = documentIn(converted.document);
  const problems = new IssueList(undefined, convertedRoom);
  checkRule('document', document, problems);
  for (const { code, pointer, message } of problems.issues) {
    // The match is not in the file: the condition is.
    const [, member] = pointer.split('/');
    found.add(code, member === 'match' ? converted.location : { parent: null, key: member ?? '' }, message);
  }
  return document;
}

/** Adds the numbers of an entry that are too large, but for those in members that an import ignores. */
function addOutOfRange(numbers: readonly OutOfRange[], ignored: readonly string[], found: IssueList): void {
  for (const { location, message } of numbers) {
    if (!ignored.includes(firstKey(location))) found.add('out_of_bounds', location, message);
  }
}

function firstKey(location: Location): string {
  let at = location;
  while (at !== null && at.parent !== null) at = at.parent;
  return String(at?.key ?? '');
}

/**
 * The first issue of each location, as far as numbers go: what is too large for a number is too large for any check.
 */
function issuesOf({ issues }: IssueList, numbers: number): readonly RuleIssue[] {
  const outOfRange = new Set(issues.slice(0, numbers).map(({ pointer }) => pointer));
  return issues.filter(({ pointer }, i) => i < numbers || !outOfRange.has(pointer));
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
