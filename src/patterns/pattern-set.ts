/**
 * Many patterns, tested together on one subject.
 *
 * Patterns of known characters go into a forest of automata, which reads the subject once for all of them. The rest,
 * and patterns for which an automaton does not pay, are tested one by one.
 */
import { countPositions } from './automaton/positions.js';
import type { Pattern } from './pattern.js';
import { Forest } from './set/forest.js';
import type { Member } from './set/lazy-automaton.js';
import { parseSyntax, type Syntax } from './syntax.js';
import { directly, type TextFinder } from './texts.js';

/** Patterns that are looked for together. Compiled with a rule set; its automata are made at the first search. */
export interface PatternSet {
  /**
   * Finds the patterns that occur in the subject. No budget is charged or respected: the caller keeps within it.
   *
   * @param subject - Any string.
   * @param texts - Searches the subject for texts.
   * @returns Their indexes, ascending; `undefined` when one of them is undecided, since its engine failed or does not
   *   take so long a subject.
   */
  matching(subject: string, texts?: TextFinder): readonly number[] | undefined;
}

/**
 * Compiles patterns into a set.
 *
 * @param patterns - Compiled; results name them by their index in this list.
 */
export function compilePatternSet(patterns: readonly Pattern[]): PatternSet {
  let forest: Forest | undefined;
  /** Patterns with characters that only an engine knows. */
  let engineOnly: readonly number[] = [];
  const marks = new Uint8Array(patterns.length);

  function plant(): Forest {
    const members: Member[] = [];
    const rest: number[] = [];
    for (const [pattern, { source }] of patterns.entries()) {
      const { tree } = parseSyntax(source) as Syntax;
      if (countPositions(tree) < Infinity) members.push({ pattern, tree });
      else rest.push(pattern);
    }
    engineOnly = rest;
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
      const { probe } = texts;
      if (probe !== undefined) probe.units += text.length * forest.automata;
      let decided = true;
      for (const pattern of [...alone, ...engineOnly]) {
        const held = patterns[pattern]?.test(text, { left: Infinity, texts, probe });
        if (held === undefined) decided = false;
        else if (held) note(pattern);
      }
      for (const pattern of found) marks[pattern] = 0;
      return decided ? found.sort((a, b) => a - b) : undefined;
    },
  };
}
