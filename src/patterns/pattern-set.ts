/** Many patterns, one subject. */
import { countPositions } from './automaton/positions.js';
import type { Pattern } from './pattern.js';
import { Forest } from './set/forest.js';
import type { Member } from './set/lazy-automaton.js';
import { parseSyntax, type Syntax } from './syntax.js';
import { directly, type TextFinder } from './texts.js';

/** Patterns that are looked for together. */
export interface PatternSet {
  /**
   * Which of the patterns are found in the subject. No budget bounds it, and none is charged.
   *
   * @param subject - Any string.
   * @param texts - What searches the subject for texts.
   * @returns Their indexes, ascending; `undefined` when one of them stays undecided, since its engine failed or
   *   holds no such subject.
   */
  matching(subject: string, texts?: TextFinder): readonly number[] | undefined;
}

/**
 * Puts patterns together, so that one look at a subject finds all that match.
 *
 * @param patterns - Compiled; the index of one here is its name in the answers.
 */
export function compilePatternSet(patterns: readonly Pattern[]): PatternSet {
  let forest: Forest | undefined;
  let large: readonly number[] = [];
  const marks = new Uint8Array(patterns.length);

  function plant(): Forest {
    const members: Member[] = [];
    const rest: number[] = [];
    for (const [pattern, { source }] of patterns.entries()) {
      const { tree } = parseSyntax(source) as Syntax;
      if (countPositions(tree) < Infinity) members.push({ pattern, tree });
      else rest.push(pattern);
    }
    large = rest;
    return new Forest(members);
  }

  return {
    matching(subject, texts = directly) {
      forest ??= plant();
      const text = texts.wellFormed(subject);
      const found: number[] = [];
      const note = (pattern: number): void => {
        if (marks[pattern] === 1) return;
        marks[pattern] = 1;
        found.push(pattern);
      };
      const alone = forest.search(text, note);
      let decided = true;
      for (const pattern of [...alone, ...large]) {
        const held = patterns[pattern]?.test(text, { left: Infinity, texts });
        if (held === undefined) decided = false;
        else if (held) note(pattern);
      }
      for (const pattern of found) marks[pattern] = 0;
      return decided ? found.sort((a, b) => a - b) : undefined;
    },
  };
}
