/** Which patterns run on nothing but JavaScript. */
import { fitsAutomaton } from './automaton/positions.js';
import { parsePattern } from './check.js';
import { nativeSearcher } from './native.js';
import { parseTemplate, usesGroups } from './template.js';

/** The use of a pattern: to be found, or to be replaced by a template. */
export type Use = { readonly kind: 'test' } | { readonly kind: 'replace'; readonly template: string };

/**
 * Whether a pattern needs an engine. One that is a text, or one of a few texts, never does; to be found, neither does
 * one that fits the automaton of one word.
 *
 * @param source - A pattern that {@link checkPattern} finds nothing wrong with.
 */
export function needsEngine(source: string, use: Use): boolean {
  const { tree, groups, names } = parsePattern(source);
  const isNative = nativeSearcher(tree) !== null;
  if (use.kind === 'test') return !isNative && !fitsAutomaton(tree);
  return !isNative || usesGroups(parseTemplate(use.template, groups, names));
}
