/**
 * From a schema that somebody wrote to one that is safe to compile: no keyword that is not known, no reference to
 * anything else, no endless loop, and a count of the work in each part. Pure.
 */
import { checkPattern } from 'headgate';
import type { ProblemIssue } from '../../errors/problem.js';
import { DIALECT, KEYWORDS, REFUSED } from './keywords.js';
import { APPLY } from './work.js';

/** Most schemas within a schema, itself among them. */
export const MAX_SUBSCHEMAS = 1_000;
/** The keyword that counts the work; no schema can use it, since its name is not known. */
export const COUNT = 'x-work';

export type Schema = Readonly<Record<string, unknown>>;

/** A schema that is ready to be compiled, or what is wrong with it. */
export type Prepared =
  | { readonly ok: true; readonly schema: Schema | boolean }
  | { readonly ok: false; readonly issues: readonly ProblemIssue[] };

/** @param schema - Valid by the meta-schema of 2020-12, and no deeper than the stack is. */
export function prepareSchema(schema: Schema): Prepared {
  const walk = new Walk();
  const copy = walk.copyOf(schema, '');
  walk.checkReferences();
  return walk.issues.length > 0 ? { ok: false, issues: walk.issues } : { ok: true, schema: copy };
}

/** A reference in a schema, and the pointers that it leads from and to. */
interface Reference {
  readonly from: string;
  readonly to: string;
}

/** One walk through a schema; thrown away after it. */
class Walk {
  readonly issues: ProblemIssue[] = [];
  /** By the pointer of each schema: the pointers of those that apply to the same value. */
  readonly #inPlace = new Map<string, string[]>();
  readonly #references: Reference[] = [];

  /** A copy without annotations, in which each schema counts its work. */
  copyOf(schema: unknown, at: string): Schema | boolean {
    const inPlace: string[] = [];
    if (this.#inPlace.set(at, inPlace).size > MAX_SUBSCHEMAS) {
      if (this.#inPlace.size === MAX_SUBSCHEMAS + 1) {
        this.#add('too_many_schemas', '', `it has more than ${MAX_SUBSCHEMAS} schemas within it: split it`);
      }
      return true;
    }
    if (!isObject(schema)) return schema === true;
    const members: (readonly [string, unknown])[] = [];
    for (const [name, value] of Object.entries(schema)) {
      const copy = this.#memberOf(name, value, at, inPlace);
      if (copy !== undefined) members.push([name, copy]);
    }
    if (members.length > 0) members.push([COUNT, workIn(schema)]);
    // Unlike an assignment, this makes a member of `__proto__` too.
    return Object.fromEntries(members);
  }

  /** The copy of a keyword's value; undefined if it asserts nothing, or may not be used. */
  #memberOf(name: string, value: unknown, at: string, inPlace: string[]): unknown {
    const keyword = KEYWORDS.get(name);
    const pointer = `${at}/${escaped(name)}`;
    if (keyword === undefined) {
      this.#addUnknown(name, pointer);
      return undefined;
    }
    if (keyword.isInPlace && keyword.content === 'schema') inPlace.push(pointer);
    switch (keyword.content) {
      case 'schema':
        return this.copyOf(value, pointer);
      case 'list':
        return (value as readonly unknown[]).map((one, i) => {
          if (keyword.isInPlace) inPlace.push(`${pointer}/${i}`);
          return this.copyOf(one, `${pointer}/${i}`);
        });
      case 'map':
      case 'definitions':
        return this.#mapOf(value as Schema, pointer, name, keyword.isInPlace ? inPlace : []);
      case 'reference':
        return this.#referenceOf(value as string, pointer, inPlace);
      case 'assertion':
        if (name === 'pattern') this.#checkPattern(value as string, pointer);
        return value;
      case 'annotation':
        if (name === '$schema' && !DIALECT.test(value as string)) {
          const message =
            'only https://json-schema.org/draft/2020-12/schema is supported: write the schema in it';
          this.#add('unsupported', pointer, message);
        }
        return undefined;
    }
  }

  #mapOf(map: Schema, pointer: string, keyword: string, inPlace: string[]): Schema {
    return Object.fromEntries(
      Object.entries(map).map(([name, one]) => {
        const pointerOfMember = `${pointer}/${escaped(name)}`;
        if (keyword === 'patternProperties') this.#checkPattern(name, pointerOfMember);
        if (LONE_SURROGATE.test(name)) {
          this.#add(
            'unsupported',
            pointerOfMember,
            'the name has half of a character, a lone surrogate: correct it',
          );
        }
        inPlace.push(pointerOfMember);
        return [name, this.copyOf(one, pointerOfMember)];
      }),
    );
  }

  /** The reference, written as it is always written, so that one schema is compiled once. */
  #referenceOf(reference: string, pointer: string, inPlace: string[]): string {
    const to = pointerOf(reference);
    if (to === null) {
      const message = 'a reference stays within the schema: write a pointer, such as #/$defs/address';
      this.#add('unsupported', pointer, message);
      return '#';
    }
    inPlace.push(to);
    this.#references.push({ from: pointer, to });
    return `#${to.split('/').map(encodeURIComponent).join('/')}`;
  }

  /** Every reference leads to a schema, and none comes back to its own value without going into a part of it. */
  checkReferences(): void {
    const broken = this.#references.filter(({ to }) => !this.#inPlace.has(to));
    for (const { from, to } of broken) {
      this.#add('unknown_reference', from, `there is no schema at #${to}: correct the reference`);
    }
    const loop = broken.length > 0 ? null : loopIn(this.#inPlace);
    if (loop !== null) {
      this.#add('endless_reference', loop, 'this schema refers to itself for the same value: break the loop');
    }
  }

  #checkPattern(pattern: string, pointer: string): void {
    const problem = checkPattern(pattern);
    if (problem !== null) this.#add(problem.code, pointer, problem.message);
  }

  #addUnknown(name: string, pointer: string): void {
    if (name.startsWith('x-')) return;
    const remedy = REFUSED.get(name);
    if (remedy === undefined) {
      const message = `JSON Schema 2020-12 has no keyword "${name}": correct it, or begin it with x- if it is your own`;
      this.#add('unknown_member', pointer, message);
    } else {
      this.#add('unsupported', pointer, `${name} is not supported: ${remedy}`);
    }
  }

  #add(code: string, pointer: string, message: string): void {
    this.issues.push({ code, pointer, message });
  }
}

const LONE_SURROGATE = /\p{Cs}/u;

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The pointer of a reference within the document, such as `/$defs/a` of `#/%24defs/a`; null for any other. */
function pointerOf(reference: string): string | null {
  if (!/^#(?:\/|$)/.test(reference) || LONE_SURROGATE.test(reference)) return null;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return null;
  }
}

/** Keywords with an error for each of their names. */
const MISSING = /^(?:required|dependentRequired)$/;

/** Units of work of one evaluation of a schema, without those within it: its names and values. */
function workIn(schema: Schema): number {
  let work = 1;
  for (const [name, value] of Object.entries(schema)) {
    const content = KEYWORDS.get(name)?.content;
    if (content === 'map' || content === 'list') work += Object.keys(value as object).length;
    else if (content === 'assertion') work += sizeOf(value) * (MISSING.test(name) ? APPLY : 1);
  }
  return work;
}

/** Values in a value, and 64 characters of a text each. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (!isObject(value)) return 1;
  return Object.entries(value).reduce((size, [name, one]) => size + (name.length >> 6) + sizeOf(one), 1);
}

/** A schema that refers back to itself without an end; null if every reference ends. */
function loopIn(edges: ReadonlyMap<string, readonly string[]>): string | null {
  const state = new Map<string, 'open' | 'done'>();
  for (const start of edges.keys()) {
    const path: { readonly node: string; next: number }[] = [{ node: start, next: 0 }];
    if (state.has(start)) continue;
    state.set(start, 'open');
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = edges.get(top.node)?.[top.next++];
      if (to === undefined) {
        state.set(top.node, 'done');
        path.pop();
      } else if (state.get(to) === 'open') {
        return to;
      } else if (!state.has(to)) {
        state.set(to, 'open');
        path.push({ node: to, next: 0 });
      }
    }
  }
  return null;
}
