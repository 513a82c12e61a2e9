/** The types of lint. */
import { expectTypeOf, test } from 'vitest';
import { lintRules, type LintCode, type LintWarning, type Rule, type RuleOptions } from 'headgate';

test('lintRules takes what compileRules takes', () => {
  expectTypeOf(lintRules).parameter(0).toEqualTypeOf<readonly Rule[]>();
  expectTypeOf(lintRules).parameter(1).toEqualTypeOf<RuleOptions | undefined>();
  expectTypeOf(lintRules).returns.toEqualTypeOf<readonly LintWarning[]>();
});

test('codes are a closed union', () => {
  expectTypeOf<LintCode>().toEqualTypeOf<
    | 'always_tried'
    | 'behind_drop'
    | 'drops_everything'
    | 'never_matches'
    | 'not_checked'
    | 'odd_path'
    | 'odd_pattern'
  >();
  expectTypeOf<LintWarning['code']>().toEqualTypeOf<LintCode>();
  expectTypeOf<LintWarning['rule']>().toEqualTypeOf<Rule>();
});
