import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { house } from './test/eslint-rules.js';

/** Globals that only some runtimes have, or that make the same input give two answers. */
const impureGlobals = ['Buffer', 'process', 'console', 'fetch', 'setTimeout', 'setInterval', 'setImmediate'];

export default defineConfig(
  globalIgnores([
    'dist',
    'examples/host/dist',
    'examples/outbox/generated',
    'examples/receivers/.built',
    'test/bundlers/app',
    'coverage',
    'reports',
    'docs/.vitepress/dist',
    'docs/reference',
    '.stryker-tmp',
    '**/node_modules',
  ]),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            'eslint.config.js',
            'test/eslint-rules.js',
            'examples/host/src/threads/start.mjs',
          ],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      complexity: ['error', 15],
      // With house/nested-braces: a statement without braces stands on the line of its condition, and governs nothing else.
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-depth': ['error', 4],
      'max-lines': ['error', 400],
      'max-params': ['error', 5],
      'no-eval': 'error',
      'no-implied-eval': 'off', // the type-aware twin below is on
      'no-new-func': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Take randomness as a parameter.' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Numbers read well in messages.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `(code) => void` signatures are clearer than a statement body.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // These two would rather have `!`, which says less, and an alias that cannot refer to itself.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      // Node's cache of modules is an object, and `() => void count++` is a callback that gives nothing back.
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // There are no enums. These two took four tenths of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'examples/host/**/*.{ts,tsx}'],
    plugins: { house },
    rules: {
      'house/file-header': 'error',
      'house/nested-braces': 'error',
      'house/class-comment': 'error',
      'house/constant-case': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"], TSAbstractMethodDefinition, TSAbstractPropertyDefinition, TSParameterProperty)[accessibility]',
          message: 'Hide a member with #; leave out public.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'examples/host/src/**/*.ts', 'examples/host/dashboard/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: false, skipComments: false }],
    },
  },
  {
    files: ['{src,test,bench,examples}/**/*.{ts,tsx,js,mjs}'],
    plugins: { house },
    rules: {
      'house/plain-comment': 'error',
      // Tables and the output of examples are as wide as they are.
      'max-len': [
        'error',
        { code: 10_000, comments: 120, ignoreUrls: true, ignorePattern: '^\\s*\\* (?:\\||//)' },
      ],
    },
  },
  {
    files: [
      'src/errors.ts',
      'src/json.ts',
      'src/json-text.ts',
      'src/sorted.ts',
      'src/unicode.ts',
      'src/client/{frames,inbox,machine,outbox}.ts',
      'src/rules/**',
      'src/patterns/**',
      'src/signing/**',
    ],
    ignores: ['src/patterns/re2-wasm/**'],
    rules: { 'no-restricted-globals': ['error', ...impureGlobals] },
  },
  {
    // Tables are long, an oracle is one big switch, and odd values are what a test is about.
    files: ['test/**', 'bench/**', 'examples/**'],
    rules: {
      complexity: 'off',
      'max-lines': 'off',
      'no-loss-of-precision': 'off',
      'no-sparse-arrays': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  // The packages of benches, of receivers and of the outbox are installed only where they run, so their types may not be there.
  {
    files: ['**/*.js', '**/*.mjs', 'bench/**', 'examples/{outbox,receivers}/**'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }] },
  },
);
