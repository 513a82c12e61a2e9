import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, inject, test } from 'vitest';
import { filesUnder } from '../files.js';
import { run, subPaths } from './consumer.js';

const home = join(inject('consumer'), 'node_modules', 'headgate');
const packed = inject('packed');

/** Node reads the ESM files for `require` too, unless it is told not to. */
const commonJsFiles = '--no-experimental-require-module';

describe('the tarball', () => {
  test('holds what is built, and nothing else', () => {
    const extra = packed.filter((path) => !/^(dist\/|docs\/[\w-]+\.(?:md|svg)$)/.test(path));
    expect(extra.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(packed.filter((path) => !/\.(js|cjs|d\.ts|d\.cts|map|md|svg|json)$|LICENSE$/.test(path))).toEqual(
      [],
    );
  });

  test('declares types that need nothing but the package, its dependencies and Node', () => {
    const declarations = filesUnder(home).filter((path) => /\.d\.c?ts$/.test(path));
    const packages = declarations.flatMap(imported).filter((name) => !name.startsWith('.'));
    expect(declarations.length).toBeGreaterThanOrEqual(subPaths.length);
    expect(
      packages.filter(
        (name) => !/^(re2js|undici|ipaddr\.js|re2-wasm|fast-check|@opentelemetry\/api|node:.*)$/.test(name),
      ),
    ).toEqual([]);
    expect(declarations.filter((path) => readFileSync(path, 'utf8').includes('node_modules'))).toEqual([]);
  });
});

const imported = (path: string): string[] =>
  ts.preProcessFile(readFileSync(path, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);

describe('every sub-path', () => {
  test.for(subPaths)('%s gives the same names to import and to require', (name) => {
    const list = `process.stdout.write(JSON.stringify(Object.keys(it).filter((key) => !/^(default|__esModule|module.exports)$/.test(key)).sort()))`;
    const esm = run(`import * as it from '${name}'; ${list}`, 'module');
    const shared = run(`const it = require('${name}'); ${list}`, 'commonjs');
    const cjs = run(`const it = require('${name}'); ${list}`, 'commonjs', commonJsFiles);
    expect(JSON.parse(esm)).not.toEqual([]);
    expect([shared, cjs]).toEqual([esm, esm]);
  });

  test('compiles for users of both formats, with no library check skipped', { timeout: 120_000 }, () => {
    const uses = subPaths.map(
      (name, index) => `import * as it${index} from '${name}';\nexport { it${index} };`,
    );
    const files = ['import.mts', 'require.cts'].map((name) => join(inject('consumer'), name));
    files.forEach((file) => writeFileSync(file, uses.join('\n')));
    expect(compilerErrors(files)).toEqual([]);
  });

  test('compiles without fast-check, where library checks are skipped', { timeout: 120_000 }, () => {
    const file = join(inject('consumer'), 'absent.mts');
    const uses = `import { createManualClock } from 'headgate/testing';
      export const now: number = createManualClock().now();\n`;
    const isThere = (path: string): boolean => !path.includes('/fast-check/');
    writeFileSync(file, uses);
    expect(compilerErrors([file], { skipLibCheck: true }, isThere)).toEqual([]);
    writeFileSync(file, `${uses}createManualClock().now('never');`);
    expect(compilerErrors([file], { skipLibCheck: true }, isThere)).toHaveLength(1);
  });

  test('has arbitraries of the fast-check that is installed', { timeout: 120_000 }, () => {
    const file = join(inject('consumer'), 'arbitraries.mts');
    const uses = `import fc from 'fast-check';
      import { createArbitraries } from 'headgate/testing';
      const { rules, event } = createArbitraries(fc);
      export const law = fc.property(rules(), event(), (all, { id }) => all[0]?.id !== id.trim());\n`;
    writeFileSync(file, uses);
    expect(compilerErrors([file])).toEqual([]);
    writeFileSync(file, `${uses}rules().map((all: number) => all);`);
    expect(compilerErrors([file])).toHaveLength(1);
  });
});

function compilerErrors(
  files: readonly string[],
  more: ts.CompilerOptions = {},
  isThere = (_path: string): boolean => true,
): string[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
    typeRoots: [join(inject('consumer'), 'node_modules', '@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...more,
  };
  const disk = ts.createCompilerHost(options);
  const host = { ...disk, fileExists: (path: string) => isThere(path) && disk.fileExists(path) };
  return ts
    .getPreEmitDiagnostics(ts.createProgram(files, options, host))
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

describe('one error class for the whole package', () => {
  const check = `try { createVerifier({ secrets: '' }); } catch (error) { console.log(error instanceof HeadgateError, error.code); }`;

  test('in ESM', () => {
    const names = `import { HeadgateError } from 'headgate'; import { createVerifier } from 'headgate/signing';`;
    expect(run(names + check, 'module')).toBe('true invalid_secret');
  });

  test.for([[], [commonJsFiles]])('in CommonJS, with flags %j', (flags) => {
    const names = `const { HeadgateError } = require('headgate'); const { createVerifier } = require('headgate/signing');`;
    expect(run(names + check, 'commonjs', ...flags)).toBe('true invalid_secret');
  });

  test('between ESM and CommonJS in one process', () => {
    const names = `import { createRequire } from 'node:module'; import { HeadgateError } from 'headgate';
      const { createVerifier } = createRequire(import.meta.url)('headgate/signing');`;
    expect(run(names + check, 'module')).toBe('true invalid_secret');
  });
});

test.for([
  { format: 'module' as const, load: `import { createRe2WasmEngine } from 'headgate/re2-wasm';`, flags: [] },
  {
    format: 'commonjs' as const,
    load: `const { createRe2WasmEngine } = require('headgate/re2-wasm');`,
    flags: [commonJsFiles],
  },
])('the other engine finds its WebAssembly: $format', ({ format, load, flags }) => {
  const code = `const program = createRe2WasmEngine().compile('a+b'); console.log(program.test('xaab'), program.test('xaa'));`;
  expect(run(load + code, format, ...flags)).toBe('true false');
});

describe('what a bundle takes along', () => {
  /** The packages that a built file reaches. */
  const reached = (file: string, seen = new Set<string>()): string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    return imported(file).flatMap((name) =>
      name.startsWith('.') ? reached(resolve(dirname(file), name), seen) : [name],
    );
  };

  test.for([
    { file: 'dist/index.js', packages: ['re2js'] },
    { file: 'dist/signing/index.js', packages: ['node:buffer', 'node:crypto'] },
    { file: 'dist/signing/index.cjs', packages: ['node:buffer', 'node:crypto'] },
    { file: 'dist/signing/web.js', packages: [] },
    { file: 'dist/signing/web.cjs', packages: [] },
    { file: 'dist/delivery/index.js', packages: [] },
    { file: 'dist/memory/index.js', packages: [] },
    { file: 'dist/testing/index.js', packages: ['re2js', 'node:assert/strict', 'node:timers/promises'] },
    { file: 'dist/testing/index.cjs', packages: ['re2js', 'node:assert/strict', 'node:timers/promises'] },
  ])('$file reaches no package but $packages', ({ file, packages }) => {
    expect(reached(join(home, file)).filter((name) => !packages.includes(name))).toEqual([]);
  });
});

describe('where code may not be made from strings', () => {
  const rules = JSON.stringify([
    {
      id: 'a',
      name: 'redact keys',
      stage: 'deliver',
      priority: 1,
      match: { all: [{ path: 'data.body.text', op: 'matches', value: '(?i)sk_[a-z]+' }] },
      action: {
        type: 'transform',
        ops: [{ op: 'redact', path: 'data.body.text', regex: 'sk_[a-z]+', replace: '***' }],
      },
    },
  ]);
  const work = `const set = compileRules(parse(${JSON.stringify(rules)}));
    const event = { id: 'evt_1', type: 'webhook.received', data: { body: { text: 'key sk_live' } } };
    console.log(set.evaluate(event).event.data.body.text);
    console.log(validateRule({ name: 1 }).ok, importRules(${JSON.stringify(rules)}).summary.imported);`;

  test.for(['module', 'commonjs'] as const)('rules are validated, compiled and run: %s', (format) => {
    const names = 'compileRules, importRules, parseRule, validateRule';
    const load =
      format === 'module'
        ? `import { ${names} } from 'headgate';`
        : `const { ${names} } = require('headgate');`;
    const parse = 'const parse = (text) => JSON.parse(text).map(parseRule);';
    const output = run(load + parse + work, format, '--disallow-code-generation-from-strings');
    expect(output.split('\n')).toEqual(['key ***', 'false 1']);
  });

  test('the flag does what it says', () => {
    expect(() => run('eval("1")', 'module', '--disallow-code-generation-from-strings')).toThrow('EvalError');
  });
});

test('importing headgate is quick', () => {
  const code = `const start = performance.now(); await import('headgate'); console.log(performance.now() - start);`;
  const times = Array.from({ length: 9 }, () => Number(run(code, 'module'))).sort((a, b) => a - b);
  const median = times[4] ?? Number.NaN;
  process.stdout.write(`cold import of headgate: ${median.toFixed(1)} ms, median of 9\n`);
  expect(median).toBeLessThan(400);
});
