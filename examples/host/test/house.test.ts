/** Which module of the host may import what, and that the host uses only what the package exports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const HOME = join(import.meta.dirname, '..');

/** Layers, each of which knows those below it. The modules above them know nothing of each other. */
const LAYERS = {
  errors: ['errors'],
  ids: ['ids'],
  http: ['http'],
  statistics: ['statistics'],
  secrets: ['secrets'],
  sources: ['sources'],
  limits: ['limits'],
  caching: ['caching'],
  threads: ['threads'],
  db: ['db'],
  /** Texts in the database that several modules read or write. */
  stored: ['stored'],
  api: ['api', 'audit'],
  /** Rows that channels and endpoints have. */
  signing: ['signing-secrets'],
} as const;
const IN_LAYERS: readonly string[] = Object.values(LAYERS).flat();
/** Files that put modules together. */
const TOP = ['host', 'store', 'serve', 'sign-in', 'program', 'main', 'bin', 'api-table', 'index'];

/** Files outside the layers that some modules may import. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  // The typed client has the types of the table.
  client: ['api-table'],
  // The library's store reads the bodies of deliveries, which are Event JSON, from the host's tables.
  db: ['stored/event-json'],
  // Matches are noted in the transaction that records a decision.
  deciding: ['matches/noted'],
};

/** Built-in modules and packages that only some modules may use. */
const PACKAGES: readonly (readonly [pattern: RegExp, modules: readonly string[]])[] = [
  [/^pg$/, ['db']],
  [/^ws$/, ['sdk-clients']],
  [/^(?:hono|@hono\/node-server)/, ['api', 'serve']],
  [/^prom-client$/, ['runtime']],
  [/^pino$/, ['runtime']],
  [/^node:worker_threads$/, ['threads']],
];

interface Import {
  readonly from: string;
  /** A file of the host without its extension, or a package. */
  readonly to: string;
  readonly isLocal: boolean;
}

const filesUnder = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

function importsOf(from: string, text: string): Import[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
    const isLocal = fileName.startsWith('.');
    const to = isLocal ? join(dirname(from), fileName).replace(/\.(?:js|ts)$/, '') : fileName;
    return { from, isLocal, to };
  });
}

const SOURCES = filesUnder(join(HOME, 'src')).map((file) => relative(join(HOME, 'src'), file));
const IMPORTS = SOURCES.flatMap((file) => importsOf(file, readFileSync(join(HOME, 'src', file), 'utf8')));

const moduleOf = (file: string): string => file.replace(/\.ts$/, '').split('/')[0] ?? '';

/** The files of a circle of imports, or null. */
function cycleIn(imports: readonly Import[]): readonly string[] | null {
  const known = new Map<string, string[]>();
  for (const { from, to, isLocal } of imports) {
    const file = from.replace(/\.tsx?$/, '');
    if (isLocal) known.set(file, [...(known.get(file) ?? []), to]);
  }
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): readonly string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return null;
    const found = (known.get(file) ?? [])
      .map((to) => visit(to, [...trail, file]))
      .find((one) => one !== null);
    done.add(file);
    return found ?? null;
  };
  return [...known.keys()].map((file) => visit(file, [])).find((one) => one !== null) ?? null;
}

/** The import, where the module may not have it, or null. */
function violation({ from, to, isLocal }: Import): string | null {
  const [mine, other] = [moduleOf(from), moduleOf(to)];
  const found = `${from} → ${to}`;
  if (!isLocal) {
    const [, modules] = PACKAGES.find(([pattern]) => pattern.test(to)) ?? [];
    return modules === undefined || modules.includes(mine) ? null : found;
  }
  if (to.startsWith('..')) return found;
  if (mine === other || TOP.includes(mine) || NEIGHBOURS[mine]?.includes(to) === true) return null;
  const layer = IN_LAYERS.indexOf(mine);
  if (layer >= 0) return IN_LAYERS.includes(other) && isBelow(other, mine) ? null : found;
  const isShape = to.endsWith('/routes') && (from.endsWith('/routes.ts') || other !== mine);
  return IN_LAYERS.includes(other) || isShape ? null : found;
}

function isBelow(other: string, mine: string): boolean {
  const height = (module: string) =>
    Object.values(LAYERS).findIndex((modules) => (modules as readonly string[]).includes(module));
  return height(other) < height(mine) || (mine === 'audit' && other === 'api');
}

describe('imports of the host run one way', () => {
  test('no file imports what its module may not', () => {
    expect(SOURCES.length).toBeGreaterThan(20);
    expect(IMPORTS.map(violation).filter((found) => found !== null)).toEqual([]);
  });

  test('routes are data: they import no behaviour', () => {
    const routes = IMPORTS.filter(({ from }) => from.endsWith('/routes.ts') || from === 'api-table.ts');
    const allowed = /(?:\/routes|^api\/(?:route|shapes)|^zod|^headgate$)/;
    expect(routes.filter(({ to }) => !allowed.test(to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test('no file imports itself by a detour, not even for a type', () => {
    const pages = filesUnder(join(HOME, 'dashboard')).map((file) => relative(HOME, file));
    const ofPages = pages.flatMap((file) => importsOf(file, readFileSync(join(HOME, file), 'utf8')));
    expect([IMPORTS, ofPages].map(cycleIn)).toEqual([null, null]);
    const planted = [
      importsOf('a.ts', `import './b.js'`),
      importsOf('b.ts', `import type { A } from './a.js'`),
    ];
    expect(cycleIn(planted.flat())).toEqual(['a', 'b', 'a']);
  });

  test('the package is imported by its name', () => {
    const past = IMPORTS.filter(({ to }) => /headgate\/(?:src|dist)/.test(to) || to.startsWith('../..'));
    expect(past).toEqual([]);
  });

  test.for([
    ['rules/rules.ts', '../deciding/deciding.js', false],
    ['rules/rules.ts', '../db/index.js', true],
    ['db/port.ts', '../api/route.js', false],
    ['rules/rules.ts', '../keys/routes.js', true],
    ['errors/problem.ts', '../ids.js', false],
    ['rules/rules.ts', 'pg', false],
    ['sdk-clients/sdk-clients.ts', '../../../../src/index.js', false],
  ] as const)('%s imports %s: %s', ([from, specifier, isLegal]) => {
    const found = importsOf(from, `import '${specifier}'`).map(violation);
    expect(found.every((one) => one === null)).toBe(isLegal);
  });
});
