/** Finds the rule that the user names. */
import type { Rule } from '../../index.js';
import { UsageError } from '../context.js';
import { cut } from '../output/text.js';
import type { RulesFile } from './file.js';

/** Rules that a message lists. */
const LISTED = 10;

/**
 * The rules that a name means: by id, else by name, else by number in the file, from 1.
 *
 * @throws {@link UsageError} where it means none, or several.
 */
export function chooseRule(file: RulesFile, word: string): Rule {
  const ways: readonly ((rule: Rule) => boolean)[] = [
    ({ id }) => id === word,
    ({ name }) => name === word,
    (rule) => String(file.numberOf(rule)) === word,
  ];
  const found = ways.map((way) => file.rules.filter(way)).find(({ length }) => length > 0) ?? [];
  const [rule] = found;
  if (rule !== undefined && found.length === 1) return rule;
  const why = found.length === 0 ? 'no rule' : `${found.length} rules`;
  throw new UsageError(`--rule ${JSON.stringify(word)} means ${why} of ${file.name}: ${listed(file)}`);
}

/** Which rules there are to choose from. */
export function listed(file: RulesFile): string {
  const names = file.rules
    .slice(0, LISTED)
    .map((rule) => `${file.numberOf(rule)} ${JSON.stringify(cut(rule.name, 40))}`);
  const more = file.rules.length - names.length;
  return `give one of ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
