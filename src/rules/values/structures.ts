/**
 * Numbers for arrays and objects: two have the same number if and only if they are equal as JSON, whatever the order of
 * their keys. Each structure has a canonical text, in which numbers stand for inner structures: making the text takes
 * time linear in the structure's own members.
 */

import { memberCount, ownKeys } from '../../json.js';

/** Stands for a structure that equals no numbered one. */
export const UNKNOWN = -1;

/** The numbers of the containers of an event, as far as resolved. Lives as long as the event is at hand. */
export type KnownStructures = Map<object, number>;

/** A container whose inner containers have all been resolved. */
class Leaving {
  constructor(readonly container: object) {}
}

/** Numbers structures, and finds the numbers of others that are equal. */
export class Structures {
  readonly #numbers = new Map<string, number>();
  readonly #arrayLengths = new Set<number>();
  readonly #objectSizes = new Set<number>();

  /**
   * The number of a structure, a new one where none that was added is equal; {@link UNKNOWN} where it is not JSON.
   *
   * @param known - As for {@link Structures.find}.
   */
  add(structure: object, known: KnownStructures = new Map()): number {
    return this.#resolve(structure, known, true);
  }

  /**
   * The number of a structure; {@link UNKNOWN} where it equals none that was added, nor any inside one. A structure
   * that is not JSON equals nothing.
   *
   * @param known - Numbers that were found earlier; those of containers on the way are added.
   */
  find(structure: object, known: KnownStructures): number {
    return this.#resolve(structure, known, false);
  }

  #resolve(structure: object, known: KnownStructures, adds: boolean): number {
    const pending: object[] = [structure];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next instanceof Leaving) {
        const text = textOf(next.container, known);
        known.set(next.container, text === null ? UNKNOWN : this.#number(text, adds));
      } else if (!known.has(next)) {
        known.set(next, UNKNOWN); // so it stays where the structure contains itself
        if (adds) this.#sizes(next).add(sizeOf(next));
        else if (!this.#sizes(next).has(sizeOf(next))) continue;
        pending.push(new Leaving(next));
        for (const key of ownKeys(next)) {
          const member = (next as Readonly<Record<string, unknown>>)[key];
          if (isStructure(member)) pending.push(member);
        }
      }
    }
    return known.get(structure) as number;
  }

  #sizes(container: object): Set<number> {
    return Array.isArray(container) ? this.#arrayLengths : this.#objectSizes;
  }

  #number(text: string, adds: boolean): number {
    const number = this.#numbers.get(text);
    if (number !== undefined) return number;
    if (adds) this.#numbers.set(text, this.#numbers.size);
    return adds ? this.#numbers.size - 1 : UNKNOWN;
  }
}

/** Whether a value is an object or an array, which are compared by their members. */
export const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;

const sizeOf = (container: object): number =>
  Array.isArray(container) ? container.length : memberCount(container as Readonly<Record<string, unknown>>);

/** The canonical text of a container; `null` if a member is not JSON or has no number. */
function textOf(container: object, known: KnownStructures): string | null {
  const isArray = Array.isArray(container);
  const parts: string[] = [];
  for (const key of isArray ? container.keys() : ownKeys(container).sort()) {
    const member = (container as Readonly<Record<PropertyKey, unknown>>)[key];
    if (member === undefined && !isArray) continue;
    const part = partOf(member, known);
    if (part === null) return null;
    parts.push(isArray ? part : `${withLength(String(key))}${part}`);
  }
  return `${isArray ? '[' : '{'}${parts.join(',')}`;
}

function partOf(member: unknown, known: KnownStructures): string | null {
  if (typeof member === 'string') return withLength(member);
  if (typeof member === 'number') return Number.isNaN(member) ? null : `n${member}`; // -0 reads 0
  if (typeof member === 'boolean' || member === null) return String(member);
  const number = isStructure(member) ? known.get(member) : undefined;
  return number === undefined || number === UNKNOWN ? null : `#${number}`;
}

/** A text after its length, so that its end is unambiguous. */
const withLength = (text: string): string => `${text.length}:${text}`;
