/** The compiler's messages to an author of an invalid rule. */
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { operatorNames } from '../../src/rules/operators/index.js';

const HEAD = `import { compileMatch, type Match, type Rule } from 'headgate';\n`;
const RULE = `id: 'r', name: 'n', stage: 'deliver' as const, priority: 1, action: { type: 'drop' as const }`;
const BAD = `{ path: 'data.a', op: 'equals', value: 1 }`;

const WRONG = [
  `export const match: Match = ${BAD};`,
  `export const match: Match = { path: 'data.a', op: 'equals' };`,
  `export const match: Match = { all: [{ any: [${BAD}] }] };`,
  `export const rule: Rule = { ${RULE}, match: ${BAD} };`,
  `compileMatch(${BAD});`,
];
const RIGHT = `compileMatch({ all: [{ path: 'a', op: 'eq', value: 1 }, { any: [{ path: 'b', op: 'exists' }] }] });`;

/** All that the compiler says of each module, without and with exactOptionalPropertyTypes. */
function messages(modules: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sources = new Map(modules.map((code, i) => [resolve(`test/types/written-${i}.ts`), code]));
  const read = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, process.cwd());
  const programs = [false, true].map((exactOptionalPropertyTypes) => {
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (file) => sources.has(file) || fileExists(file);
    host.getSourceFile = (file, version) =>
      sources.has(file)
        ? ts.createSourceFile(file, HEAD + sources.get(file)!, version)
        : getSourceFile(file, version);
    const settings = { ...options, noUnusedLocals: false, exactOptionalPropertyTypes };
    return ts.createProgram([...sources.keys()], settings, host);
  });
  const saidOf = (path: string): readonly string[] =>
    programs.flatMap((program) =>
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    );
  return new Map([...sources].map(([path, code]) => [code, saidOf(path)]));
}

test('the compiler names all operators where one is misspelled, and says nothing of a tree that is right', () => {
  const said = messages([...WRONG, RIGHT]);
  for (const code of WRONG) {
    expect(said.get(code), code).toHaveLength(2);
    for (const message of said.get(code)!) {
      expect(message).toContain(`'"equals"' is not assignable`);
      for (const name of operatorNames) expect(message).toContain(`"${name}"`);
    }
  }
  expect(said.get(RIGHT)).toEqual([]);
});
