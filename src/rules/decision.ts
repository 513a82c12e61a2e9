/** From the rules that match an event to what becomes of it: effects add up until the first drop. */
import { isObject } from '../json.js';
import { budgetOf, type PatternOptions } from '../patterns/index.js';
import { compileProgram, runProgram, type Program } from './match.js';
import { Projection } from './projection.js';
import type { Event, Rule } from './rule.js';
import { compileOp, type CompiledOp } from './transform.js';

/** A pattern that met its work budget on an event. */
export interface Limit {
  readonly rule: Rule;
  /** The path of the leaf or op. */
  readonly path: string;
  readonly pattern: string;
}

/** What the rules decide about one event. */
export interface Decision<E extends Event = Event> {
  readonly outcome: 'deliver' | 'drop';
  /** The rule that dropped the event. */
  readonly droppedBy: Rule | null;
  /** In evaluation order, up to and with the drop. */
  readonly matched: readonly Rule[];
  /** The projected event: `data` transformed, `tags` and, on a drop, `status: 'dropped'` as recorded. */
  readonly event: E;
  /** The event's own tags, then those added, without duplicates. */
  readonly tags: readonly string[];
  /** The endpoints that alone receive the event; `null` means default fan-out. */
  readonly endpointIds: readonly string[] | null;
  /** Patterns that met their work budget: the leaf was undecided, or the redact failed closed. Empty nearly always. */
  readonly limits: readonly Limit[];
}

/** A rule that has been validated. What it needs is compiled when it is first needed. */
export class CompiledRule {
  readonly rule: Rule;
  readonly #options: PatternOptions;
  #program: Program | null = null;
  #ops: readonly CompiledOp[] | null = null;

  constructor(rule: Rule, options: PatternOptions) {
    this.rule = rule;
    this.#options = options;
  }

  /** Whether the rule matches an event. Each call has a work budget of its own; what meets it is added to `limits`. */
  matches(event: unknown, limits: Limit[]): boolean {
    const { rule } = this;
    this.#program ??= compileProgram(rule.match, this.#options);
    return runProgram(this.#program, event, { left: budgetOf(this.#options) }, ({ path, value }) => {
      limits.push({ rule, path, pattern: value as string });
    });
  }

  /** Applies the ops of a transform, on a work budget of their own; does nothing for other actions. */
  transform(projection: Projection<unknown>, limits: Limit[]): void {
    const { rule } = this;
    if (rule.action.type !== 'transform') return;
    this.#ops ??= rule.action.ops.map((op) => compileOp(op, this.#options));
    const work = { left: budgetOf(this.#options) };
    for (const op of this.#ops) {
      op(projection, work, ({ path, regex }) => {
        limits.push({ rule, path, pattern: regex });
      });
    }
  }
}

/**
 * Applies the rules that match.
 *
 * @param matching - In evaluation order, up to and with the first drop.
 * @param limits - What matching ran into; what transforming runs into is added.
 */
export function decide<E extends Event>(
  event: E,
  matching: readonly CompiledRule[],
  limits: Limit[],
): Decision<E> {
  const matched = matching.map(({ rule }) => rule);
  const last = matched.at(-1);
  const droppedBy = last?.action.type === 'drop' ? last : null;
  const own = tagsOf(event);
  const tags = union([own, ...matched.map(({ action }) => (action.type === 'tag' ? action.tags : []))]);
  // Own tags that repeat are no reason to change the event.
  const added = tags.length > new Set(own).size ? { tags } : {};
  const decision = { droppedBy, matched, tags, limits };
  if (droppedBy !== null) {
    const event_ = withMembers(event, { ...added, status: 'dropped' });
    return { outcome: 'drop', ...decision, event: event_, endpointIds: null };
  }
  const projected = withMembers(transform(event, matching, limits), added);
  return { outcome: 'deliver', ...decision, event: projected, endpointIds: routesOf(matched) };
}

/** The event with the ops of all matching rules applied, each to the result of the one before. */
function transform<E extends Event>(event: E, matching: readonly CompiledRule[], limits: Limit[]): E {
  const projection = new Projection(event);
  for (const rule of matching) rule.transform(projection, limits);
  return projection.event;
}

function routesOf(matched: readonly Rule[]): readonly string[] | null {
  const routes = matched.flatMap(({ action }) => (action.type === 'route_only' ? [action.endpoint_ids] : []));
  return routes.length === 0 ? null : union(routes);
}

/** In first-seen order, without duplicates. */
const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** The tags that an event came with: it is JSON from outside, so they may be anything. */
export function tagsOf(event: unknown): string[] {
  const tags = isObject(event) ? event.tags : undefined;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** A copy with some members replaced; the very same event when there are none, or it has no members. */
function withMembers<E>(event: E, members: Partial<Event>): E {
  return Object.keys(members).length === 0 || !isObject(event) ? event : { ...event, ...members };
}
