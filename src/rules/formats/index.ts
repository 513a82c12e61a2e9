/** The entry point of formats: rules of other systems, each entry of a file as a rule document. */
import { isObject, whyNotJson } from '../../json.js';
import type { IssueList, Location } from '../issues/index.js';
import type { RuleDocument } from '../rule.js';
import { readJsonLogic } from './json-logic.js';
import { readFilter } from './json-match.js';
import { readRulesEngine } from './json-rules-engine.js';
import { readMongoDB } from './mongodb.js';
import { below, type Context, convert, type Read } from './part.js';
import { readQuery } from './query-builder.js';

export type { Context } from './part.js';

/** The name of a system whose conditions an import reads. */
export type RuleFormat =
  'json-rules-engine' | 'json-logic' | 'mongodb' | 'hookdeck' | 'outpost' | 'react-querybuilder';

const readers: Readonly<Record<RuleFormat, Read>> = {
  'json-rules-engine': readRulesEngine,
  'json-logic': readJsonLogic,
  mongodb: readMongoDB,
  hookdeck: /* @__PURE__ */ readFilter('hookdeck'),
  outpost: /* @__PURE__ */ readFilter('outpost'),
  'react-querybuilder': readQuery,
};

/** The names of all of them. */
export const ruleFormats = /* @__PURE__ */ Object.keys(readers) as readonly RuleFormat[];

/** Members of rules that a file of conditions does not have. */
export type RuleDefaults = Partial<Omit<RuleDocument, 'match'>>;

/** Members of a rule document around a condition, and those that an import ignores. */
const AROUND = ['name', 'description', 'stage', 'match', 'action', 'priority', 'id', 'counts', 'enabled'];

/** A condition, its location in its entry, and what its entry says about the rule. */
interface Foreign {
  readonly condition: unknown;
  readonly location: Location;
  readonly members: RuleDefaults;
  /** Members that follow from the entry, if the import says nothing else. */
  readonly implied?: RuleDefaults;
}

/** A condition alone, in the `match` of a rule document, or in the rule of another system. */
function foreignIn(entry: unknown, format: RuleFormat): Foreign {
  const bare = { condition: entry, location: null, members: {} };
  if (!isObject(entry)) return bare;
  if (format === 'json-rules-engine' && Object.hasOwn(entry, 'conditions')) return ofRulesEngine(entry);
  const isDocument =
    isObject(entry.match) &&
    (Object.hasOwn(entry, 'name') || Object.hasOwn(entry, 'action')) &&
    Object.keys(entry).every((key) => AROUND.includes(key));
  if (!isDocument) return bare;
  const { match, ...members } = entry;
  return { condition: match, location: below(null, 'match'), members: members };
}

/** A greater priority runs first in json-rules-engine; an event without parameters becomes a tag. */
function ofRulesEngine(entry: Readonly<Record<string, unknown>>): Foreign {
  const { conditions, name, priority, event } = entry;
  const { type, params } = isObject(event) ? event : {};
  return {
    condition: conditions,
    location: below(null, 'conditions'),
    members: {
      ...(typeof name === 'string' && { name }),
      ...(typeof priority === 'number' && { priority: 0 - priority }),
    },
    ...(typeof type === 'string' &&
      params === undefined && { implied: { action: { type: 'tag', tags: [type] } } }),
  };
}

/** A document, and the location of its condition in the entry. */
export interface Converted {
  readonly document: unknown;
  readonly location: Location;
}

/**
 * An entry as a rule document whose match says the same; `null` if it was refused, and then the issues say why.
 *
 * @param nth - Number of the entry in its file, from 1.
 */
export function toDocument(
  entry: unknown,
  nth: number,
  {
    format,
    defaults,
    context,
  }: { readonly format: RuleFormat; readonly defaults: RuleDefaults; readonly context: Context },
  issues: IssueList,
): Converted | null {
  const reason = whyNotJson(entry, (units) => issues.takes(units, null));
  if (reason !== null) issues.add('invalid_value', null, `an entry must be JSON, but it holds ${reason}`);
  if (!issues.none) return null;
  const { condition, location, members, implied } = foreignIn(entry, format);
  const part = { node: condition, location, negated: false, steps: context.root };
  const match = convert(readers[format], part, context, issues);
  if (match === null) return null;
  const usual = { name: `${format} ${nth}`, stage: 'deliver', priority: 0 };
  return { document: { ...usual, ...implied, ...defaults, ...members, match }, location };
}
