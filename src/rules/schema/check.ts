/** Checks one object against its node schema and reports each problem as a sentence. */
import { guess, show, type IssueList, type Location, type RuleIssueCode } from '../issues/index.js';
import {
  problemsBy,
  type FindProblems,
  type MemberSchema,
  type NodeSchema,
  type Problem,
} from './problems.js';
import { nodeSchemas, type NodeName } from './schemas.js';

type MemberSchemas = Readonly<Record<string, MemberSchema>>;

const schemaOf = (name: NodeName): NodeSchema => nodeSchemas[name] as NodeSchema;

/** Readers of the schemas that were needed so far. */
const finders = /* @__PURE__ */ new Map<NodeName, FindProblems>();

function finderOf(name: NodeName): FindProblems {
  let finder = finders.get(name);
  if (finder === undefined) finders.set(name, (finder = problemsBy(schemaOf(name))));
  return finder;
}

/** Codes that depend on which member is wrong. */
const CODE_OF_MEMBER: Readonly<Record<string, RuleIssueCode>> = {
  all: 'empty_group',
  any: 'empty_group',
  value: 'invalid_value',
  stage: 'invalid_stage',
  replace: 'replace_too_long',
};

/**
 * Adds an issue for each problem of one object. Nested objects and arrays are not checked.
 *
 * @param ignored - Members about which something better is said elsewhere.
 */
export function checkNode(
  name: NodeName,
  node: object,
  location: Location,
  issues: IssueList,
  ignored: readonly string[] = [],
): void {
  const members: MemberSchemas = schemaOf(name).properties;
  for (const problem of finderOf(name)(bounded(node, members))) {
    const { member, item } = problem;
    if (ignored.includes(member)) continue;
    const at: Location = { parent: location, key: member };
    issues.add(
      codeOf(problem),
      item === undefined ? at : { parent: at, key: item },
      sentence(problem, node, members),
    );
    if (issues.full) return;
  }
}

/**
 * The node with lists that are too long cut to one item too many: a list of millions is one problem,
 * not millions.
 */
function bounded(node: object, members: MemberSchemas): object {
  for (const [member, { maxItems = Infinity }] of Object.entries(members)) {
    const list: unknown = (node as Record<string, unknown>)[member];
    if (Array.isArray(list) && list.length > maxItems) {
      return { ...node, [member]: list.slice(0, maxItems + 1) };
    }
  }
  return node;
}

/** The message for a problem, built from the description in the schema. */
function sentence({ keyword, member, item }: Problem, node: object, members: MemberSchemas): string {
  const value = (node as Record<string, unknown>)[member];
  if (keyword === 'additionalProperties') {
    const known = Object.keys(members);
    return `unknown key ${show(member)}.${guess(member, known)} Known here: ${known.join(', ')}`;
  }
  const schema = members[member];
  if (keyword === 'required') return `${member} is missing; it must be ${schema?.description}`;
  if (item === undefined) return `${member} must be ${schema?.description}; it is ${show(value)}`;
  const element = (value as readonly unknown[])[item];
  return `${member}/${item} must be ${schema?.items?.description}; it is ${show(element)}`;
}

/** Codes that do not depend on the member. */
const CODE_OF_KEYWORD: Readonly<Record<string, RuleIssueCode>> = {
  required: 'missing_key',
  additionalProperties: 'unknown_key',
  pattern: 'invalid_endpoint_id',
};

function codeOf({ keyword, member }: Problem): RuleIssueCode {
  if (keyword === 'type' && member !== 'value') return 'invalid_type';
  return CODE_OF_KEYWORD[keyword] ?? CODE_OF_MEMBER[member] ?? 'out_of_bounds';
}
