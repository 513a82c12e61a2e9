/** Patterns with a text that each match must hold, and no two the same. */
import { word } from './names.js';
import { plant, type Samples } from './plant.js';
import type { Draft } from './events.js';
import type { Match } from '../../src/index.js';
import type { Random } from './random.js';
import { widePattern } from './wide-patterns.js';

/** Makes patterns, and remembers how a text looks that each matches. */
export class Patterns {
  readonly #samples = new Map<string, (random: Random) => string>();

  /** Texts that the patterns made so far match. */
  get samples(): Samples {
    return this.#samples;
  }

  plant(event: Draft, match: Match, random: Random): void {
    plant(event, match, this.#samples, random);
  }

  /** For `data.body.reference`, such as `^ord-12345-[a-z]+$`. */
  reference(random: Random, number: number): string {
    const letters = (): string => word(random.int(100));
    switch (random.int(4)) {
      case 0:
        return this.#add(`^ord-${number}-[a-z]+$`, () => `ord-${number}-${letters()}`);
      case 1:
        return this.#add(`^(?:ord|inv)-${number}-`, () => `inv-${number}-${letters()}`);
      case 2:
        return this.#add(`-${number}-[a-m]\\w*`, () => `ord-${number}-alpha`);
      default:
        return this.#add(`\\bord-${number}\\b`, () => `ord-${number}-${letters()}`);
    }
  }

  /** For texts that people or machines wrote, such as `(?:error|fatal):? tor-4821[0-9]`. */
  failure(random: Random): string {
    const code = `${word(random.int(2_000))}-${random.int(10_000)}`;
    return random.chance(0.5)
      ? this.#add(`(?:error|fatal):? ${code}[0-9]`, () => `error: ${code}7`)
      : this.#add(`(?i)${code}x[a-f0-9]{2,4}`, () => `${code.toUpperCase()}x1f`);
  }

  /** For long texts: classes and repeats, without a text that each match holds. */
  wide(random: Random): string {
    const { source, sample } = widePattern(random);
    return this.#add(source, sample);
  }

  #add(pattern: string, sample: (random: Random) => string): string {
    this.#samples.set(pattern, sample);
    return pattern;
  }
}
