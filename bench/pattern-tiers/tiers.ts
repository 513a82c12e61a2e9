/**
 * The tiers of patterns, and how a bench does without each of them.
 *
 * A tier is switched off by an edit of the source before it is bundled, so that the package has no option for it. An
 * edit whose text is not in the source any more throws.
 */

/** One text of a source file, and what stands in its place without the tier. */
interface Edit {
  /** Below `src/patterns`. */
  readonly file: string;
  readonly text: string;
  readonly without: string;
}

export interface Tier {
  readonly name: string;
  /** The operations that it affects. */
  readonly of: 'tests' | 'redacts' | 'both';
  readonly edits: readonly Edit[];
}

const tier = (of: Tier['of'], name: string, file: string, text: string, without: string): Tier => ({
  name,
  of,
  edits: [{ file, text, without }],
});

/** Every tier, and first nothing at all: its figure is the noise. */
export const tiers: readonly Tier[] = [
  { name: 'nothing', of: 'both', edits: [] },
  tier(
    'tests',
    'native sets in a test',
    'pattern.ts',
    'const native = nativeSearcher(tree);',
    'const native = null as ReturnType<typeof nativeSearcher>;',
  ),
  tier(
    'both',
    'native sets of several texts',
    'native.ts',
    'if (texts === null || texts.length === 0) return null;',
    'if (texts === null || texts.length !== 1) return null;',
  ),
  tier(
    'both',
    'native sets at an end',
    'native.ts',
    'if (texts === null || texts.length === 0) return null;',
    'if (texts === null || texts.length === 0 || atStart || atEnd) return null;',
  ),
  tier(
    'tests',
    'required literals in a test',
    'pattern.ts',
    'if (!holdsLiterals(literals, text, texts)) return false;',
    '',
  ),
  tier(
    'tests',
    'end of an anchored test',
    'automaton/automaton.ts',
    'const isAnchored = !canEnterInside(machine);',
    'const isAnchored = false;',
  ),
  tier('tests', 'automaton of a small pattern', 'pattern.ts', 'fitsAutomaton(tree) ?', 'false ?'),
  tier('tests', 'sets', 'pattern-set.ts', 'if (countPositions(tree) < Infinity)', 'if (false)'),
  tier('tests', 'products of automata', 'set/forest.ts', 'while (level.length > 1)', 'while (false)'),
  tier(
    'tests',
    'large patterns in sets',
    'pattern-set.ts',
    'if (countPositions(tree) < Infinity)',
    'if (countPositions(tree) <= 32)',
  ),
  tier(
    'redacts',
    'native sets in a redact',
    'redaction.ts',
    'wantsGroups ? null : nativeSearcher(tree)',
    'null',
  ),
  tier(
    'redacts',
    'filter of each redact',
    'redaction.ts',
    'return passes(text) ? boundedSearch',
    'return true ? boundedSearch',
  ),
  tier('redacts', 'filter of all redacts', 'redaction.ts', '|| passes(wellFormed(subject)));', '|| true);'),
  tier(
    'redacts',
    'heads in the filter of all',
    'filter.ts',
    'length < MIN_SELECTIVE_UNITS ? headSource(tree, ...HEAD_LENGTHS) : null',
    'null as string | null',
  ),
  tier(
    'redacts',
    'choice of texts in the filter of all',
    'filter.ts',
    'return shortestOf(required) > shortestOf(prefixes) ? required : prefixes;',
    'return prefixes;',
  ),
  tier(
    'redacts',
    'prefixes in a redact',
    'filter.ts',
    'const prefixes = prefixesOf(tree);\n  if (prefixes.some(',
    "const prefixes = [''];\n  if (prefixes.some(",
  ),
  tier(
    'redacts',
    'heads in a redact',
    'filter.ts',
    'check: headCheckOf(tree)',
    'check: { characters: 0, fits: () => true }',
  ),
  tier(
    'both',
    'few long prefixes',
    'literals.ts',
    '(longer.length > FEW_PREFIXES && shortest(prefixes) >= LONG_PREFIX)',
    'false',
  ),
];
