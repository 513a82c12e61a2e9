/**
 * How Outpost (github.com/hookdeck/outpost, internal/simplejsonmatch) answers a filter, written from its behavior: its
 * original is in Go.
 */
type Value = unknown;

const isList = (value: Value): value is Value[] => Array.isArray(value);
const isMap = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !isList(value);
const isPrimitive = (value: Value): boolean => !isList(value) && !isMap(value);
const has = (map: object, key: string): boolean => Object.hasOwn(map, key);

/** Values with their keys sorted, as Go writes them. */
const written = (value: Value): string =>
  isList(value)
    ? `[${value.map(written).join()}]`
    : isMap(value)
      ? `{${Object.keys(value)
          .sort()
          .map((key) => `${JSON.stringify(key)}:${written(value[key])}`)
          .join()}}`
      : JSON.stringify(value);

const ordered =
  (accepts: (order: number) => boolean) =>
  (value: Value, bound: Value): boolean => {
    if (typeof value === 'string' && typeof bound === 'string') {
      return accepts(Buffer.compare(Buffer.from(value), Buffer.from(bound)));
    }
    if (typeof value === 'number' && typeof bound === 'number') return accepts(value - bound);
    return fail();
  };

function fail(): never {
  throw new Error('unsupported type');
}

const isIn = (value: Value, list: Value): boolean => {
  if (isList(list)) {
    return isPrimitive(value) ? list.some((one) => isPrimitive(one) && one === value) : fail();
  }
  if (typeof value === 'string') return typeof list === 'string' ? value.includes(list) : fail();
  return isList(value) ? value.some((one) => isPrimitive(one) && one === list) : fail();
};

const hasAffix = (value: Value, affixes: Value, test: (text: string, affix: string) => boolean): boolean => {
  if (typeof value !== 'string') return fail();
  return (isList(affixes) ? affixes : [affixes]).some((affix) =>
    typeof affix === 'string' ? test(value, affix) : fail(),
  );
};

const operators: Record<string, (value: Value, compared: Value) => boolean> = {
  $eq: (value, other) =>
    isPrimitive(value) && isPrimitive(other) ? value === other : written(value) === written(other),
  $neq: (value, other) => !operators.$eq!(value, other),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
  $in: isIn,
  $nin: (value, list) => !isIn(value, list),
  $startsWith: (value, affixes) => hasAffix(value, affixes, (text, affix) => text.startsWith(affix)),
  $endsWith: (value, affixes) => hasAffix(value, affixes, (text, affix) => text.endsWith(affix)),
  $exist: (_, isThere) => (typeof isThere === 'boolean' ? isThere : fail()),
};

function meetsOperator(key: string, value: Value, compared: Value): boolean {
  try {
    return operators[key]!(value, compared);
  } catch {
    return false;
  }
}

/** Go reads half a surrogate pair as U+FFFD. */
const decoded = (value: Value): Value =>
  JSON.parse(
    JSON.stringify(value).replace(/(\\+)ud[89a-f][0-9a-f]{2}/gi, (escape, slashes: string) =>
      slashes.length % 2 === 1 ? `${slashes.slice(1)}\ufffd` : escape,
    ),
  );

export const answersOutpost = (input: Value, filter: Value): boolean =>
  matchesOutpost(decoded(input), decoded(filter));

function matchesOutpost(input: Value, filter: Value): boolean {
  if (isMap(filter) && has(filter, '$not')) {
    const holds = matchesOutpost(input, filter.$not);
    if (Object.keys(filter).length === 1) return !holds;
    if (holds) return false;
  }
  if (!isMap(input) || !isMap(filter)) return matchesValue(input, filter);
  return Object.entries(filter).every(([key, inner]) => {
    if (key === '$not') return true;
    if (key === '$or' && isList(inner)) return inner.some((one) => matchesOutpost(input, one));
    if (key === '$and' && isList(inner)) return inner.every((one) => matchesOutpost(input, one));
    if (!has(input, key)) return isMap(inner) && inner.$exist === false;
    return matchesValue(input[key], inner);
  });
}

function matchesValue(input: Value, filter: Value): boolean {
  if (isPrimitive(filter)) {
    if (isPrimitive(input)) return input === filter;
    return isList(input) && input.some((one) => matchesValue(one, filter));
  }
  const keys = isMap(filter) ? Object.keys(filter).filter((key) => has(operators, key)) : [];
  if (isList(input)) {
    if (isList(filter)) return filter.every((inner) => input.some((one) => matchesValue(one, inner)));
    if (keys.length === 0) return input.some((one) => matchesValue(one, filter));
  } else if (isMap(filter) && isList(filter.$or)) {
    return filter.$or.some((one) => matchesOutpost(input, one));
  }
  if (keys.length > 0) {
    return keys.every((key) => meetsOperator(key, input, (filter as Record<string, Value>)[key]));
  }
  return isMap(filter) && !isPrimitive(input) && matchesOutpost(input, filter);
}
