/** The faults of a rule's text, with their positions: syntax errors, errors of the rule, and lint warnings. */
import {
  type Action,
  JsonError,
  lintRules,
  type Match,
  parseJson,
  type Rule,
  type RuleDocument,
  validateRuleDocument,
} from 'headgate/slim';
import { isExact } from '../../../words/exact-digits.js';
import type { FormFault } from './form.js';
import {
  childrenOf,
  nodeAt,
  repeatedNames,
  readSource,
  sliceOf,
  type Source,
  type SourceNode,
} from './source.js';
import type { ValuePage } from './value-pages.js';

/** One thing to say about a text. Positions are UTF-16 units. */
export interface TextFault {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** RFC 6901 pointer; null for text that is not JSON. */
  readonly pointer: string | null;
}

/** All there is to say about a text. */
export interface Findings {
  readonly faults: readonly TextFault[];
  /** The rule, where it is valid. */
  readonly rule: RuleDocument | null;
  /** Its parts, each where that is valid, whatever is wrong elsewhere: so much of it can be tried. */
  readonly match: Match | null;
  readonly action: Action | null;
}

/** Members that the service gives, and takes no notice of where a rule is saved. */
const SERVICE_MEMBERS = ['id', 'version', 'counts', 'created_at', 'updated_at', 'warnings', 'enabled'];

/** Longer texts are not linted while somebody types; the service does it when the rule is saved. */
const MAX_LINT_UNITS = 32_768;

/** A number that a double may not hold: of sixteen characters and more, or with an exponent. */
const LONG_NUMBER = /^-?(?:\d[\d.]{15}|[\d.]+[eE])/;

/** Nothing is known yet. */
export const NO_FINDINGS: Findings = { faults: [], rule: null, match: null, action: null };

/** @param drops - The project's drops that run before this rule, for lint. */
export function findingsIn(text: string, drops: readonly Rule[] = []): Findings {
  const read = readJson(text);
  return 'faults' in read ? read : findingsAt(text, read.value, drops);
}

const findingsAt = (text: string, value: unknown, drops: readonly Rule[]): Findings =>
  findingsOf(readSource(text), value, text.length > MAX_LINT_UNITS ? null : drops);

/** The same in two parts, between which the page can respond to typing. */
export async function findingsInParts(
  text: string,
  drops: readonly Rule[],
  pause: () => Promise<void>,
): Promise<Findings> {
  const read = readJson(text);
  if ('faults' in read) return read;
  await pause();
  return findingsAt(text, read.value, drops);
}

/** The value of a text, or the position at which it stops being JSON. */
export function readJson(text: string): Findings | { readonly value: unknown } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { ...NO_FINDINGS, faults: [jsonFault(text, error)] };
  }
}

/**
 * The findings about a rule that is JSON.
 *
 * @param source - The text of the rule; long lists of the input may be left out of it.
 * @param drops - For lint; null leaves it to the service.
 */
export function findingsOf(source: Source, input: unknown, drops: readonly Rule[] | null): Findings {
  const result = validateRuleDocument(withoutServiceMembers(input));
  const issues = result.ok ? [] : result.issues;
  const errors = issues.map(({ pointer, message }) => faultAt(source, { pointer, message }, 'error'));
  const rule = result.ok ? result.rule : null;
  const warnings = [
    ...ignoredMembers(source),
    ...oddNumbers(source),
    ...repetitions(source),
    ...(rule === null || drops === null ? [] : lint(source, rule, drops)),
  ];
  const isWhole = (pointer: string): boolean =>
    !issues.some((issue) => issue.pointer === '' || `${issue.pointer}/`.startsWith(`${pointer}/`));
  const parts = input as { readonly match: Match; readonly action: Action };
  return {
    faults: [...errors, ...warnings],
    rule,
    match: isWhole('/match') ? parts.match : null,
    action: isWhole('/action') ? parts.action : null,
  };
}

/** A message of the library or of a form as a fault of the text. */
export function faultAt(
  source: Source,
  { pointer, message }: FormFault,
  severity: TextFault['severity'],
): TextFault {
  const { node, isExact } = nodeAt(source, pointer);
  const isContainer = node.type === 'object' || node.type === 'array';
  // Only the opening bracket of a long container is marked: one that holds a screenful says nothing.
  const to = isContainer ? node.start + 1 : node.end;
  const from = isExact && node.parent !== -1 ? node.keyStart : node.start;
  return { from, to, severity, message, pointer };
}

/** Marks the word in which the text stops being JSON, or one character; the last one of a text that ends too early. */
function jsonFault(text: string, { position, message }: JsonError): TextFault {
  const before = /[\w.+-]*$/.exec(text.slice(Math.max(0, position - 40), position))![0].length;
  const after = /^[\w.+-]*/.exec(text.slice(position, position + 40))![0].length;
  const isAtEnd = position >= text.length;
  const from = isAtEnd ? Math.max(0, text.length - 1) : position - before;
  const to = isAtEnd ? text.length : position + (before === 0 ? Math.max(1, after) : after);
  return { from, to, severity: 'error', message, pointer: null };
}

function withoutServiceMembers(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => !SERVICE_MEMBERS.includes(key)));
}

function ignoredMembers(source: Source): TextFault[] {
  const root = source.nodes[0]!;
  if (root.type !== 'object') return [];
  return root.children
    .map((child) => String(source.nodes[child]!.key))
    .filter((key) => SERVICE_MEMBERS.includes(key))
    .map((key) => {
      const message = `${key} is given by the service, and left out when this rule is saved`;
      return faultAt(source, { pointer: `/${key}`, message }, 'warning');
    });
}

/** Numbers that JavaScript, and with it the service, reads as another number. */
const oddNumbers = (source: Source): TextFault[] =>
  source.nodes.flatMap((node) => {
    const isOdd = node.pages === undefined ? node.type === 'number' : oddTexts(node.pages).length > 0;
    const values = !isOdd ? [] : node.pages === undefined ? [node] : childrenOf(source, node);
    return values.flatMap((value) => oddNumber(value, sliceOf(source, value)));
  });

function oddNumber({ start: from, end: to }: SourceNode, written: string): TextFault[] {
  const message = oddity(written);
  return message === null ? [] : [{ from, to, severity: 'warning', message, pointer: null }];
}

const oddity = (written: string): string | null =>
  !LONG_NUMBER.test(written) || isExact(written)
    ? null
    : `${written} has more digits than a number holds, and is read as ${String(Number(written))}; write it as text`;

const oddOfPage = new WeakMap<ValuePage, readonly string[]>();

/** A sentence about each number of a long list that is read as another one. */
export const oddTexts = (pages: readonly ValuePage[]): string[] =>
  pages.flatMap((page) => {
    const odd = oddOfPage.get(page) ?? page.map(oddity).filter((message) => message !== null);
    oddOfPage.set(page, odd);
    return odd;
  });

const repetitions = (source: Source): TextFault[] =>
  source.nodes.flatMap((node) =>
    repeatedNames(source, node).map((name) => ({
      ...positionOfName(source, node, name),
      severity: 'warning' as const,
      message: `${JSON.stringify(name)} is repeated here; the last one counts.`,
      pointer: null,
    })),
  );

function positionOfName(source: Source, node: SourceNode, name: string): Pick<TextFault, 'from' | 'to'> {
  const last = node.children.map((child) => source.nodes[child]!).findLast(({ key }) => key === name)!;
  return { from: last.keyStart, to: last.start };
}

const ID = 'this rule';

/** Lint's warnings; none if a pattern needs an engine that the page does not have. */
function lint(source: Source, rule: RuleDocument, drops: readonly Rule[]): TextFault[] {
  const before = drops.filter(({ priority }) => priority < rule.priority);
  try {
    return lintRules([...before, { ...rule, id: ID }])
      .filter((warning) => warning.rule.id === ID)
      .map((warning) => faultAt(source, warning, 'warning'));
  } catch {
    return [];
  }
}
