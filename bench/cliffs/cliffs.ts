/** Rule sets and events at which other indexes fall, or at which one like ours could. */
import type { Match, Rule } from '../../src/index.js';
import { eventTexts, type Draft } from '../webhooks/events.js';
import { all, at } from '../webhooks/leaves.js';
import { account, domain, organization, word } from '../webhooks/names.js';
import { Patterns } from '../webhooks/patterns.js';
import type { Random } from '../webhooks/random.js';
import { rulesOf } from '../webhooks/rules.js';
import { draw, ONLY_IN_RULES, OPTIONAL } from '../webhooks/vocabulary.js';
import type { Workload } from '../webhooks/workload.js';

export interface Cliff {
  readonly name: string;
  readonly make: (random: Random) => Workload;
}

const EVENTS = 256;
/** The number of events if each is large. */
const LARGE_EVENTS = 16;
const LONG_TEXT = 65_536;

/** Events of about 1 KB, of which half match a rule that is drawn. */
function usual(random: Random, count: number, match: (nth: number) => Match): Workload {
  const patterns = new Patterns();
  const rules = rulesOf(random, count, match);
  const texts = eventTexts(random, EVENTS, (event) => {
    if (random.chance(0.5)) patterns.plant(event, random.pick(rules).match, random);
  });
  return { rules, texts };
}

/** Few events, each with something large in its body. */
const large = (rules: readonly Rule[], body: (nth: number) => Draft): Workload => ({
  rules,
  texts: Array.from({ length: LARGE_EVENTS }, (_, nth) =>
    JSON.stringify({ id: `evt_${nth}`, type: 'webhook.received', data: { body: body(nth) } }),
  ),
});

const nthAccount = (nth: number): Match => at('account').eq(account(ONLY_IN_RULES + nth));

const needles = (random: Random, count: number): string[] =>
  random.times(count, (nth) => (nth % 2 === 0 ? draw.phrase(random) : `${draw.word(random)}-${nth}`));

const containing = (random: Random, texts: readonly string[]): Rule[] =>
  rulesOf(random, texts.length, (nth) => at('message').contains(texts[nth]!));

function long(next: () => string): string {
  const parts: string[] = [];
  for (let length = 0; length < LONG_TEXT; length += parts.at(-1)!.length) parts.push(next());
  return parts.join('').slice(0, LONG_TEXT);
}

/** 10,000 needles in texts of 64 KB. */
function longTexts(random: Random, next: (needle: string) => string): Workload {
  const texts = needles(random, 10_000);
  const body = (): Draft => ({ message: long(() => next(random.pick(texts))) });
  return large(containing(random, texts), body);
}

const printable = (random: Random): string => String.fromCharCode(32 + random.int(94));

/** Needles that begin alike, which few characters of the text can tell apart. */
function runsOfA(random: Random): Workload {
  const texts = random.times(1_000, (nth) => `${'a'.repeat(1 + (nth % 200))}${word(nth)}${nth}`);
  return large(containing(random, texts), () => ({ message: 'a'.repeat(LONG_TEXT) }));
}

/** Every length up to 2,000; each prefix fits up to its last letter. */
function longPrefixes(random: Random): Workload {
  const text = random
    .times(700, () => word(random.int(5_000)))
    .join(' ')
    .slice(0, 4_000);
  const rules = rulesOf(random, 2_000, (nth) => at('message').startsWith(`${text.slice(0, nth)}~`));
  return large(rules, (nth) => ({ message: text, attempt: nth }));
}

/** Rules without number, and an event with as many keys that none of them names, but for a few. */
function manyKeys(random: Random): Workload {
  const rules = rulesOf(random, 10_000, (nth) => at(`fields.${word(nth)}_${nth}`).eq(nth % 3));
  return large(rules, () => ({
    fields: Object.fromEntries(
      random.times(10_000, (nth) => [`${word(nth)}_${nth}${nth % 1_000 === 0 ? '' : 'x'}`, nth % 5]),
    ),
  }));
}

function manyElements(random: Random): Workload {
  const rules = rulesOf(random, 10_000, (nth) => at('tags').contains(`${word(nth)}-${nth}`));
  return large(rules, () => ({
    tags: random.times(10_000, (nth) => `${word(nth)}-${nth}${nth % 1_000 === 0 ? '' : 'x'}`),
  }));
}

/** A pair of values that is one rule's alone, where 300 rules share each value. */
function grid(random: Random): Workload {
  const side = 300;
  return usual(random, side * side, (nth) =>
    all(
      at('metadata.team').eq(`team-${word(nth % side)}${nth % side}`),
      at('account').eq(account(ONLY_IN_RULES + Math.floor(nth / side))),
    ),
  );
}

export const cliffs: readonly Cliff[] = [
  {
    name: 'eight missing before an eq',
    make: (random) =>
      usual(random, 100_000, (nth) =>
        all(...random.times(8, () => at(random.pick(OPTIONAL)).missing()), nthAccount(nth)),
      ),
  },
  {
    name: 'a thousand bounds beside an eq',
    make: (random) =>
      usual(random, 100_000, (nth) => all(at('amount').gt(random.int(1_000) * 20), nthAccount(nth))),
  },
  {
    name: 'a thousand bounds on one path',
    make: (random) =>
      usual(random, 1_000, (nth) => all(at('score').gte(nth * 1_000), at('score').lt((nth + 1) * 1_000))),
  },
  {
    name: 'ten thousand suffixes of many lengths',
    make: (random) =>
      usual(random, 10_000, (nth) =>
        at('email').endsWith(
          `${'.'.repeat(nth % 40 === 0 ? 0 : 1)}${word(nth).repeat(1 + (nth % 4))}${domain(nth).slice(1, 1 + (nth % 17))}.com`,
        ),
      ),
  },
  {
    name: 'ten thousand substrings',
    make: (random) => {
      const texts = needles(random, 10_000);
      return usual(random, texts.length, (nth) => at('message').contains(texts[nth]!));
    },
  },
  {
    name: '50,000 share an eq, a second eq picks',
    make: (random) => usual(random, 50_000, (nth) => all(at('object').eq('event'), nthAccount(nth))),
  },
  {
    name: '50,000 share an eq, a prefix picks',
    make: (random) =>
      usual(random, 50_000, (nth) =>
        all(at('object').eq('event'), at('resource').startsWith(organization(ONLY_IN_RULES + nth))),
      ),
  },
  {
    name: '50,000 share an eq, a substring picks',
    make: (random) =>
      usual(random, 50_000, (nth) =>
        all(at('object').eq('event'), at('message').contains(`${word(nth)}-${nth}`)),
      ),
  },
  { name: 'a grid of two eqs', make: grid },
  {
    name: '10,000 substrings, 64 KB at random',
    make: (random) => longTexts(random, () => printable(random)),
  },
  {
    name: '10,000 substrings, 64 KB of their pieces',
    make: (random) => longTexts(random, (needle) => needle.slice(0, 1 + random.int(needle.length - 1))),
  },
  { name: '1,000 substrings aaa…, 64 KB of a', make: runsOfA },
  { name: 'prefixes of lengths 1 to 2,000', make: longPrefixes },
  { name: '10,000 paths, an event of 10,000 keys', make: manyKeys },
  { name: '10,000 contains, an array of 10,000', make: manyElements },
];

export function cliffNamed(name: string): Cliff {
  const cliff = cliffs.find((cliff) => cliff.name === name);
  if (cliff === undefined) throw new Error(`no cliff ${name}`);
  return cliff;
}

/** `count` rules of a cliff, evenly spread over all of them: for comparison. */
export const spreadOf = (rules: readonly Rule[], count: number): Rule[] =>
  Array.from({ length: count }, (_, nth) => rules[Math.floor((nth * rules.length) / count)]!);
