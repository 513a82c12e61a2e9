/**
 * Queries of react-querybuilder 8. Its own operators mean what `formatQuery(query, 'jsonlogic')` makes of them;
 * `headgate:eq` and its like, which an export writes, are the operators of rules.
 */
import { isObject, type Json } from '../../json.js';
import { formOf, isOperator, negatedBy, operatorNames } from '../operators/index.js';
import { parsePath } from '../path.js';
import type { Leaf } from '../rule.js';
import { readTest } from './json-logic-tests.js';
import { any, isTextWith, leaf } from './leaves.js';
import {
  type Answer,
  below,
  type Context,
  joined,
  type Part,
  type Parts,
  type Read,
  refuse,
} from './part.js';

/** Before the operators of rules, as an export writes them. */
const PREFIX = 'headgate:';

const OF_GROUP = ['combinator', 'rules', 'not', 'id', 'path', 'disabled', 'muted'];
const OF_RULE = ['field', 'operator', 'value', 'valueSource', 'id', 'path', 'disabled', 'muted'];

export const readQuery: Read = (part, context) => {
  const { node, location } = part;
  if (!isObject(node)) {
    return refuse(
      'a query consists of groups and rules; this has combinators between its rules, or is neither',
    );
  }
  const isOfGroup = Object.hasOwn(node, 'rules');
  const known = isOfGroup ? OF_GROUP : OF_RULE;
  const unknown = Object.keys(node).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    return refuse(`${JSON.stringify(unknown)} has no equal here`, below(location, unknown));
  }
  if (node.muted === true) {
    return refuse('react-querybuilder leaves out what is muted; remove it', below(location, 'muted'));
  }
  return isOfGroup ? readGroup(part, node) : readRule(part, node, context);
};

function readGroup(
  part: Part,
  { combinator, rules, not = false }: Readonly<Record<string, unknown>>,
): Parts | Answer {
  const { location } = part;
  if (combinator !== 'and' && combinator !== 'or') {
    return refuse('combinator must be "and" or "or"', below(location, 'combinator'));
  }
  if (!Array.isArray(rules) || rules.length === 0) {
    return refuse('react-querybuilder leaves out empty groups; remove it');
  }
  if (typeof not !== 'boolean') return refuse('not must be true or false', below(location, 'not'));
  const negated = part.negated !== not;
  const parts = rules.map((node: unknown, i) => ({
    ...part,
    node,
    negated,
    location: below(location, 'rules', i),
  }));
  return joined({ ...part, negated }, combinator === 'and' ? 'all' : 'any', parts);
}

/** Its own operators, in lower case, as operators of JsonLogic; the member comes first, but with `in` for a text. */
const IN_JSON_LOGIC: Readonly<Record<string, string>> = {
  '=': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  null: '==',
  notnull: '!=',
  in: 'in',
  contains: 'in',
  between: '<=',
  beginswith: 'startsWith',
  endswith: 'endsWith',
};

/** Operators that negate another. */
const NEGATIVES: Readonly<Record<string, string>> = {
  notin: 'in',
  notbetween: 'between',
  doesnotcontain: 'contains',
  doesnotbeginwith: 'beginswith',
  doesnotendwith: 'endswith',
};

function readRule(part: Part, node: Readonly<Record<string, unknown>>, context: Context): Answer {
  const { location } = part;
  const { field, operator, value, valueSource = 'value' } = node;
  const at = below(location, 'operator');
  if (typeof field !== 'string' || field === '~') {
    return refuse('no member is chosen', below(location, 'field'));
  }
  if (typeof operator !== 'string') return refuse('operator must be a text', at);
  if (valueSource !== 'value') {
    return refuse('two members cannot be compared with each other here', below(location, 'valueSource'));
  }
  if (operator.startsWith(PREFIX)) {
    return readOwn(part, field, operator.slice(PREFIX.length), value as Json, context);
  }
  const lower = operator.toLowerCase();
  const positive = Object.hasOwn(NEGATIVES, lower) ? (NEGATIVES[lower] as string) : lower;
  const logic = Object.hasOwn(IN_JSON_LOGIC, positive) ? IN_JSON_LOGIC[positive] : undefined;
  if (logic === undefined) return refuse(`${JSON.stringify(operator)} is not one of its own operators`, at);
  const operands = operandsOf(positive, { var: field }, value);
  if (operands === null) {
    return refuse(`this value of ${operator} is not converted`, below(location, 'value'));
  }
  return readTest({ ...part, negated: part.negated !== (positive !== lower) }, logic, operands, context);
}

function operandsOf(operator: string, member: unknown, value: unknown): readonly unknown[] | null {
  switch (operator) {
    case 'null':
    case 'notnull':
      return [member, null];
    case 'contains':
      return [value, member];
    case 'in': {
      const list = listOf(value);
      return list === null ? null : [member, list];
    }
    case 'between': {
      const [first, second, ...rest] = listOf(value) ?? [];
      if (rest.length > 0) return null;
      if (typeof first === 'number' && typeof second === 'number') {
        return [Math.min(first, second), member, Math.max(first, second)];
      }
      return isPlainText(first) && isPlainText(second) ? [first, member, second] : null;
    }
    default:
      return [member, value];
  }
}

/** A list; as one text, its values are separated by commas. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value.map((one: unknown) => (typeof one === 'string' ? one.trim() : one));
  if (typeof value === 'number') return [value];
  if (typeof value !== 'string' || value.includes('\\')) return null;
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** A text that it takes for no number, such as a name or a date. */
const isPlainText = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:[a-z]|\d{4}-\d\d-\d\d)/i.test(value);

/** An operator of rules. */
function readOwn(part: Part, field: string, operator: string, value: Json, { root }: Context): Answer {
  const { location } = part;
  if (!isOperator(operator)) {
    return refuse(`${PREFIX} is followed by one of ${operatorNames.join(', ')}`, below(location, 'operator'));
  }
  const reason = parsePath(field);
  if (typeof reason === 'string') return refuse(reason, below(location, 'field'));
  const path = [...(root as readonly string[]), field].join('.');
  const isIdle = formOf(operator).name === 'presenceLeaf';
  const own = leaf(path, operator, isIdle ? undefined : value);
  return part.negated ? opposite(own) : own;
}

function opposite(own: Leaf): Answer {
  const { path, op, value } = own;
  if (op === 'exists' || op === 'missing') return leaf(path, op === 'exists' ? 'missing' : 'exists');
  const other = negatedBy(op) ?? operatorNames.find((name) => negatedBy(name) === op);
  if (other !== undefined) return any(leaf(path, 'missing'), leaf(path, other, value));
  if (op === 'starts_with' || op === 'ends_with') {
    return isTextWith({ path, starred: path.includes('*'), negated: true, kinds: false }, op, value);
  }
  return refuse(`${op} has no opposite here`);
}
