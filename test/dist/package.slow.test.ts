/** The packed tarball, as its users get it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, inject, test } from 'vitest';
import { lostLinks } from '../docs/links.js';
import { filesUnder } from '../files.js';
import { run, subPaths } from './consumer.js';

const home = join(inject('consumer'), 'node_modules', 'headgate');
const packed = inject('packed');

/** Node reads the ESM files for `require` too, unless it is told not to. */
const COMMON_JS_FILES = '--no-experimental-require-module';

const EXPECTED = [
  /^dist\//,
  /^docs\/[\w-]+\.(?:md|svg|webp)$/,
  /^examples\/[\w-]+\/[\w-]+\.ts$/,
  /^examples\/outbox\/(?:package\.json|schema\.prisma)$/,
  // An app of a framework has the folders that the framework wants.
  /^examples\/receivers\/(?:package\.json|(?!test\/|node_modules\/)[\w-]+\/[\w/.+-]+\.(?:tsx?|js|json|html))$/,
];

describe('the tarball', () => {
  test('holds what is built, and nothing else', () => {
    const extra = packed.filter((path) => !EXPECTED.some((pattern) => pattern.test(path)));
    expect(extra.sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'bench/RESULTS.md',
      'bench/cost.svg',
      'package.json',
      'test/vectors/client.json',
      'test/vectors/signing.json',
    ]);
    const built = packed.filter((path) => path.startsWith('dist/'));
    expect(built.filter((path) => !/\.(js|cjs|d\.ts|d\.cts)$/.test(path))).toEqual([]);
  });

  test.for(packed.filter((path) => path.endsWith('.md')))('holds what %s links to and shows', (document) => {
    expect(lostLinks(home, document)).toEqual([]);
  });

  test('says in the same words as its README which Nodes it runs on', () => {
    const { engines } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
    const [, old, young] = /^\^([\d.]+)\.0 \|\| >=([\d.]+)\.0$/.exec(engines.node) ?? [];
    const sentence = `Node ${old}, or ${young} and later`;
    expect(readFileSync(join(home, 'README.md'), 'utf8')).toContain(sentence);
    expect(readFileSync(join(home, 'CONTRIBUTING.md'), 'utf8')).toContain(sentence);
  });

  test('imports nothing that a bundler would follow to a package that few have', () => {
    const scripts = filesUnder(join(home, 'dist')).filter((path) => /\.c?js$/.test(path));
    const names = new Set(scripts.flatMap(imported).filter((name) => !name.startsWith('.')));
    expect(names).toContain('undici/index.js');
    expect([...names].filter((name) => /^(node:)?module$|sqlite|re2-wasm$|fast-check/.test(name))).toEqual(
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

interface Manifest {
  readonly engines: { readonly node: string };
}

const imported = (path: string): string[] =>
  ts.preProcessFile(readFileSync(path, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);

/** A file of the package's user; its path. */
function write(name: string, code: string): string {
  const path = join(inject('consumer'), name);
  writeFileSync(path, code);
  return path;
}

const usesOfAll = subPaths
  .map((name, index) => `import * as it${index} from '${name}';\nexport { it${index} };`)
  .join('\n');

/** The ways that TypeScript finds a sub-path; the oldest reads no `exports`. */
const resolutions = [
  { name: 'node', module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  { name: 'node16', module: 'node16' },
  { name: 'nodenext', module: 'nodenext' },
  { name: 'bundler', module: 'esnext', moduleResolution: 'bundler' },
].map(({ name, ...options }) => ({ name, options: ts.convertCompilerOptionsFromJson(options, '.').options }));

describe('every sub-path', () => {
  test.for(subPaths)('%s gives the same names to import and to require', (name) => {
    const list = `process.stdout.write(JSON.stringify(Object.keys(it).filter((key) => !/^(default|__esModule|module.exports)$/.test(key)).sort()))`;
    const esm = run(`import * as it from '${name}'; ${list}`, 'module');
    const shared = run(`const it = require('${name}'); ${list}`, 'commonjs');
    const cjs = run(`const it = require('${name}'); ${list}`, 'commonjs', COMMON_JS_FILES);
    expect(JSON.parse(esm)).not.toEqual([]);
    expect([shared, cjs]).toEqual([esm, esm]);
  });

  test.for(resolutions)(
    'compiles with moduleResolution $name, with no library check skipped',
    ({ options }) => {
      const files = ['import.mts', 'require.cts', 'plain.ts'].map((name) => write(name, usesOfAll));
      expect(compilerErrors(files, options)).toEqual([]);
    },
  );

  const [oldest, newest] = [resolutions[0]!, resolutions.at(-1)!];
  test.for([oldest, newest])('compiles with moduleResolution $name without fast-check', ({ options }) => {
    const isThere = (path: string): boolean => !path.includes('/fast-check/');
    const uses = `${usesOfAll}
        import { createManualClock } from 'headgate/testing';
        export const now: number = createManualClock().now();
        export const odd: string = createManualClock().now();`;
    const errors = compilerErrors([write('absent.mts', uses)], options, isThere);
    expect(errors).toEqual([expect.stringMatching(/absent\.mts: Type 'number' is not assignable/)]);
  });

  test('has arbitraries of the fast-check that is installed', () => {
    const uses = `import fc from 'fast-check';
      import { createArbitraries } from 'headgate/testing';
      const { rules, event } = createArbitraries(fc);
      export const law = fc.property(rules(), event(), (all, { id }) => all[0]?.id !== id.trim());\n`;
    expect(compilerErrors([write('arbitraries.mts', uses)])).toEqual([]);
    expect(
      compilerErrors([write('arbitraries.mts', `${uses}rules().map((all: number) => all);`)]),
    ).toHaveLength(1);
  });
});

/**
 * The compiler's errors in the package and in files that use it; those of other packages' declarations are left out.
 */
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
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    ...more,
  };
  const disk = ts.createCompilerHost(options);
  const host = { ...disk, fileExists: (path: string) => isThere(path) && disk.fileExists(path) };
  return ts
    .getPreEmitDiagnostics(ts.createProgram(files, options, host))
    .filter(({ file }) => file === undefined || file.fileName.startsWith(inject('consumer')))
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

  test.for([[], [COMMON_JS_FILES]])('in CommonJS, with flags %j', (flags) => {
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
    flags: [COMMON_JS_FILES],
  },
])('the other engine finds its WebAssembly: $format', ({ format, load, flags }) => {
  const code = `const program = createRe2WasmEngine().compile('a+b'); console.log(program.test('xaab'), program.test('xaa'));`;
  expect(run(load + code, format, ...flags)).toBe('true false');
});

describe('what a bundle takes along', () => {
  const ofTesting = [
    ...['re2js', 'node:assert/strict', 'node:buffer', 'node:crypto', 'node:events', 'node:http'],
    ...['node:stream/consumers', 'node:timers/promises'],
  ];

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
    { file: 'dist/slim/index.js', packages: [] },
    { file: 'dist/slim/index.cjs', packages: [] },
    { file: 'dist/signing/index.js', packages: ['node:buffer', 'node:crypto'] },
    { file: 'dist/signing/index.cjs', packages: ['node:buffer', 'node:crypto'] },
    { file: 'dist/signing/web.js', packages: [] },
    { file: 'dist/signing/web.cjs', packages: [] },
    { file: 'dist/publisher/index.js', packages: [] },
    { file: 'dist/publisher/index.cjs', packages: [] },
    { file: 'dist/receiver/index.js', packages: [] },
    { file: 'dist/receiver/index.cjs', packages: [] },
    { file: 'dist/client/index.js', packages: [] },
    { file: 'dist/client/index.cjs', packages: [] },
    { file: 'dist/delivery/index.js', packages: [] },
    { file: 'dist/memory/index.js', packages: [] },
    { file: 'dist/testing/index.js', packages: ofTesting },
    { file: 'dist/testing/index.cjs', packages: ofTesting },
  ])('$file reaches no package but $packages', ({ file, packages }) => {
    expect(reached(join(home, file)).filter((name) => !packages.includes(name))).toEqual([]);
  });
});

describe('headgate/slim', () => {
  const code = `const isKey = compileMatch({ path: 'data.key', op: 'matches', value: '^sk_[a-z]+$' });
    console.log(isKey({ data: { key: 'sk_live' } }), isKey({ data: { key: 'pk_live' } }));
    try { compileMatch({ path: 'a', op: 'matches', value: '[a-z]{40}' }); } catch (error) {
      console.log(error instanceof RuleError, error.issues[0].code);
    }
    const options = { patterns: { engine: createRe2WasmEngine() } };
    console.log(compileMatch({ path: 'data.key', op: 'matches', value: '[a-z]{40}' }, options)({ data: { key: 'a'.repeat(40) } }));`;
  const said = ['true false', 'true needs_engine', 'true'];

  test('runs small patterns, refuses others, and takes an engine, in ESM', () => {
    const names = `import { compileMatch } from 'headgate/slim'; import { RuleError } from 'headgate';
      import { createRe2WasmEngine } from 'headgate/re2-wasm';`;
    expect(run(names + code, 'module').split('\n')).toEqual(said);
  });

  test.for([[], [COMMON_JS_FILES]])('and in CommonJS, with flags %j', (flags) => {
    const names = `const { compileMatch } = require('headgate/slim'); const { RuleError } = require('headgate');
      const { createRe2WasmEngine } = require('headgate/re2-wasm');`;
    expect(run(names + code, 'commonjs', ...flags).split('\n')).toEqual(said);
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
  const code = `const start = process.cpuUsage(); await import('headgate');
    const { user, system } = process.cpuUsage(start); console.log((user + system) / 1_000);`;
  const times = Array.from({ length: 9 }, () => Number(run(code, 'module'))).sort((a, b) => a - b);
  const median = times[4] ?? Number.NaN;
  process.stdout.write(`cold import of headgate: ${median.toFixed(1)} ms of processor time, median of 9\n`);
  expect(median).toBeLessThan(400);
});
