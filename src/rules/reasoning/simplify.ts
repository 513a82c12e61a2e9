/** Simplifies an event that shows something, as long as it still shows it. */
import { isContainer, jsonSize, type Json } from '../../json.js';
import type { Effort } from './effort.js';

type Path = readonly string[];

/** Units of effort for each UTF-16 unit of an event that is tried. */
const UNITS = 4;

/**
 * Leaves out one member after another, from the outside in, and then replaces values with plainer ones.
 *
 * @param shows - Whether an event shows what it is to show.
 */
export function simplified<E extends Json>(event: E, shows: (event: E) => boolean, effort: Effort): E {
  let plainest = event;
  const tries = (changed: Json): boolean => {
    if (!effort.affords(UNITS * jsonSize(changed, effort.left))) return false;
    if (!shows(changed as E)) return false;
    plainest = changed as E;
    return true;
  };
  for (const path of [...pathsIn(event)]) tries(without(plainest, path));
  for (const path of [...pathsIn(plainest)]) {
    if (path.length === 1) continue; // ids and types that look like some are plain
    const value = at(plainest, path);
    plainerValues(value).some((one) => tries(replaced(plainest, path, one)));
  }
  return plainest;
}

/** The paths of all members, those of an object before those of what is in it; elements of arrays last ones first. */
function* pathsIn(value: Json): Generator<Path> {
  const pending: Path[] = [[]];
  for (const path of pending) {
    const inner = at(value, path);
    if (!isContainer(inner)) continue;
    const keys = Object.keys(inner);
    for (const key of Array.isArray(inner) ? keys.reverse() : keys) {
      pending.push([...path, key]);
      yield [...path, key];
    }
  }
}

function at(value: Json, path: Path): Json | undefined {
  let inner: unknown = value;
  for (const key of path) inner = isContainer(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  return inner as Json | undefined;
}

/** A copy with another value at a path that is present. */
function replaced(value: Json, path: Path, by: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return by ?? null;
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) {
    return rest.length === 0 && by === undefined
      ? (value as Json[]).toSpliced(Number(key), 1)
      : (value as Json[]).with(Number(key), replaced((value as Json[])[Number(key)] as Json, rest, by));
  }
  const members = Object.entries(value as Record<string, Json>);
  return Object.fromEntries(
    rest.length === 0 && by === undefined
      ? members.filter(([name]) => name !== key)
      : members.map(([name, member]) => [name, name === key ? replaced(member, rest, by) : member]),
  );
}

const without = (value: Json, path: Path): Json =>
  at(value, path) === undefined ? value : replaced(value, path, undefined);

/** Values that are plainer than another of the same kind. */
function plainerValues(value: Json | undefined): readonly Json[] {
  if (typeof value === 'number') {
    return [0, 1, Math.trunc(value)].filter((one) => String(one).length < String(value).length);
  }
  if (typeof value === 'string') return ['a', 'b', '1'].filter((one) => one.length < value.length);
  return [];
}
