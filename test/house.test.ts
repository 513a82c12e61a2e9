/**
 * Which module may import what, that modules are entered by their entry points, and that tests stand like what they
 * test.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { entries } from '../tsup.config.js';
import { filesUnder } from './files.js';

/** A module, and what its files may import besides their own module. */
interface Module {
  readonly name: string;
  /** The first module whose pattern fits a file is the file's module. */
  readonly files: RegExp;
  readonly modules: readonly string[];
  readonly packages: readonly string[];
}

const modules: readonly Module[] = [
  {
    name: 'base',
    files:
      /^src\/(delivery-details|errors|event-loop|integers|json|json-error|json-parse|json-text|json-tokens|lines|peers|rules\/path|sorted|topics|traceparent|unicode)\.ts$/,
    modules: [],
    packages: [],
  },
  {
    name: 're2-wasm',
    files: /^src\/patterns\/re2-wasm\//,
    modules: ['base', 'patterns'],
    packages: ['re2-wasm'],
  },
  {
    name: 're2js',
    files: /^src\/patterns\/re2js(\.ts$|\/)/,
    modules: ['base', 'patterns'],
    packages: ['re2js'],
  },
  { name: 'patterns', files: /^src\/patterns\//, modules: ['base'], packages: [] },
  {
    name: 'schema checks',
    files: /^src\/rules\/schema\/check\.ts$/,
    modules: ['base', 'issues', 'schemas'],
    packages: [],
  },
  { name: 'schemas', files: /^src\/rules\/schema\//, modules: ['base', 'operators'], packages: [] },
  {
    // The shapes of rules, and what every module of rules says of them.
    name: 'rule',
    files: /^src\/rules\/(rule|tree|order|own)\.ts$/,
    modules: ['base', 'operators'],
    packages: [],
  },
  { name: 'values', files: /^src\/rules\/values\//, modules: ['base', 'patterns'], packages: [] },
  {
    // All that is known of each operator; they know nothing of trees and rules.
    name: 'operators',
    files: /^src\/rules\/operators\//,
    modules: ['base', 'patterns', 'values'],
    packages: [],
  },
  {
    name: 'issues',
    files: /^src\/rules\/issues\//,
    modules: ['base', 'patterns', 'operators'],
    packages: [],
  },
  { name: 'templates', files: /^src\/rules\/templates\//, modules: ['base', 'rule'], packages: [] },
  {
    name: 'match',
    files: /^src\/rules\/match\//,
    modules: ['base', 'patterns', 'rule', 'operators', 'values', 'issues'],
    packages: [],
  },
  {
    name: 'transform',
    files: /^src\/rules\/transform\//,
    modules: ['base', 'patterns', 'rule'],
    packages: [],
  },
  {
    // Refuses the patterns that need an engine where there is none.
    name: 'engine',
    files: /^src\/rules\/engine\.ts$/,
    modules: ['base', 'patterns', 'rule', 'operators', 'issues'],
    packages: [],
  },
  {
    name: 'validate',
    files: /^src\/rules\/validate\//,
    modules: ['base', 'patterns', 'rule', 'operators', 'issues', 'schemas', 'schema checks'],
    packages: [],
  },
  {
    name: 'decision',
    files: /^src\/rules\/(decision|ledger|purse)\.ts$/,
    modules: ['base', 'patterns', 'rule', 'operators', 'values', 'match', 'transform'],
    packages: [],
  },
  {
    // Counts and sets of small numbers, for planning and for matching.
    name: 'sets',
    files: /^src\/rules\/rule-index\/(bit-set|epoch-set)\.ts$/,
    modules: [],
    packages: [],
  },
  {
    name: 'plan',
    files: /^src\/rules\/rule-index\/plan\//,
    modules: ['base', 'patterns', 'rule', 'operators', 'values', 'match', 'sets'],
    packages: [],
  },
  {
    name: 'layout',
    files: /^src\/rules\/rule-index\/layout\//,
    modules: ['base', 'patterns', 'rule', 'operators', 'values', 'match', 'plan'],
    packages: [],
  },
  {
    name: 'matching',
    files: /^src\/rules\/rule-index\/match\//,
    modules: ['base', 'patterns', 'rule', 'operators', 'values', 'match', 'decision', 'sets', 'layout'],
    packages: [],
  },
  {
    name: 'rule index',
    files: /^src\/rules\/rule-index\//,
    modules: [
      'base',
      'patterns',
      'rule',
      'operators',
      'values',
      'match',
      'decision',
      'sets',
      'plan',
      'layout',
      'matching',
    ],
    packages: [],
  },
  {
    // Conditions of other systems. The systems themselves are only asked in tests.
    name: 'formats',
    files: /^src\/rules\/formats\//,
    modules: ['base', 'patterns', 'rule', 'operators', 'values', 'issues'],
    packages: [],
  },
  {
    name: 'portable',
    files: /^src\/rules\/portable\//,
    modules: ['base', 'rule', 'operators', 'issues', 'validate', 'formats'],
    packages: [],
  },
  {
    name: 'dry run',
    files: /^src\/rules\/dry-run\//,
    modules: [
      'base',
      'patterns',
      'rule',
      'values',
      'issues',
      'engine',
      'match',
      'transform',
      'validate',
      'decision',
    ],
    packages: [],
  },
  {
    name: 'reasoning',
    files: /^src\/rules\/reasoning\//,
    modules: ['base', 'patterns', 'rule', 'issues', 'operators', 'values', 'match', 'decision'],
    packages: [],
  },
  {
    name: 'lint',
    files: /^src\/rules\/lint\//,
    modules: ['base', 'patterns', 'rule', 'operators', 'issues', 'engine', 'match', 'validate', 'reasoning'],
    packages: [],
  },
  {
    name: 'rules',
    files: /^src\/rules\//,
    modules: [
      'base',
      'patterns',
      'rule',
      'operators',
      'values',
      'issues',
      'engine',
      'templates',
      'match',
      'transform',
      'validate',
      'schemas',
      'decision',
      'rule index',
      'portable',
      'dry run',
      'reasoning',
      'lint',
    ],
    packages: [],
  },
  {
    name: 'signing on node:crypto',
    files: /^src\/signing\/(index|sign|verify)\.ts$/,
    modules: ['base', 'signing'],
    packages: ['node:buffer', 'node:crypto'],
  },
  { name: 'signing', files: /^src\/signing\//, modules: ['base'], packages: [] },
  { name: 'receiver', files: /^src\/receiver\//, modules: ['base', 'signing'], packages: [] },
  // undici is loaded by a name that bundlers do not follow, on a Node that has no WebSocket.
  { name: 'client', files: /^src\/client\//, modules: ['base'], packages: [] },
  { name: 'publisher', files: /^src\/publisher\//, modules: ['base'], packages: [] },
  { name: 'delivery', files: /^src\/delivery\//, modules: ['base'], packages: [] },
  { name: 'heap', files: /^src\/adapters\/heap\.ts$/, modules: [], packages: [] },
  {
    name: 'bodies',
    files: /^src\/adapters\/(?:kept|leased-bodies)\.ts$/,
    modules: ['base', 'delivery'],
    packages: [],
  },
  {
    name: 'memory',
    files: /^src\/adapters\/memory\//,
    modules: ['base', 'delivery', 'heap', 'bodies'],
    packages: [],
  },
  {
    name: 'sql',
    files: /^src\/adapters\/sql\//,
    modules: ['base', 'delivery', 'heap', 'bodies'],
    packages: ['node:crypto'],
  },
  {
    // @photostructure/sqlite is loaded at run time, only on versions of Node without SQLite.
    name: 'sqlite',
    files: /^src\/adapters\/sqlite\//,
    modules: ['base', 'delivery', 'sql', 'bodies'],
    packages: ['node:crypto', 'node:fs', 'node:path', 'node:timers'],
  },
  {
    name: 'postgres',
    files: /^src\/adapters\/postgres\//,
    modules: ['base', 'delivery', 'sql', 'bodies'],
    packages: ['node:crypto'],
  },
  {
    name: 'opentelemetry',
    files: /^src\/adapters\/opentelemetry\//,
    modules: ['base', 'delivery'],
    packages: ['@opentelemetry/api'],
  },
  {
    name: 'http',
    files: /^src\/adapters\/http\//,
    modules: ['base', 'delivery'],
    packages: [
      'undici/index.js',
      'ipaddr.js',
      'node:crypto',
      'node:dns',
      'node:events',
      'node:net',
      'node:os',
      'node:tls',
    ],
  },
  {
    name: 'declarations of testing',
    files: /^src\/testing\/declare-absent\.ts$/,
    modules: [],
    packages: ['node:fs'],
  },
  {
    name: 'testing',
    files: /^src\/testing\//,
    modules: [
      ...[
        'base',
        'default engine',
        'delivery',
        'patterns',
        'rule',
        'operators',
        'issues',
        'validate',
        'rules',
      ],
      ...['signing', 'signing on node:crypto'],
    ],
    // Only the types of fast-check; what the built package reaches is tested in test/dist.
    packages: [
      'fast-check',
      'node:assert',
      'node:events',
      'node:http',
      'node:net',
      'node:stream',
      'node:timers',
    ],
  },
  {
    name: 'default engine',
    files: /^src\/default-engine\.ts$/,
    modules: ['base', 'patterns', 're2js', 'rules'],
    packages: [],
  },
  { name: 'slim', files: /^src\/slim\/index\.ts$/, modules: ['base', 'patterns', 'rules'], packages: [] },
  { name: 'door', files: /^src\/index\.ts$/, modules: ['default engine', 'slim'], packages: [] },
  {
    // A user of the package that lives in it: by the doors alone, which the test of doors holds it to.
    name: 'cli',
    files: /^src\/cli\//,
    modules: [
      'base',
      'door',
      'slim',
      'signing on node:crypto',
      'receiver',
      'delivery',
      'sqlite',
      'postgres',
      'http',
      'client',
    ],
    packages: [
      'node:crypto',
      'node:fs',
      'node:http',
      'node:net',
      'node:path',
      'node:tty',
      'node:url',
      'node:util',
      'node:zlib',
    ],
  },
];

interface Import {
  readonly from: string;
  /** A file of src, or a package. */
  readonly to: string;
  readonly local: boolean;
}

const moduleOf = (file: string): Module | undefined => modules.find(({ files }) => files.test(file));

/** Every import of a source text: static, dynamic, of types only, `require` and `export … from`. */
function importsOf(from: string, text: string): Import[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
    const local = fileName.startsWith('.');
    return { from, local, to: local ? join(dirname(from), fileName).replace(/\.js$/, '.ts') : fileName };
  });
}

/** The import, where its module may not have it, or null. */
function violation({ from, to, local }: Import): string | null {
  const module = moduleOf(from);
  const other = local ? moduleOf(to) : undefined;
  const allowed = local
    ? other !== undefined && (other === module || module?.modules.includes(other.name) === true)
    : module?.packages.some((name) => to === name || to.startsWith(`${name}/`)) === true;
  return allowed ? null : `${from} → ${to}`;
}

/** The import, where it goes past the entry point of another module of rules, or null. */
function trespass({ from, to, local }: Import): string | null {
  const module = /^src\/rules\/[^/]+\//.exec(to)?.[0];
  if (!local || module === undefined || from.startsWith(module) || !existsSync(`${module}index.ts`)) {
    return null;
  }
  return to === `${module}index.ts` ? null : `${from} → ${to}`;
}

/**
 * The import, where the command enters another module but by an entry point of the package, or null. The base has none.
 */
function burglary({ from, to, local }: Import): string | null {
  const isOwn = !local || !from.startsWith('src/cli/') || to.startsWith('src/cli/');
  const isDoor = Object.values(entries).includes(to) || moduleOf(to)?.name === 'base';
  return isOwn || isDoor ? null : `${from} → ${to}`;
}

const sources = filesUnder('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
const imports = sources.flatMap((file) => importsOf(file, readFileSync(file, 'utf8')));

/** The files of a cycle, in order, or null. Follows every path of imports once. */
function cycle(edges: readonly Import[]): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const { to } of edges.filter(({ from, local }) => local && from === file)) {
      const found = visit(to, [...trail, file]);
      if (found) return found;
    }
    done.add(file);
    return null;
  };
  return edges.reduce<string[] | null>((found, { from }) => found ?? visit(from, []), null);
}

describe('imports run one way', () => {
  test('every source file is in a module', () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((file) => !moduleOf(file))).toEqual([]);
  });

  test('no file imports what its module may not', () => {
    expect(imports.map(violation).filter((found) => found !== null)).toEqual([]);
  });

  test('modules of rules are entered by their entry points', () => {
    expect(imports.map(trespass).filter((found) => found !== null)).toEqual([]);
    const planted = importsOf(
      'src/rules/decision.ts',
      `import './match/match.js'; import './match/index.js'`,
    );
    expect(planted.map(trespass)).toEqual(['src/rules/decision.ts → src/rules/match/match.ts', null]);
  });

  test('the command enters other modules by the entry points of the package', () => {
    expect(imports.map(burglary).filter((found) => found !== null)).toEqual([]);
    const planted = importsOf(
      'src/cli/run.ts',
      `import '../delivery/retry.js'; import '../delivery/index.js'; import '../json-text.js'`,
    );
    expect(planted.map(burglary)).toEqual(['src/cli/run.ts → src/delivery/retry.ts', null, null]);
  });

  test('no file imports itself by a detour', () => {
    expect(cycle(imports)).toBeNull();
  });

  test.for([
    {
      file: 'src/errors.ts',
      code: `import './json.js'; import './rules/rule.js'`,
      legal: false,
      because: 'ground knows nothing above it',
    },
    {
      file: 'src/rules/match/match.ts',
      code: `import type { X } from '../../delivery/store.js'`,
      legal: false,
      because: 'types count',
    },
    {
      file: 'src/rules/match/match.ts',
      code: `export * from '../../signing/sign.js'`,
      legal: false,
      because: 're-exports count',
    },
    {
      file: 'src/rules/match/match.ts',
      code: `const x = await import('re2js')`,
      legal: false,
      because: 'dynamic imports count',
    },
    {
      file: 'src/rules/match/match.ts',
      code: `import 'node:fs'`,
      legal: false,
      because: 'rules run anywhere',
    },
    {
      file: 'src/rules/match/match.ts',
      code: `import '../../patterns/index.js'`,
      legal: true,
      because: 'rules use patterns',
    },
    {
      file: 'src/rules/match/match.ts',
      code: `import '../validate/rule.js'`,
      legal: false,
      because: 'running a tree needs no validation',
    },
    {
      file: 'src/rules/validate/rule.ts',
      code: `import '../transform/transform.js'`,
      legal: false,
      because: 'validating runs no op',
    },
    {
      file: 'src/patterns/cache.ts',
      code: `import '../rules/rule.js'`,
      legal: false,
      because: 'patterns know no rules',
    },
    {
      file: 'src/patterns/index.ts',
      code: `import './re2-wasm/index.js'`,
      legal: false,
      because: 'that engine is opt-in',
    },
    { file: 'src/signing/web.ts', code: `import 'node:crypto'`, legal: false, because: 'web runs anywhere' },
    {
      file: 'src/signing/web.ts',
      code: `import './verify.js'`,
      legal: false,
      because: 'not by a detour either',
    },
    {
      file: 'src/signing/verify.ts',
      code: `import 'node:crypto'`,
      legal: true,
      because: 'this one is for Node',
    },
    {
      file: 'src/delivery/retry.ts',
      code: `import '../adapters/memory/index.js'`,
      legal: false,
      because: 'ports know no adapter',
    },
    {
      file: 'src/adapters/sqlite/driver.ts',
      code: `import { createRequire } from 'node:module'`,
      legal: false,
      because: 'bundlers follow it to optional peers',
    },
    {
      file: 'src/adapters/http/index.ts',
      code: `import '../memory/index.js'`,
      legal: false,
      because: 'adapters are strangers',
    },
    {
      file: 'src/adapters/memory/index.ts',
      code: `import 'undici'`,
      legal: false,
      because: 'only http speaks HTTP',
    },
    {
      file: 'src/adapters/http/transport.ts',
      code: `import 'undici'`,
      legal: false,
      because: 'Bun has a shim of that name, which cannot dispatch',
    },
    {
      file: 'src/adapters/http/transport.ts',
      code: `import 'undici/index.js'`,
      legal: true,
      because: 'this is the same on every runtime',
    },
    {
      file: 'src/testing/aim/aim.ts',
      code: `import '../../rules/path.js'`,
      legal: true,
      because: 'random rules are rules',
    },
    {
      file: 'src/patterns/pattern.ts',
      code: `import './re2js/index.js'`,
      legal: false,
      because: 'whoever imports headgate/slim has no engine',
    },
    {
      file: 'src/slim/index.ts',
      code: `export * from '../default-engine.js'`,
      legal: false,
      because: 'nor by a detour',
    },
    {
      file: 'src/index.ts',
      code: `import './testing/index.js'`,
      legal: false,
      because: 'nothing imports testing',
    },
    {
      file: 'src/receiver/process.ts',
      code: `import '../cli/output/text.js'`,
      legal: false,
      because: 'nothing imports the command',
    },
  ])('$code in $file is legal: $legal, since $because', ({ file, code, legal }) => {
    expect(importsOf(file, code).every((one) => violation(one) === null)).toBe(legal);
  });

  test('a planted cycle is found', () => {
    const edge = (from: string, to: string): Import => ({ from, to, local: true });
    expect(cycle([edge('a', 'b'), edge('b', 'c'), edge('c', 'b')])).toEqual(['b', 'c', 'b']);
    expect(cycle([edge('a', 'b'), edge('a', 'c'), edge('b', 'c')])).toBeNull();
  });
});

/** Folders of tests that go across modules, or hold what tests share. */
const ACROSS =
  /^test\/(?:adapters\/rows-read|bench|bundlers|chaos|dist|docs|examples|hostile|postgres|runtimes|types|vectors)\//;

test('each other folder of tests is a folder of sources', () => {
  const tests = filesUnder('test').filter((file) => file.endsWith('.test.ts') && !ACROSS.test(file));
  expect(tests.length).toBeGreaterThan(50);
  expect(tests.filter((file) => !existsSync(dirname(file).replace(/^test/, 'src')))).toEqual([]);
});

test('the page on architecture names the modules, and no folders that do not exist', () => {
  const named = [
    ...readFileSync('docs/architecture.md', 'utf8').matchAll(/`((?:src|examples\/host)\/(?:[\w-]+\/)*)`/g),
  ].map(([, folder = '']) => folder);
  const modulesIn = (root: string): string[] =>
    filesUnder(root)
      .map((file) => file.slice(root.length).split('/'))
      .flatMap(([folder, ...below]) => (below.length > 0 ? [`${root}${folder}/`] : []));
  const folders = ['src/', 'src/rules/', 'examples/host/src/'].flatMap(modulesIn);
  expect([...new Set(folders)].filter((folder) => !named.includes(folder))).toEqual([]);
  expect(named.filter((folder) => !existsSync(folder))).toEqual([]);
});
