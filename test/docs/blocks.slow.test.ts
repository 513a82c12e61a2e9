/** Every block of code in the documents runs, and prints what it says. */
import { format } from 'node:util';
import pg from 'pg';
import ts from 'typescript';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { compileRules } from '../../src/index.js';
import { type Block, printedBy, probe, readBlocks } from './blocks.js';

const blocks = readBlocks();
const runnable = blocks.filter(({ notRun }) => notRun === null);

describe('what the documents and doc comments show', () => {
  test('there is something to run', () => {
    expect(runnable.length).toBeGreaterThan(0);
  });

  test('every block that is not run says why', () => {
    const silent = blocks.filter(({ notRun }) => notRun === '');
    expect(silent.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });

  test('no block falls back to a secret that everybody can read', () => {
    const falling = blocks.filter(({ code }) =>
      /(?:process\.env|env\.)[^;\n]*['"`](?:whsec_|hg_)/.test(code),
    );
    expect(falling.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });

  test('every block compiles', () => {
    expect(compilerErrors(blocks)).toEqual([]);
  });

  test('in a block, headgate means the sources', async () => {
    expect(await import(probe.path)).toMatchObject({ compileRules });
  });

  test.for(runnable)('$document:$line runs, and prints what it says', async ({ path, code, printed }) => {
    if (code.includes('DATABASE_URL')) await provideDatabase();
    vi.stubEnv('SIGNING_SECRET', 'whsec_test');
    onTestFinished(() => void vi.unstubAllEnvs());
    const lines = listenToConsole();
    await import(path);
    expect(lines).toEqual(printed);
  });

  test.for([
    { code: `console.log(1 + 1); // 2`, printed: ['2'] },
    { code: `for (const n of [1, 2]) {\n  console.log(n);\n}\n// 1\n// 2`, printed: ['1', '2'] },
    { code: `console.log(1);\n// 1\n\n// Now the rest:`, printed: ['1'] },
    {
      code: `console.log(url); // https://example.com/ // twice`,
      printed: ['https://example.com/ // twice'],
    },
    {
      code: `// first\nconst two = 1 + 1; // a sum\nconsole.log('http://a/');\nlet x;\n// last`,
      printed: [],
    },
    {
      code: `const on = {\n  done: (id: string) => console.log(id), // evt_1\n  // silent\n};`,
      printed: ['evt_1', 'silent'],
    },
  ])('$code is said to print $printed', ({ code, printed }) => {
    expect(printedBy(code)).toEqual(printed);
  });
});

/** An empty database under `DATABASE_URL`, until the test ends. */
async function provideDatabase(): Promise<void> {
  const server = inject('postgres');
  const name = `documents_${crypto.randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  vi.stubEnv('DATABASE_URL', url.href);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await administer(server, `drop database ${name} with (force)`);
  });
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The lines that are printed from now until the test ends. */
function listenToConsole(): readonly string[] {
  const lines: string[] = [];
  const listen = (...values: unknown[]): void =>
    void lines.push(
      ...format(...values)
        .split('\n')
        .map((line) => line.trimEnd()),
    );
  const spies = (['log', 'warn', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(listen),
  );
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return lines;
}

/** That a module is not found, and that parameters of its callbacks are then of any type. */
const OF_ABSENT_TYPES = new Set([2307, 7006]);

/** The compiler's errors under the project's own settings, each as `docs/rules.md:12: …`. */
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
  return modules.flatMap(({ path, document, line, foreign }) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].filter(
      ({ code }) => !(foreign && OF_ABSENT_TYPES.has(code)),
    );
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
