/** The rules of eslint-rules.js and the dialect of eslint.config.js: a planted violation of each is reported. */
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';

const eslint = new ESLint();

/** The rules that a text breaks if a file of the sources contains it. */
async function broken(code: string): Promise<readonly (string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: 'src/rules/path.ts' });
  return result!.messages.map(({ ruleId }) => ruleId);
}

const HEADER = '/** A file. */\n';

describe('lint holds the dialect', () => {
  test.for<[rule: string, code: string]>([
    ['house/file-header', 'export const one = (): number => 1;\n'],
    ['house/file-header', '// A file.\nexport const one = (): number => 1;\n'],
    [
      'house/nested-braces',
      `${HEADER}export const f = (a: number[]): void => {\n  for (const x of a) if (x > 1) a.pop();\n};\n`,
    ],
    [
      'house/nested-braces',
      `${HEADER}export const f = (a: number[]): void => {\n  if (a.length > 1) while (a.length > 2) a.pop();\n};\n`,
    ],
    ['curly', `${HEADER}export const f = (a: number[]): void => {\n  if (a.length > 1)\n    a.pop();\n};\n`],
    ['house/class-comment', `${HEADER}import './order.js';\nexport class Stack {}\n`],
    ['house/class-comment', `${HEADER}import './order.js';\nclass Stack {}\nexport const s = new Stack();\n`],
    ['house/constant-case', `${HEADER}export const limit = 5;\n`],
    [
      'house/constant-case',
      `${HEADER}const mebibyte = 1_024 * 1_024;\nexport const f = (): number => mebibyte;\n`,
    ],
    [
      'house/constant-case',
      `${HEADER}const digits = /\\d/;\nexport const f = (a: string): boolean => digits.test(a);\n`,
    ],
    ['house/plain-comment', '/** What a file is for. */\nexport const one = (): number => 1;\n'],
    ['house/plain-comment', `${HEADER}// Whoever calls it gets one.\nexport const one = (): number => 1;\n`],
    ['house/plain-comment', `${HEADER}/**\n * Who calls it.\n */\nexport const one = (): number => 1;\n`],
    ['house/plain-comment', `${HEADER}/** @returns What one is. */\nexport const one = (): number => 1;\n`],
    [
      'house/plain-comment',
      `${HEADER}/** @param a - Whose it is. */\nexport const same = (a: number): number => a;\n`,
    ],
    ['house/plain-comment', `${HEADER}// Where it is used.\nexport const one = (): number => 1;\n`],
    [
      'house/plain-comment',
      `${HEADER}/** @param a - Of the sum. */\nexport const same = (a: number): number => a;\n`,
    ],
    ['max-len', `${HEADER}// ${'wide '.repeat(24)}\nexport const one = (): number => 1;\n`],
    [
      'no-restricted-syntax',
      `${HEADER}/** One. */\nexport class A {\n  private n = 1;\n  get(): number {\n    return this.n;\n  }\n}\n`,
    ],
    [
      'no-restricted-syntax',
      `${HEADER}/** One. */\nexport class A {\n  protected f(): number {\n    return 1;\n  }\n}\n`,
    ],
    [
      'no-restricted-syntax',
      `${HEADER}/** One. */\nexport class A {\n  constructor(public readonly n: number) {}\n}\n`,
    ],
  ])('%s reports a violation', async ([rule, code]) => {
    expect(await broken(code)).toContain(rule);
  });

  test('a program may begin with the line that names its interpreter', async () => {
    expect(await broken(`#!/usr/bin/env node\n${HEADER}export const one = (): number => 1;\n`)).toEqual([]);
    expect(await broken('#!/usr/bin/env node\nexport const one = (): number => 1;\n')).toContain(
      'house/file-header',
    );
  });

  test('code in the dialect is left alone', async () => {
    const code = `${HEADER}const LIMIT = 5;

/** A stack, made for one walk: whole items, and what they hold. */
export class Stack {
  readonly #items: string[] = [];

  push(items: readonly string[]): void {
    for (const item of items) {
      if (item.length > LIMIT) this.#items.push(item);
      else if (item === '') return;
    }
  }
}
`;
    expect(await broken(code)).toEqual([]);
  });

  test('what can be mended without a thought is mended', async () => {
    const mending = new ESLint({ fix: true });
    const code = `${HEADER}const limit = 5;\nexport const f = (a: number[]): void => {\n  for (const x of a) if (x > limit) a.pop();\n};\n`;
    const [result] = await mending.lintText(code, { filePath: 'src/rules/path.ts' });
    expect(result!.messages).toEqual([]);
    expect(result!.output).toContain('const LIMIT = 5;');
    expect(result!.output).toContain('{ if (x > LIMIT) a.pop(); }');
  });
});
