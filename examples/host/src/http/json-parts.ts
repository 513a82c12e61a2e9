/** Reads parts of a JSON text, without making values of the others. */
import { type JsonToken, JsonTokens } from 'headgate';

/**
 * The string at a path; null if there is no such value, or it is not a string. It reads no further than to that value.
 *
 * @param json - Valid JSON, in which each name comes once in its object.
 * @param keys - The names of members, or the indexes of elements, from the outermost container on; at least one.
 */
export function stringAt(json: string, keys: readonly string[]): string | null {
  const [token, tokens] = valueAt(json, keys);
  return token === 'string' ? tokens.string() : null;
}

/** The same, and a number as it is written. */
export function scalarAt(json: string, keys: readonly string[]): string | null {
  const [token, tokens] = valueAt(json, keys);
  if (token === 'number') return json.slice(tokens.start, tokens.end);
  return token === 'string' ? tokens.string() : null;
}

/** The first token of the value at a path, null if it does not exist; and the tokens, which have come to it. */
function valueAt(json: string, keys: readonly string[]): readonly [JsonToken | null, JsonTokens] {
  const tokens = new JsonTokens(json);
  let token: JsonToken | null = mayHave(json, keys.at(-1) ?? '') ? tokens.next() : null;
  for (const key of keys) {
    if (token === '{') token = toMember(tokens, key);
    else if (token === '[') token = toElement(tokens, key);
    else return [null, tokens];
  }
  return [token, tokens];
}

/**
 * False if a text certainly has no member of this name: looking for a few letters is much faster than reading tokens.
 */
const mayHave = (json: string, name: string): boolean =>
  json.includes(`"${name}"`) || json.includes('\\') || INDEX.test(name);

const INDEX = /^(?:0|[1-9]\d*)$/;

/** Moves to the value of a member of the object that was just opened; returns null if it does not exist. */
function toMember(tokens: JsonTokens, name: string): JsonToken | null {
  while (tokens.next() === 'name') {
    const isIt = tokens.string() === name;
    const token = tokens.next();
    if (isIt) return token;
    skip(tokens, token);
  }
  return null;
}

/** Moves to an element of the array that was just opened; returns null if it does not exist. */
function toElement(tokens: JsonTokens, index: string): JsonToken | null {
  if (!INDEX.test(index)) return null;
  let token = tokens.next();
  for (let left = Number(index); token !== ']'; left--) {
    if (left === 0) return token;
    skip(tokens, token);
    token = tokens.next();
  }
  return null;
}

/** Moves to the end of the value that begins with `token`. */
function skip(tokens: JsonTokens, token: JsonToken): void {
  let depth = 0;
  for (let at = token; ; at = tokens.next()) {
    if (at === '{' || at === '[') depth++;
    else if (at === '}' || at === ']') depth--;
    if (depth === 0) return;
  }
}

/** A member of an object, or an element of an array, as text. */
export interface JsonPart {
  /** The name, or the index. */
  readonly name: string;
  readonly text: string;
}

/**
 * The members or elements of the outermost container of a text, in order; null if the text is not a container of this
 * kind.
 *
 * @throws JsonError if the text is not JSON.
 */
export function jsonParts(json: string, kind: '{' | '['): readonly JsonPart[] | null {
  const tokens = new JsonTokens(json);
  const parts: JsonPart[] = [];
  if (tokens.next() !== kind) return null;
  for (let token = tokens.next(); token !== '}' && token !== ']'; token = tokens.next()) {
    const name = kind === '{' ? tokens.string() : `${parts.length}`;
    if (kind === '{') token = tokens.next();
    const { start } = tokens;
    skip(tokens, token);
    parts.push({ name, text: json.slice(start, tokens.end) });
  }
  return parts;
}

/** The number of containers that the deepest value of a valid JSON text is in. */
export function depthOf(json: string): number {
  const tokens = new JsonTokens(json);
  let [depth, deepest] = [0, 0];
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === '}' || token === ']') depth--;
  }
  return deepest;
}
