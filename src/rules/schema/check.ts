/** Checks one object against its node schema and says what is wrong in sentences. */
import type { ErrorObject } from 'ajv';
import { isObject } from '../../json.js';
import type { IssueList, Place, RuleIssueCode } from '../issues.js';
import { nearest, show } from '../wording.js';
import { nodeSchemas, type NodeName } from './schemas.js';
import * as validators from './validators.js';

interface MemberSchema {
  readonly description?: string;
  readonly maxItems?: number;
  readonly items?: MemberSchema;
}

type MemberSchemas = Readonly<Record<string, MemberSchema>>;

/** Codes that depend on which member is wrong. */
const CODE_OF_MEMBER: Readonly<Record<string, RuleIssueCode>> = {
  all: 'empty_group',
  any: 'empty_group',
  value: 'invalid_value',
  stage: 'invalid_stage',
};

/**
 * Adds an issue for each thing wrong in one object; what stands below it is not looked at.
 *
 * @param ignored - Members about which something better is said elsewhere.
 */
export function checkNode(
  name: NodeName,
  node: object,
  place: Place,
  issues: IssueList,
  ignored: readonly string[] = [],
): void {
  const validate = validators[name];
  const members = nodeSchemas[name].properties as MemberSchemas;
  if (validate(bounded(node, members))) return;
  for (const error of validate.errors ?? []) {
    const [member = keyIn(error), item] = error.instancePath.split('/').slice(1);
    if (!ignored.includes(member)) addIssue(error, member, item, node, members, place, issues);
  }
}

/**
 * The node with lists that are too long cut to one item too many: a list of millions is one problem,
 * not millions.
 */
function bounded(node: object, members: MemberSchemas): object {
  for (const [member, { maxItems = Infinity }] of Object.entries(members)) {
    const list: unknown = (node as Record<string, unknown>)[member];
    if (Array.isArray(list) && list.length > maxItems)
      return { ...node, [member]: list.slice(0, maxItems + 1) };
  }
  return node;
}

function addIssue(
  error: ErrorObject,
  member: string,
  item: string | undefined,
  node: object,
  members: MemberSchemas,
  parent: Place,
  issues: IssueList,
): void {
  const place = { parent, key: member };
  const schema = Object.hasOwn(members, member) ? members[member] : undefined;
  if (error.keyword === 'required') {
    issues.add('missing_key', place, `${member} is missing; it must be ${schema?.description ?? 'there'}`);
  } else if (schema === undefined) {
    const known = Object.keys(members);
    issues.add(
      'unknown_key',
      place,
      `unknown key ${show(member)}; did you mean ${nearest(member, known)}? Known here: ${known.join(', ')}`,
    );
  } else if (item === undefined) {
    const value = (node as Record<string, unknown>)[member];
    issues.add(codeOf(error, member), place, `${member} must be ${schema.description}; it is ${show(value)}`);
  } else {
    const value = (node as Record<string, unknown[]>)[member]?.[Number(item)];
    const wrong = `must be ${schema.items?.description}; it is ${show(value)}`;
    issues.add(codeOf(error, member), { parent: place, key: item }, `${member}/${item} ${wrong}`);
  }
}

function codeOf(error: ErrorObject, member: string): RuleIssueCode {
  if (error.keyword === 'pattern') return 'invalid_endpoint_id';
  if (error.keyword === 'type' && member !== 'value') return 'invalid_type';
  return CODE_OF_MEMBER[member] ?? 'out_of_bounds';
}

/** The member that an error about the whole object is about. */
function keyIn({ params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = isObject(params) ? params : {};
  return String(missingProperty ?? additionalProperty);
}
