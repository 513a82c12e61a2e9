/** The shapes that rules and events travel in. They are JSON documents, so they keep the wire's snake_case. */
import type { Json } from '../json.js';
import type { Leaf } from './operators/index.js';

export type {
  Leaf,
  ListLeaf,
  Operator,
  OrderLeaf,
  PresenceLeaf,
  TextLeaf,
  ValueLeaf,
} from './operators/index.js';

/** Members that a group never has. With them the compiler names all operators where one is misspelled. */
interface NoLeaf {
  readonly path?: never;
  readonly op?: never;
  readonly value?: never;
}

/** Holds when every child holds. */
export interface AllGroup extends NoLeaf {
  readonly all: readonly Match[];
  readonly any?: never;
}

/** Holds when at least one child holds. */
export interface AnyGroup extends NoLeaf {
  readonly any: readonly Match[];
  readonly all?: never;
}

/**
 * A match tree: a leaf, or a group of match trees, to any depth. Told apart by `match.all`, `match.any` and `match.op`.
 */
export type Match = Leaf | AllGroup | AnyGroup;

/** Replaces the value at `path`. */
export interface SetOp {
  readonly op: 'set';
  /** Dotted path under `data.`; `*` stands for every element of an array. */
  readonly path: string;
  readonly value: Json;
}

/** Replaces every match of an RE2 pattern in the string at `path`, or in every string at or below it. */
export interface RedactOp {
  readonly op: 'redact';
  /** Dotted path under `data.`; `*` stands for every element of an array. */
  readonly path: string;
  /** RE2 pattern of at most 200 code points. */
  readonly regex: string;
  /** At most 1,000 code points; `$1`..`$99`, `$<name>`, `$&` and `$$` as in `String.prototype.replace`. */
  readonly replace: string;
  /**
   * Whether every string at or below `path` is meant: members of objects and elements of arrays to any depth, keys
   * never.
   *
   * @defaultValue `false`
   */
  readonly deep?: boolean;
}

/** Changes the letters of the string at `path`, or takes the white space off its ends. */
export interface TextOp {
  readonly op: 'uppercase' | 'lowercase' | 'trim';
  /** Dotted path under `data.`; `*` stands for every element of an array. */
  readonly path: string;
}

/** One step of a transform. An absent path, or one of the wrong type, is skipped. */
export type TransformOp = SetOp | RedactOp | TextOp;

/** Keeps the event, delivers it to nobody, and ends the evaluation. */
export interface DropAction {
  readonly type: 'drop';
}

/** Changes the projected `data`. */
export interface TransformAction {
  readonly type: 'transform';
  readonly ops: readonly TransformOp[];
}

/** Limits delivery to the listed endpoints. */
export interface RouteAction {
  readonly type: 'route_only';
  /** UUIDs. */
  readonly endpoint_ids: readonly string[];
}

/** Labels the event's record. */
export interface TagAction {
  readonly type: 'tag';
  readonly tags: readonly string[];
}

/** The effect of a rule on an event that it matches. */
export type Action = DropAction | TransformAction | RouteAction | TagAction;

/** A rule as it is exported and imported. */
export interface RuleDocument {
  /** 1..200 code points. */
  readonly name: string;
  /** At most 2,000 code points. */
  readonly description?: string;
  readonly stage: 'deliver';
  readonly match: Match;
  readonly action: Action;
  /** A safe integer; lower runs first. */
  readonly priority: number;
}

/** A rule in service. */
export interface Rule extends RuleDocument {
  /** Unique in its rule set; breaks ties of priority, by code point. */
  readonly id: string;
  /** @defaultValue `true` */
  readonly enabled?: boolean;
}

/**
 * The events that rules take: any type that has these members, such as an interface or a class of the host. Rules read
 * no other members but those that they name; all pass through.
 */
export interface EventLike {
  /** Prefixed `evt_`. */
  readonly id: string;
  /** Such as `webhook.received`. */
  readonly type: string;
  /** Says what happened, in the sender's words, such as `invoice.paid`. Without one, the type is the topic. */
  readonly topic?: string | null | undefined;
  /** The projected block that transforms change. */
  readonly data: object;
  readonly channel?: { readonly type: string } | null | undefined;
  /** The source envelope, verbatim; transforms never change it. */
  readonly raw_payload?: unknown;
  readonly status?: string | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  /** ISO 8601. */
  readonly received_at?: string | null | undefined;
}

/** An event of which nothing more is known: any member of `data` may be read, as `unknown`. */
export interface Event extends EventLike {
  readonly topic?: string;
  readonly data: { readonly [key: string]: unknown };
  readonly channel?: { readonly type: string };
  readonly status?: string;
  readonly tags?: readonly string[];
  readonly received_at?: string;
}
