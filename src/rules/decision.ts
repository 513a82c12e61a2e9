/** From the rules that match an event to the decision about it: effects add up until the first drop. */
import { hasHidden, isObject, shallowCopy } from '../json.js';
import { budgetOf, type PatternOptions } from '../patterns/index.js';
import { type Program, compileProgram, runProgram } from './match/index.js';
import { Purse } from './purse.js';
import type { Action, Event, EventLike, Rule, TransformOp } from './rule.js';
import { Account, type Subjects } from './values/index.js';
import { type CompiledOp, Projection, compileOps } from './transform/index.js';

/** A leaf or an op that met its work budget on an event. */
export interface PatternLimit {
  readonly rule: Rule;
  /** The path of the leaf or op. */
  readonly path: string;
  /** Empty for an op that has no pattern. */
  readonly pattern: string;
  /** The op, if it has no pattern: `set` put `null` instead of the value, any other left it as it was. */
  readonly op?: 'set' | 'uppercase' | 'lowercase' | 'trim';
}

/** The outcome of the rules for one event. */
export interface Decision<E extends EventLike = Event> {
  readonly outcome: 'deliver' | 'drop';
  /** The rule that dropped the event. */
  readonly droppedBy: Rule | null;
  /** In evaluation order, up to and with the drop. */
  readonly matched: readonly Rule[];
  /** The projected event: `data` transformed, `tags` and, on a drop, `status: 'dropped'` as recorded. */
  readonly event: E;
  /** The event's own tags, then those added, without duplicates: those of `event`, where it lists any. */
  readonly tags: readonly string[];
  /** The endpoints that alone receive the event; `null` means default fan-out. */
  readonly endpointIds: readonly string[] | null;
  /**
   * Leaves that stayed undecided and ops that did not happen, since they met their work budget. Empty nearly always.
   */
  readonly limits: readonly PatternLimit[];
}

/**
 * A rule that has been validated; its tree and its ops are compiled when they are first needed.
 *
 * The tree stays a branching program here. Closures are faster for one tree alone, but this is what an index and
 * closures are held to, so it shares nothing with either; and it names the leaves that were undecided.
 */
export class CompiledRule {
  readonly #rule: Rule;
  readonly #options: PatternOptions;
  #program: Program | null = null;
  #ops: readonly CompiledOp[] | null = null;

  constructor(rule: Rule, options: PatternOptions) {
    this.#rule = rule;
    this.#options = options;
  }

  /**
   * Whether the rule matches an event. Each call has a work budget of its own, as far as the event's lasts; what meets
   * it is added to `limits`.
   *
   * @param subjects - Subjects of the event that were read before.
   */
  matches(event: unknown, limits: PatternLimit[], purse: Purse, subjects?: Subjects): boolean {
    const rule = this.#rule;
    this.#program ??= compileProgram(rule.match, this.#options);
    const lent = purse.lend(budgetOf(this.#options));
    const account = new Account(lent, subjects);
    const matches = runProgram(this.#program, event, account, ({ path, value }) => {
      limits.push({ rule, path, pattern: value as string });
    });
    purse.spend(lent - account.left);
    return matches;
  }

  /**
   * Applies the ops of a transform, on a work budget of their own, as far as the event's lasts; does nothing for other
   * actions.
   */
  transform(projection: Projection<unknown>, limits: PatternLimit[], purse: Purse): void {
    const rule = this.#rule;
    if (rule.action.type !== 'transform') return;
    this.#ops ??= compileOps(rule.action.ops, this.#options);
    if (!purse.isOverdrawn) projection.reopen();
    const lent = purse.lend(budgetOf(this.#options));
    const work = { left: lent };
    for (const op of this.#ops) {
      op(projection, work, (limited) => {
        limits.push({ rule, ...limitOf(limited) });
      });
    }
    purse.spend(lent - work.left);
  }
}

function limitOf(op: TransformOp): Omit<PatternLimit, 'rule'> {
  const { path } = op;
  return op.op === 'redact' ? { path, pattern: op.regex } : { path, pattern: '', op: op.op };
}

/** Gives each rule its one compiled form. */
export interface Compile {
  (rule: Rule): CompiledRule;
  /** Work that all rules together may do on one event, in matching and again in transforms. */
  readonly eventBudget: number;
}

/** Compiles each rule once, when it is first asked for. */
export function compileOnce(options: PatternOptions): Compile {
  const known = new WeakMap<Rule, CompiledRule>();
  const compile = (rule: Rule): CompiledRule => {
    let compiled = known.get(rule);
    if (compiled === undefined) known.set(rule, (compiled = new CompiledRule(rule, options)));
    return compiled;
  };
  return Object.assign(compile, { eventBudget: options.eventBudget ?? Infinity });
}

/** An action, and the rule that it is taken for. */
export interface Effect {
  readonly rule: Rule;
  readonly action: Action;
}

/** The rules that match an event, in evaluation order, up to and with the first drop. */
export class Matching {
  readonly rules: Rule[] = [];
  /** Their effects; an action that a rule before has taken already may be left out. */
  readonly effects: Effect[] = [];
  /** Leaves that met their work budget while the rules were matched. */
  readonly limits: PatternLimit[] = [];

  /** Adds the next rule. */
  add(rule: Rule): void {
    this.rules.push(rule);
  }

  /**
   * Adds the effect of the rule that was added last.
   *
   * @returns Whether it ends the evaluation.
   */
  act(rule: Rule, action: Action): boolean {
    this.effects.push({ rule, action });
    return action.type === 'drop';
  }
}

/** Applies the rules that match. Ops that meet their work budget are added to the limits. */
export function decide<E extends EventLike>(event: E, matching: Matching, compile: Compile): Decision<E> {
  const { rules: matched, effects, limits } = matching;
  const { tags, isRetagged, routes, isTransformed } = tally(event, effects);
  const tagged = isRetagged ? withMember(event, { tags: [...tags] }) : event;
  const last = effects.at(-1);
  if (last?.action.type === 'drop') {
    const droppedBy = last.rule;
    const record = withMember(tagged, { status: 'dropped' });
    return { outcome: 'drop', droppedBy, matched, event: record, tags, endpointIds: null, limits };
  }
  const projected = isTransformed ? transform(tagged, matching, compile) : tagged;
  return {
    outcome: 'deliver',
    droppedBy: null,
    matched,
    event: projected,
    tags,
    endpointIds: routes,
    limits,
  };
}

/** The sum of the actions of an event. */
interface Tally {
  readonly tags: readonly string[];
  /** Whether they differ from what the event lists: some were added, or its own repeat or are not strings. */
  readonly isRetagged: boolean;
  readonly routes: readonly string[] | null;
  readonly isTransformed: boolean;
}

function tally(event: unknown, effects: readonly Effect[]): Tally {
  const own = tagsOf(event);
  let tags: Union | null = own.length > 1 ? new Union(own) : null;
  const distinct = tags?.items.length ?? own.length;
  let routes: Union | null = null;
  let isTransformed = false;
  for (const { action } of effects) {
    if (action.type === 'tag') (tags ??= new Union(own)).add(action.tags);
    else if (action.type === 'route_only') (routes ??= new Union(NONE)).add(action.endpoint_ids);
    else if (action.type === 'transform') isTransformed = true;
  }
  const all = tags?.items ?? own;
  const isRetagged = all.length > distinct || distinct < listedTags(event).length;
  return { tags: all, isRetagged, routes: routes?.items ?? null, isTransformed };
}

/** The event with the ops of all matching rules applied, each to the result of the one before. */
function transform<E extends EventLike>(event: E, { effects, limits }: Matching, compile: Compile): E {
  const projection = new Projection(event);
  const purse = new Purse(compile.eventBudget);
  for (const { rule, action } of effects) {
    if (action.type === 'transform') compile(rule).transform(projection, limits, purse);
  }
  return projection.event;
}

/** Texts up to which looking through them beats a set. */
const FEW = 8;

/** Texts in first-seen order, without duplicates. */
class Union {
  readonly items: string[] = [];
  #seen: Set<string> | null = null;

  constructor(texts: readonly string[]) {
    this.add(texts);
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#seen?.has(text) ?? this.items.includes(text)) continue;
      this.items.push(text);
      if (this.items.length > FEW) (this.#seen ??= new Set(this.items)).add(text);
    }
  }
}

const NONE: readonly string[] = Object.freeze([]);

/** The members of an event's `tags`: it is JSON from outside, so they may be anything. */
function listedTags(event: unknown): readonly unknown[] {
  const tags = isObject(event) ? event.tags : undefined;
  return Array.isArray(tags) ? tags : NONE;
}

/** The tags that an event came with; they may repeat. */
export function tagsOf(event: unknown): readonly string[] {
  const tags = listedTags(event);
  return tags === NONE ? NONE : tags.filter((tag) => typeof tag === 'string');
}

/**
 * A copy with a member set; the very same event when it has no members. If the member is new, `Object.assign` is
 * several times as quick as spreading, but takes an own `__proto__` for the prototype.
 */
function withMember<E>(event: E, member: Partial<EventLike>): E {
  if (!isObject(event)) return event;
  if (hasHidden(event)) return Object.assign(shallowCopy(event), member) as E;
  return Object.hasOwn(event, '__proto__') ? { ...event, ...member } : Object.assign({}, event, member);
}
