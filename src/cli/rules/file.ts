/** A file of rules: those that are valid, and every problem with its position. */
import {
  type LineAndColumn,
  lintRules,
  type LintWarning,
  type Plan,
  type Rule,
  ruleLimits,
} from '../../index.js';
import type { Context } from '../context.js';
import { bytesOf, nameOf } from '../input/read.js';
import { cut } from '../output/text.js';
import { type EntryIssue, type EntryRule, takeEntries } from './entries.js';
import type { Finding } from './finding.js';
import { parseFile, type Parsed } from './parsed.js';
import { positionsOf, repeatedNames } from './positions.js';

/** UTF-8 bytes that a file of rules may have. */
export const MAX_BYTES = 10 * 1_024 * 1_024;
/** UTF-16 units of a key in a message. */
const SHOWN_KEY = 40;
const START: LineAndColumn = { line: 1, column: 1 };

/** Reads a file of rules, or standard input for `-`. */
export async function readRules(path: string, context: Context, plan: Plan = 'scale'): Promise<RulesFile> {
  return new RulesFile(nameOf(path), await bytesOf(path, context, MAX_BYTES), plan);
}

/** Made of the bytes of one file, and not changed. */
export class RulesFile {
  readonly name: string;
  /** The valid ones in the order of the file. Ids that the file does not have are made, and ascend. */
  readonly rules: readonly Rule[];
  /** In the order of the rules. */
  readonly problems: readonly Finding[];
  readonly #parsed: Parsed;
  readonly #numberOf: ReadonlyMap<Rule, number>;

  constructor(name: string, bytes: Uint8Array, plan: Plan) {
    this.name = name;
    this.#parsed = parseFile(bytes);
    const { rules, issues } = takeEntries(bytes, this.#parsed.entries, ruleLimits[plan]);
    this.rules = rules.map(({ rule }: EntryRule) => rule);
    this.#numberOf = new Map(rules.map(({ rule, index }) => [rule, index + 1]));
    this.problems = this.#problemsOf(issues);
  }

  /** Number of a rule in the file, from 1. */
  numberOf(rule: Rule): number {
    return this.#numberOf.get(rule) ?? 0;
  }

  /** Warnings of the rules that are valid, and of keys that stand twice. */
  lint(): readonly Finding[] {
    const warnings = lintRules(this.rules);
    const nextPosition = this.#positions(
      warnings.flatMap((warning) => [warning, ...warning.related]),
      ({ rule, pointer }) => ({ pointer: this.#pointer(this.numberOf(rule) - 1, pointer), ofName: false }),
    );
    return [...this.#repeats(), ...warnings.map((warning) => this.#warning(warning, nextPosition))];
  }

  #repeats(): readonly Finding[] {
    const { text, entries } = this.#parsed;
    return repeatedNames(text).map(({ name: key, index, line, column }) => ({
      file: this.name,
      line,
      column,
      severity: 'warning',
      code: 'repeated_key',
      rule: index + 1,
      ...nameIn(entries[index]),
      pointer: '',
      message: `the key ${JSON.stringify(cut(key, SHOWN_KEY))} occurs twice in one object, and the last one counts; remove one`,
      related: [],
    }));
  }

  #problemsOf(issues: readonly EntryIssue[]): readonly Finding[] {
    const { fault, entries } = this.#parsed;
    const nextPosition = this.#positions(issues, ({ index, code, pointer }) => ({
      pointer: this.#pointer(index, pointer),
      ofName: code === 'unknown_key',
    }));
    return issues.map(({ index, code, pointer, message }) => ({
      file: this.name,
      ...nextPosition(),
      severity: 'error',
      code,
      rule: index === null ? null : index + 1,
      ...nameIn(index === null ? null : entries[index]),
      pointer,
      message,
      related: [],
      // If the text is not JSON, only the parser knows the position.
      ...(code === 'invalid_json' && fault),
    }));
  }

  #warning(
    { rule, code, pointer, message, related }: LintWarning,
    nextPosition: () => LineAndColumn,
  ): Finding {
    return {
      file: this.name,
      ...nextPosition(),
      severity: 'warning',
      code,
      rule: this.numberOf(rule),
      name: rule.name,
      pointer,
      message,
      related: related.map((other) => ({
        ...nextPosition(),
        rule: this.numberOf(other.rule),
        pointer: other.pointer,
      })),
    };
  }

  /** Gives the position of each item, one at a call. */
  #positions<T>(
    items: readonly T[],
    request: (item: T) => { readonly pointer: string; readonly ofName: boolean },
  ): () => LineAndColumn {
    const { text } = this.#parsed;
    const positions = items.length === 0 || text === '' ? [] : positionsOf(text, items.map(request));
    let at = 0;
    return () => positions[at++] ?? START;
  }

  /** A pointer from the root of the file. */
  #pointer(index: number | null, pointer: string): string {
    return index === null || !this.#parsed.isList ? pointer : `/${index}${pointer}`;
  }
}

function nameIn(entry: unknown): { readonly name?: string } {
  const { name } = Object(entry) as { readonly name?: unknown };
  return typeof name === 'string' ? { name } : {};
}
