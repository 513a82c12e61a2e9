/** The compiler's messages to an author of an invalid rule. */
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { operatorNames } from '../../src/rules/operators/index.js';

const HEAD = `import { compileMatch, type Match, type Rule } from 'headgate';\n`;
const RULE = `id: 'r', name: 'n', stage: 'deliver' as const, priority: 1, action: { type: 'drop' as const }`;
const BAD = `{ path: 'data.a', op: 'equals', value: 1 }`;

/** All that the compiler says of a module, without and with exactOptionalPropertyTypes. */
function messages(code: string): string[] {
  const path = resolve('test/types/written.ts');
  const read = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, process.cwd());
  return [false, true].flatMap((exactOptionalPropertyTypes) => {
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (file) => file === path || fileExists(file);
    host.getSourceFile = (file, version) =>
      file === path ? ts.createSourceFile(path, HEAD + code, version) : getSourceFile(file, version);
    const settings = { ...options, noUnusedLocals: false, exactOptionalPropertyTypes };
    const program = ts.createProgram([path], settings, host);
    const found = program.getSemanticDiagnostics(program.getSourceFile(path));
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  });
}

test.for([
  `export const match: Match = ${BAD};`,
  `export const match: Match = { path: 'data.a', op: 'equals' };`,
  `export const match: Match = { all: [{ any: [${BAD}] }] };`,
  `export const rule: Rule = { ${RULE}, match: ${BAD} };`,
  `compileMatch(${BAD});`,
])('names all operators where one is misspelled: %s', (code) => {
  const said = messages(code);
  expect(said).toHaveLength(2);
  for (const message of said) {
    expect(message).toContain(`'"equals"' is not assignable`);
    for (const name of operatorNames) expect(message).toContain(`"${name}"`);
  }
});

test('a tree that is right is nothing to speak of', () => {
  expect(
    messages(
      `compileMatch({ all: [{ path: 'a', op: 'eq', value: 1 }, { any: [{ path: 'b', op: 'exists' }] }] });`,
    ),
  ).toEqual([]);
});
