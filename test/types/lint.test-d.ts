import { expectTypeOf, test } from 'vitest';
import { lint, type LintCode, type LintWarning, type Rule, type RuleOptions } from 'headgate';

test('lint takes what compileRules takes', () => {
  expectTypeOf(lint).parameter(0).toEqualTypeOf<readonly Rule[]>();
  expectTypeOf(lint).parameter(1).toEqualTypeOf<RuleOptions | undefined>();
  expectTypeOf(lint).returns.toEqualTypeOf<readonly LintWarning[]>();
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
