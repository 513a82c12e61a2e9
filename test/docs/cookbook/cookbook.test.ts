/** Every rule of docs/cookbook.md does to a published payload what stands beside it, and the page is up to date. */
import { describe, expect, test } from 'vitest';
import {
  compileRules,
  type Decision,
  diffJson,
  type Event,
  importRules,
  lintRules,
  type Rule,
} from '../../../src/index.js';
import { page } from './page.js';
import { eventOf } from './payloads.js';
import { type Outcome, type Recipe, recipes } from './recipes.js';

/** The rules as an import makes them. */
const imported = importRules(JSON.stringify(recipes.map(({ rule }) => rule)));

/** The effect that a decision had, in the form of the recipe's own. */
function outcomeOf({ outcome, tags, endpointIds, event }: Decision, before: Event): Outcome {
  if (outcome === 'drop') return { dropped: true };
  if (endpointIds !== null) return { endpoints: endpointIds };
  if (tags.length > 0) return { tags };
  const changes = diffJson(before.data, event.data);
  return {
    changes: changes.map(({ path, before: was, after }) => [`data.${path}`, was, after] as never),
  };
}

const decide = ({ rule }: Recipe, event: Event): Decision =>
  compileRules([{ ...rule, id: '1' }]).evaluate(event);

describe('docs/cookbook.md', () => {
  test('has 25 rules, each with a name of its own', () => {
    expect(recipes).toHaveLength(25);
    expect(new Set(recipes.map(({ rule: { name } }) => name)).size).toBe(25);
  });

  test.for(recipes)('$rule.name: does what stands beside it', (recipe) => {
    const event = eventOf(recipe.on);
    const decision = decide(recipe, event);
    expect(decision.matched).toHaveLength(1);
    expect(outcomeOf(decision, event)).toEqual(recipe.gives);
  });

  test.for(recipes)('$rule.name: leaves the other payload as it is', (recipe) => {
    const event = eventOf(recipe.not);
    const decision = decide(recipe, event);
    expect(decision.matched).toEqual([]);
    expect(decision.event.data).toBe(event.data);
  });

  test('every rule can be imported, and none has a mistake that lint knows', () => {
    expect(imported.summary).toMatchObject({ imported: 25, skipped: 0, errors: [] });
    const warnings = imported.rules.flatMap((rule: Rule) => lintRules([rule]));
    expect(warnings.map(({ code, rule }) => [code, rule.name])).toEqual([
      ['always_tried', 'Tag versions that tools cannot read'],
    ]);
  });

  test('is written from the table that is tested here', async () => {
    await expect(page()).toMatchFileSnapshot('../../../docs/cookbook.md');
  });
});
