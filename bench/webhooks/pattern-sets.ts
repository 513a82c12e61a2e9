/** A thousand patterns on one path that have no text in common, and events of about 1 KB of text. */
import type { Rule } from '../../src/index.js';
import { at } from './leaves.js';
import { Random } from './random.js';
import { rulesOf, tagOnly } from './rules.js';
import { longText, type WidePattern, widePatterns } from './wide-patterns.js';
import type { Workload } from './workload.js';

/** Sizes to compare: the first so many of the rules. */
export const PATTERN_SET_SIZES = [10, 100, 1_000];

/** `hits`: each event is matched by one or more of the first ten patterns; `misses`: by none of the thousand. */
export type PatternSetEvents = 'hits' | 'misses';

/** @param count - How many events. */
export function patternSet(events: PatternSetEvents, count: number): Workload {
  const random = new Random(7);
  const patterns = widePatterns(random, PATTERN_SET_SIZES.at(-1)!);
  const rules: Rule[] = rulesOf(
    random,
    patterns.length,
    (nth) => at('message').matches(patterns[nth]!.source),
    tagOnly,
  );
  return { rules, texts: textsWhere(events === 'hits', count, random, patterns) };
}

/** RegExp tells which texts match: it has no part in what is measured. */
function textsWhere(hit: boolean, count: number, random: Random, patterns: readonly WidePattern[]): string[] {
  const relevant = patterns.slice(0, hit ? PATTERN_SET_SIZES[0] : undefined);
  const expressions = relevant.map(({ source }) => new RegExp(source, 'u'));
  const texts: string[] = [];
  for (let tried = 0; texts.length < count; tried++) {
    if (tried > 100_000) throw new Error('hardly any text is as wanted');
    const words = longText(random);
    if (hit) words[random.int(words.length)] = random.pick(relevant).sample(random);
    const message = words.join(' ');
    if (expressions.some((pattern) => pattern.test(message)) === hit) {
      texts.push(textOf(message, texts.length));
    }
  }
  return texts;
}

const textOf = (message: string, nth: number): string =>
  JSON.stringify({ id: `evt_${nth}`, type: 'webhook.received', data: { body: { message } } });
