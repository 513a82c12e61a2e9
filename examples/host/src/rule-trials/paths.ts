/** The paths that events have, for completion. Pure. */
import type { EventForRules } from '../stored/event-json.js';
import { fitting } from '../errors/shortened.js';
import type { IsOver } from './given.js';
import type { EventPaths, ShownValue } from './routes.js';
import { createShowValue } from './shown-value.js';

/** Paths that are shown, and UTF-16 units of their JSON. */
const MOST_PATHS = 1_000;
const MOST_UNITS = 1_048_576;
/** Paths that are counted, those that are not shown among them. */
const MOST_COUNTED = 5_000;
const MOST_DEPTH = 12;
/** Values of one event that are looked at. */
const MOST_VALUES = 5_000;
/** Elements of an array that have paths of their own, and that a star stands for: the first. */
const MOST_ELEMENTS = 3;
const MOST_STARRED = 20;
const MOST_KEY = 200;
const MOST_SAMPLES = 5;

/** The statistics of a path. */
interface Seen {
  events: number;
  readonly kinds: Map<ShownValue['kind'], number>;
  readonly samples: Map<string, ShownValue>;
}

type Visit = readonly [path: string, value: unknown, depth: number];

/** @param events - As rules see them. */
export function pathsOf(events: Iterable<EventForRules>, isOver: IsOver): EventPaths {
  const seen = new Map<string, Seen>();
  const show = createShowValue();
  let [count, isCut] = [0, false];
  for (const event of events) {
    if (count > 0 && isOver()) break;
    count++;
    const counted = new Set<Seen>();
    for (const [path, value] of valuesOf(event)) {
      const known = seen.get(path);
      if (known === undefined && seen.size >= MOST_COUNTED) {
        isCut = true;
        continue;
      }
      const at: Seen = known ?? { events: 0, kinds: new Map(), samples: new Map() };
      seen.set(path, at);
      note(at, value, show(value));
      if (!counted.has(at)) at.events++;
      counted.add(at);
    }
  }
  const items = [...seen].map(([path, { events: n, kinds, samples }]) => ({
    path,
    kinds: [...kinds].sort((a, b) => b[1] - a[1]).map(([kind]) => kind),
    events: n,
    samples: [...samples.values()],
  }));
  items.sort((a, b) => b.events - a.events || (a.path < b.path ? -1 : 1));
  const { items: shown, leftOut } = fitting(items, { items: MOST_PATHS, units: MOST_UNITS });
  return { events: count, items: [...shown], is_cut: isCut || leftOut > 0 };
}

function note(seen: Seen, value: unknown, shown: ShownValue): void {
  seen.kinds.set(shown.kind, (seen.kinds.get(shown.kind) ?? 0) + 1);
  const isSample = typeof value !== 'object' || value === null;
  if (isSample && seen.samples.size < MOST_SAMPLES) seen.samples.set(shown.text, shown);
}

/**
 * The paths of an event with their values, those near the root first. A path with stars comes with each of its values.
 */
function* valuesOf({ id, type, channel, received_at, data, raw_payload }: EventForRules): Generator<Visit> {
  const queue: Visit[] = Object.entries({ id, type, channel, received_at, data, raw_payload })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, value, 1]);
  // The loop also reaches the values that it adds.
  for (const visit of queue) {
    yield visit;
    for (const below of membersOf(visit)) {
      if (queue.length >= MOST_VALUES) break;
      queue.push(below);
    }
  }
}

function* membersOf([path, value, depth]: Visit): Generator<Visit> {
  if (depth >= MOST_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, element] of value.slice(0, MOST_STARRED).entries()) {
      yield [`${path}.*`, element, depth + 1];
      if (index < MOST_ELEMENTS) yield [`${path}.${String(index)}`, element, depth + 1];
    }
    return;
  }
  for (const key of Object.keys(value)) {
    // Rules cannot name an empty key.
    if (key === '' || key.length > MOST_KEY) continue;
    yield [`${path}.${escaped(key)}`, (value as Readonly<Record<string, unknown>>)[key], depth + 1];
  }
}

/** A key as a path spells it. */
const escaped = (key: string): string =>
  key === '*' ? String.raw`\*` : key.replaceAll(/[.\\]/g, String.raw`\$&`);
