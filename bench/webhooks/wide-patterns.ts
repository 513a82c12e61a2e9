/**
 * Patterns with nothing in common: classes, alternatives and repeats, and no text that all of them need. All are within
 * the syntax that RegExp reads alike.
 */
import { word } from './names.js';
import type { Random } from './random.js';

/** A pattern, and how to write a text that it matches. */
export interface WidePattern {
  readonly source: string;
  readonly sample: (random: Random) => string;
}

/** Classes, and some of their characters. */
const CLASSES: readonly (readonly [string, string])[] = [
  ['[0-9]', '0123456789'],
  ['\\d', '13579'],
  ['[02468]', '02468'],
  ['[A-F]', 'ABCDEF'],
  ['[G-Z]', 'GHKLMXYZ'],
  ['[A-Z0-9]', 'ABCXYZ789'],
  ['[A-M5-9]', 'AFKM579'],
  ['[^a-z ]', 'QRS357#'],
  ['[#$%&]', '#$%&'],
];

/** A class, two to seven times. */
function run(random: Random): WidePattern {
  const [source, characters] = random.pick(CLASSES);
  const least = 2 + random.int(3);
  return {
    source: `${source}{${least},${least + random.int(4)}}`,
    sample: (random) => random.times(least, () => random.pick([...characters])).join(''),
  };
}

function choice(random: Random): WidePattern {
  const texts = random.times(2 + random.int(3), () => word(random.int(5_000)).slice(0, 2 + random.int(2)));
  return { source: `(?:${texts.join('|')})`, sample: (random) => random.pick(texts) };
}

/** Three or four parts; one in four is a choice of short texts, the rest are classes. */
export function widePattern(random: Random): WidePattern {
  const parts = random.times(3 + random.int(2), () => (random.chance(0.25) ? choice(random) : run(random)));
  return {
    source: parts.map(({ source }) => source).join(''),
    sample: (random) => parts.map(({ sample }) => sample(random)).join(''),
  };
}

/** `count` of them, no two the same. */
export function widePatterns(random: Random, count: number): WidePattern[] {
  const patterns = new Map<string, WidePattern>();
  while (patterns.size < count) {
    const next = widePattern(random);
    patterns.set(next.source, next);
  }
  return [...patterns.values()];
}

/** A text of about 1 KB: words, numbers and marks, as logs and forms hold them. */
export const longText = (random: Random): string[] => random.times(150, () => scrap(random));

function scrap(random: Random): string {
  if (random.chance(0.6)) return word(random.int(5_000));
  if (random.chance(0.4)) return String(random.int(1e5));
  if (random.chance(0.3)) return `${random.int(100)}%`;
  const name = word(random.int(5_000)).slice(0, 5);
  return random.chance(0.5) ? name.toUpperCase() : `${name}${random.int(1_000)}`;
}
