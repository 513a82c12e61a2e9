/** The keys that leaves ask for at one path. */
import type { Json } from '../../../json.js';
import type { Pattern } from '../../../patterns/index.js';
import type { Demand } from '../../operators/index.js';
import { isStarred, parsePath, type Path } from '../../path.js';
import { type Structures, isStructure, numberIn } from '../../values/index.js';
import type { Key, KeyGroup, KeyKind, KeyRegister } from './keys.js';

/** A disjunction: keys of which an event has at least one. */
export type Clause = readonly Key[];

/** The keys of a leaf. */
export interface LeafKeys {
  /** If the leaf holds, the event has a key of each clause. */
  readonly clauses: readonly Clause[];
  /** The event has one of these if and only if the leaf holds; `null` if no keys say so. */
  readonly exact: Clause | null;
}

/** Keys of values that rules compare a subject with, or its elements. */
export interface ValueKeys {
  readonly scalars: ReadonlyMap<unknown, Key>;
  /** By the number that a string spells. */
  readonly spellings: ReadonlyMap<number, Key> | null;
  /** By the number of the structure. */
  readonly structures: ReadonlyMap<number, Key> | null;
}

export interface PatternKey {
  readonly pattern: Pattern;
  readonly key: Key;
}

/** A path that rules name, and the keys to look for there; `null` if rules ask for no key of a kind. */
export interface PathPlan {
  readonly id: number;
  readonly path: string;
  /** Whether an event can have any number of values at the path: two leaves may each hold for another one. */
  readonly isStarred: boolean;
  readonly presence: Key | null;
  readonly values: ValueKeys | null;
  readonly elements: ValueKeys | null;
  readonly prefixes: ReadonlyMap<string, Key> | null;
  readonly suffixes: ReadonlyMap<string, Key> | null;
  readonly texts: ReadonlyMap<string, Key> | null;
  /** By source. */
  readonly patterns: ReadonlyMap<string, PatternKey> | null;
  /** Whether a pattern needs no text: then the patterns of the path read every subject, and one more costs little. */
  readonly hasOpenPattern: boolean;
}

/** The assumed share of events that have a path of a rule. */
const PRESENCE_PRIOR = 0.9;

/** The assumed share of events with either boolean. */
const BOOLEAN_PRIOR = 0.5;

/** Matching one more pattern of a set costs as much as trying its rule on one event in ten. */
const PATTERN_PRIOR = 0.1;

/** Units that are assumed to be equally likely at each position of a text. */
const LIKELY_UNITS = 8;

/** Positions at which a text is assumed to have a chance to occur. */
const TEXT_POSITIONS = 256;

/** The leaf has no key. */
export const NOT_INDEXED: LeafKeys = { clauses: [], exact: null };

const exactly = (clause: Clause): LeafKeys => ({ clauses: [clause], exact: clause });
const atBest = (clause: Clause): LeafKeys => ({ clauses: [clause], exact: null });

/** A pattern sees U+FFFD instead of a lone surrogate, where the search for a text sees the surrogate. */
const hasReplacement = (text: string): boolean => text.includes('\ufffd');

/** Collects the keys of one path while leaves are read. */
export class PathKeys implements PathPlan {
  presence: Key | null = null;
  values: ValueKeyMaps | null = null;
  elements: ValueKeyMaps | null = null;
  prefixes: Map<string, Key> | null = null;
  suffixes: Map<string, Key> | null = null;
  texts: Map<string, Key> | null = null;
  patterns: Map<string, PatternKey> | null = null;
  hasOpenPattern = false;
  readonly isStarred: boolean;
  readonly #register: KeyRegister;
  readonly #structures: Structures;
  readonly #groups = new Map<KeyKind, KeyGroup>();

  /** @param structures - Shared by all paths. */
  constructor(
    readonly id: number,
    readonly path: string,
    register: KeyRegister,
    structures: Structures,
  ) {
    this.isStarred = isStarred(parsePath(path) as Path);
    this.#register = register;
    this.#structures = structures;
  }

  /**
   * The keys of values that meet a demand.
   *
   * @param pattern - The pattern of the demand, if it has one.
   */
  keysFor(demand: Demand, pattern: Pattern | null): LeafKeys {
    switch (demand.kind) {
      case 'equals':
        return exactly(this.#keysOfAny(demand.values));
      case 'contains':
        return demand.value === ''
          ? atBest([this.#presenceKey()])
          : exactly(this.#containsKeys(demand.value));
      case 'affix':
        return demand.text === '' ? atBest([this.#presenceKey()]) : exactly([this.#affixKey(demand)]);
      case 'pattern':
        return this.#patternKeys(pattern as Pattern);
      case 'presence':
        return exactly([this.#presenceKey()]);
      default:
        return NOT_INDEXED;
    }
  }

  #keysOfAny(values: readonly Json[]): Clause {
    return values.length === 1
      ? this.#valueKeys(values[0] as Json)
      : values.flatMap((value) => this.#valueKeys(value));
  }

  /** A subject has one of these keys if and only if it equals the value. */
  #valueKeys(value: Json): Clause {
    return (this.values ??= new ValueKeyMaps(this.#register, this.path)).keysOf(value, this.#structures);
  }

  #containsKeys(value: Json): Clause {
    this.elements ??= new ValueKeyMaps(this.#register, this.path);
    const elements = this.elements.keysOf(value, this.#structures);
    return typeof value === 'string' ? [this.#textKey(value), ...elements] : elements;
  }

  #presenceKey(): Key {
    return (this.presence ??= this.#newKey('presence', null, PRESENCE_PRIOR));
  }

  #affixKey({ end, text }: Demand & { readonly kind: 'affix' }): Key {
    const affixes =
      end === 'start'
        ? (this.prefixes ??= new Map<string, Key>())
        : (this.suffixes ??= new Map<string, Key>());
    const kind = end === 'start' ? 'prefix' : 'suffix';
    return known(affixes, text, () => this.#newKey(kind, text, affixPrior(text)));
  }

  #textKey(text: string): Key {
    this.texts ??= new Map<string, Key>();
    return known(this.texts, text, () => this.#newKey('text', text, textPrior(text)));
  }

  #patternKeys(pattern: Pattern): LeafKeys {
    this.patterns ??= new Map<string, PatternKey>();
    const { source } = pattern;
    const { key } = known(this.patterns, source, () => ({
      pattern,
      key: this.#newKey('pattern', source, PATTERN_PRIOR),
    }));
    const literals = pattern.requiredLiterals.filter((texts) => !texts.some(hasReplacement));
    if (literals.length === 0) this.hasOpenPattern = true;
    const exact: Clause = [key];
    return {
      clauses: [...literals.map((texts) => texts.map((text) => this.#textKey(text))), exact],
      exact,
    };
  }

  #newKey(kind: KeyKind, sought: unknown, prior: number): Key {
    const group = known(this.#groups, kind, () => this.#register.newGroup(this.path));
    return this.#register.add(group, kind, sought, prior);
  }
}

const affixPrior = (text: string): number => LIKELY_UNITS ** -text.length;
const textPrior = (text: string): number => Math.min(0.9, TEXT_POSITIONS * affixPrior(text));

/** The value of a map's key, a new one where it has none. */
function known<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

/**
 * Keys of values. Coercion between numbers and strings lies in the keys: the rule value `"5.0"` has the keys of the
 * string `5.0` and of the number that it spells, so the subjects `"5.0"` and `5` have one of them, and `"5"` has none.
 */
class ValueKeyMaps implements ValueKeys {
  readonly scalars = new Map<unknown, Key>();
  spellings: Map<number, Key> | null = null;
  structures: Map<number, Key> | null = null;
  readonly #register: KeyRegister;
  readonly #group: KeyGroup;

  constructor(register: KeyRegister, path: string) {
    this.#register = register;
    this.#group = register.newGroup(path);
  }

  keysOf(value: Json, structures: Structures): Clause {
    if (isStructure(value)) {
      this.structures ??= new Map<number, Key>();
      return [this.#key(this.structures, 'structure', structures.add(value), 0)];
    }
    const prior = typeof value === 'boolean' ? BOOLEAN_PRIOR : 0;
    const own = this.#key(this.scalars, 'value', value, prior);
    const spelled = typeof value === 'string' ? numberIn(value) : undefined;
    if (spelled === undefined) return [own];
    this.spellings ??= new Map<number, Key>();
    return [own, this.#key(this.spellings, 'spelling', spelled, 0)];
  }

  #key<T>(keys: Map<T, Key>, kind: KeyKind, sought: T, prior: number): Key {
    return known(keys, sought, () => this.#register.add(this.#group, kind, sought, prior));
  }
}
