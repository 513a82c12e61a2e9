/**
 * The language once more, as plainly as it can be said: recursive, unindexed, uncached, and written from
 * the specification alone. It knows nothing of src but the types. RegExp replaces RE2, so it
 * holds only for patterns on which the two agree.
 */
import type {
  Action,
  JsonChange,
  Decision,
  DryRunOptions,
  DryRunReport,
  DryRunRule,
  Event,
  Leaf,
  LeafResult,
  Match,
  Rule,
  RuleDocument,
  TransformOp,
} from '../../src/index.js';

type Members = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/* Paths. */

/** Every element. No key of a test is this text. */
export const STAR = '\u{F0004}';

const hiding = { '\\\\': '\u{F0001}', '\\.': '\u{F0002}', '\\*': '\u{F0003}' };

/** Cuts at dots, after hiding the escaped characters behind others that no test uses. */
export function segmentsOf(path: string): string[] {
  const hidden = Object.entries(hiding).reduce((text, [pair, sign]) => text.replaceAll(pair, sign), path);
  return hidden
    .split('.')
    .map((part) =>
      part === '*'
        ? STAR
        : Object.entries(hiding).reduce((text, [pair, sign]) => text.replaceAll(sign, pair.slice(1)), part),
    );
}

/** The value under one segment; `undefined` is absent. */
function child(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]*)$/.test(segment) ? value[Number(segment)] : undefined;
  return isMembers(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

export const isStarred = (path: string): boolean => segmentsOf(path).includes(STAR);

/** The values at a path. */
export function read(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return value === undefined ? [] : [value];
  if (first !== STAR) return read(child(value, first), rest);
  return Array.isArray(value) ? value.flatMap((element) => read(element, rest)) : [];
}

/* Operators. */

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const numeric = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  return isText(value) && NUMBER.test(value) ? Number(value) : undefined;
};

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]));
  if (isMembers(a) && isMembers(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => same(child(a, key), child(b, key)));
  }
  return a === b;
}

function equal(a: unknown, b: unknown): boolean {
  const numberMeetsText = (typeof a === 'number' && isText(b)) || (isText(a) && typeof b === 'number');
  return numberMeetsText ? numeric(a) === numeric(b) : same(a, b);
}

/** By code points; negative, zero or positive. */
function order(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => Array.from(text, (char) => char.codePointAt(0)!));
  const at = left!.findIndex((point, i) => point !== right![i]);
  return at < 0 ? left!.length - right!.length : left![at]! - (right![at] ?? -1);
}

/** The difference that gt … lte look at; `undefined` where there is no order. */
function distance(subject: unknown, value: number | string): number | undefined {
  const [a, b] = [numeric(subject), numeric(value)];
  if (a !== undefined && b !== undefined) return a < b ? -1 : Number(a > b);
  return isText(subject) && isText(value) ? order(subject, value) : undefined;
}

function contains(subject: unknown, value: unknown): boolean {
  if (Array.isArray(subject)) return subject.some((element) => equal(element, value));
  return isText(subject) && isText(value) && subject.includes(value);
}

/** In RegExp the dot stops at `\r`, U+2028 and U+2029 too. */
const regExpOf = (pattern: string, flags: string): RegExp =>
  new RegExp(
    pattern.replace(/\\.|\./g, (token) => (token === '.' ? '[^\\n]' : token)),
    flags,
  );

const found = (subject: unknown, pattern: string): boolean =>
  isText(subject) && regExpOf(pattern, 'u').test(subject);

/** A leaf on a path that is present. */
function holdsOn(subject: unknown, leaf: Leaf): boolean {
  switch (leaf.op) {
    case 'eq':
      return equal(subject, leaf.value);
    case 'neq':
      return !equal(subject, leaf.value);
    case 'contains':
      return contains(subject, leaf.value);
    case 'not_contains':
      return !contains(subject, leaf.value);
    case 'starts_with':
      return isText(subject) && subject.startsWith(leaf.value);
    case 'ends_with':
      return isText(subject) && subject.endsWith(leaf.value);
    case 'in':
      return leaf.value.some((member) => equal(subject, member));
    case 'not_in':
      return !leaf.value.some((member) => equal(subject, member));
    case 'matches':
      return found(subject, leaf.value);
    case 'not_matches':
      return !found(subject, leaf.value);
    case 'gt':
      return (distance(subject, leaf.value) ?? 0) > 0;
    case 'gte':
      return (distance(subject, leaf.value) ?? -1) >= 0;
    case 'lt':
      return (distance(subject, leaf.value) ?? 0) < 0;
    case 'lte':
      return (distance(subject, leaf.value) ?? 1) <= 0;
    case 'exists':
      return true;
    case 'missing':
      return false;
  }
}

export const isNegation = ({ op }: Leaf): boolean =>
  op === 'neq' || op === 'missing' || op.startsWith('not_');

export function holds(leaf: Leaf, event: unknown): boolean {
  const subjects = read(event, segmentsOf(leaf.path));
  if (subjects.length === 0) return leaf.op === 'missing';
  const held = subjects.map((subject) => holdsOn(subject, leaf));
  return isNegation(leaf) ? !held.includes(false) : held.includes(true);
}

/* Match trees. */

export function matches(match: Match, event: unknown): boolean {
  if ('all' in match) return match.all.every((inner) => matches(inner, event));
  if ('any' in match) return match.any.some((inner) => matches(inner, event));
  return holds(match, event);
}

/** The result of each leaf, in document order. */
export function leafResults(match: Match, event: unknown, reached = true): LeafResult[] {
  if (match.op !== undefined) {
    return [!reached ? 'not_reached' : holds(match, event) ? 'held' : 'not_held'];
  }
  const [children, decisive] = match.all ? [match.all, false] : [match.any, true];
  let open = reached;
  return children.flatMap((inner) => {
    const results = leafResults(inner, event, open);
    open &&= matches(inner, event) !== decisive;
    return results;
  });
}

/* Transforms. */

/** ``$` `` and `$'` become literal; the rest means in `replace` what it means in JavaScript. */
const template = (replace: string): string =>
  replace.replace(/\$([$`'])/g, (pair, second) => (second === '$' ? pair : `$${pair}`));

/** The value with every text at or below it changed. */
function changedBelow(value: unknown, change: (text: string) => string): unknown {
  if (isText(value)) return change(value);
  if (Array.isArray(value)) return value.map((x) => changedBelow(x, change));
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, x]) => [key, changedBelow(x, change)]));
}

function applied(op: TransformOp, value: unknown): unknown {
  if (op.op === 'set') return structuredClone(op.value);
  if (op.op === 'redact' && op.deep === true) {
    return changedBelow(value, (text) => applied({ ...op, deep: false }, text) as string);
  }
  if (!isText(value)) return value;
  switch (op.op) {
    case 'redact':
      return value.replace(regExpOf(op.regex, 'gu'), template(op.replace));
    case 'uppercase':
      return value.toUpperCase();
    case 'lowercase':
      return value.toLowerCase();
    case 'trim':
      return value.trim();
  }
}

/** The value with what stands at the path, if anything does, changed. */
function changed(
  value: unknown,
  [first, ...rest]: readonly string[],
  change: (at: unknown) => unknown,
): unknown {
  if (first === undefined) return value === undefined ? value : change(value);
  if (first === STAR) return Array.isArray(value) ? value.map((x) => changed(x, rest, change)) : value;
  if (child(value, first) === undefined) return value;
  if (Array.isArray(value)) return value.map((x, i) => (String(i) === first ? changed(x, rest, change) : x));
  return Object.fromEntries(
    Object.entries(value as Members).map(([key, x]) => [key, key === first ? changed(x, rest, change) : x]),
  );
}

export function transformed<T>(ops: readonly TransformOp[], event: T): T {
  return ops.reduce((so, op) => changed(so, segmentsOf(op.path), (at) => applied(op, at)) as T, event);
}

/* Decisions. */

const unique = (list: readonly string[]): string[] => list.filter((item, i) => list.indexOf(item) === i);
const ownTags = ({ tags }: Event): string[] =>
  Array.isArray(tags) ? (tags as unknown[]).filter(isText) : [];

/** Priority, then id by its bytes. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((a, b) => a.priority - b.priority || order(a.id, b.id));
}

const take = <Type extends Action['type'], T>(
  rules: readonly Rule[],
  type: Type,
  payload: (action: Extract<Action, { type: Type }>) => readonly T[],
): T[] =>
  rules.flatMap(({ action }) =>
    action.type === type ? payload(action as Extract<Action, { type: Type }>) : [],
  );

/** All of a decision but `limits`, which only patterns out of the ordinary fill. */
export function decided(rules: readonly Rule[], event: Event): Omit<Decision, 'limits'> {
  const running = inOrder(rules).filter(({ enabled }) => enabled !== false);
  const matching = running.filter(({ match }) => matches(match, event));
  const drop = matching.findIndex(({ action }) => action.type === 'drop');
  const matched = drop < 0 ? matching : matching.slice(0, drop + 1);
  const added = take(matched, 'tag', (action) => action.tags);
  const tags = unique([...ownTags(event), ...added]);
  const listed: unknown = Array.isArray(event.tags) ? event.tags : [];
  const labels = JSON.stringify(tags) === JSON.stringify(listed) ? {} : { tags };
  if (drop >= 0) {
    const recorded = { ...event, ...labels, status: 'dropped' };
    return { outcome: 'drop', droppedBy: matched[drop]!, matched, tags, endpointIds: null, event: recorded };
  }
  const routed = matched.some(({ action }) => action.type === 'route_only');
  const endpointIds = routed ? unique(take(matched, 'route_only', (action) => action.endpoint_ids)) : null;
  const projected = transformed(
    take(matched, 'transform', (action) => action.ops),
    event,
  );
  return {
    outcome: 'deliver',
    droppedBy: null,
    matched,
    tags,
    endpointIds,
    event: { ...projected, ...labels },
  };
}

/* Dry-run. */

const escaped = (segment: string): string =>
  segment === '*' ? '\\*' : segment.replaceAll('\\', '\\\\').replaceAll('.', '\\.');

/** The smallest values that differ; containers of another shape differ as a whole. */
export function differences(before: unknown, after: unknown, path = ''): JsonChange[] {
  if (same(before, after)) return [];
  const inside = (key: string): JsonChange[] => {
    const below = path === '' ? escaped(key) : `${path}.${escaped(key)}`;
    return differences(child(before, key), child(after, key), below);
  };
  const keys = (value: unknown): string => JSON.stringify(Object.keys(value as object).sort());
  const containers =
    (isMembers(before) && isMembers(after)) || (Array.isArray(before) && Array.isArray(after));
  if (containers && keys(before) === keys(after)) return Object.keys(before).flatMap(inside);
  return [{ path, before, after }];
}

function sampled({ action }: DryRunRule, event: Event, { endpoints }: DryRunOptions) {
  const sample = { id: event.id, type: event.type, data: event.data };
  const receives = (id: string): boolean =>
    endpoints === undefined ||
    endpoints.some((endpoint) => endpoint.id === id && endpoint.status === 'active');
  switch (action.type) {
    case 'drop':
      return sample;
    case 'transform':
      return { ...sample, diff: differences(event, transformed(action.ops, event)) };
    case 'route_only':
      return { ...sample, endpoint_ids: unique(action.endpoint_ids).filter(receives) };
    case 'tag':
      return { ...sample, tags: unique(action.tags).filter((tag) => !ownTags(event).includes(tag)) };
  }
}

export function dryRunReport(
  rule: DryRunRule,
  events: readonly Event[],
  options: DryRunOptions & { readonly now: number },
): DryRunReport {
  const age = (event: Event): number => options.now - Date.parse(event.received_at ?? '');
  const inWindow = (event: Event): boolean => age(event) >= 0 && age(event) < options.windowHours * 3_600_000;
  const scanned = events.filter(inWindow);
  const matching = scanned.filter((event) => matches(rule.match, event));
  return {
    matched: matching.length,
    scanned: scanned.length,
    undated: events.filter((event) => Number.isNaN(age(event))).length,
    limits: 0,
    byAction: matching.length > 0 ? { [rule.action.type]: matching.length } : {},
    samples: matching.slice(0, 50).map((event) => sampled(rule, event, options)),
  };
}

/* Export. */

const leafDocument = (leaf: Leaf): Leaf =>
  leaf.op === 'exists' || leaf.op === 'missing' ? { path: leaf.path, op: leaf.op } : leaf;

function matchDocument(match: Match): Match {
  if ('all' in match) return { all: match.all.map(matchDocument) };
  if ('any' in match) return { any: match.any.map(matchDocument) };
  return leafDocument(match);
}

const opDocument = (op: TransformOp): TransformOp => {
  if (op.op !== 'redact') return op;
  const { deep, ...shallow } = op;
  return deep === true ? { ...shallow, deep } : shallow;
};

const actionDocument = (action: Action): Action =>
  action.type === 'transform' ? { ...action, ops: action.ops.map(opDocument) } : action;

export function exported(rules: readonly Rule[]): RuleDocument[] {
  return inOrder(rules).map(({ name, description, stage, match, action, priority }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    stage,
    match: matchDocument(match),
    action: actionDocument(action),
    priority,
  }));
}
