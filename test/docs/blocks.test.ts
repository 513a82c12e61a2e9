import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { type Block, readBlocks } from './blocks.js';

const blocks = readBlocks();
const runnable = blocks.filter(({ notRun }) => notRun === null);

describe('what the documents show', () => {
  test('there is something to run', () => {
    expect(runnable.length).toBeGreaterThan(0);
  });

  test('every block that is not run says why', () => {
    const silent = blocks.filter(({ notRun }) => notRun === '');
    expect(silent.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });

  test('every block compiles', { timeout: 60_000 }, () => {
    expect(compilerErrors(blocks)).toEqual([]);
  });

  test.for(runnable)('$document:$line runs', async ({ path }) => {
    await import(path);
  });
});

/** What the compiler says under the project's own settings, each as `docs/rules.md:12: …`. */
function compilerErrors(modules: readonly Block[]): string[] {
  const byPath = new Map(modules.map((block) => [block.path, block]));
  const options = { ...projectOptions(), noUnusedLocals: false, noUnusedParameters: false };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => byPath.has(path) || disk.fileExists(path),
    getSourceFile: (path, version) => {
      const block = byPath.get(path);
      return block ? ts.createSourceFile(path, block.code, version) : disk.getSourceFile(path, version);
    },
  };
  const program = ts.createProgram([...byPath.keys()], options, host);
  return modules.flatMap(({ path, document, line }) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(({ start = 0, messageText }) => {
      const below = file?.getLineAndCharacterOfPosition(start).line ?? 0;
      return `${document}:${line + 1 + below}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}

function projectOptions(): ts.CompilerOptions {
  const read = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: unknown };
  return ts.parseJsonConfigFileContent(read.config, ts.sys, process.cwd()).options;
}
