/** The house within the house: which room of the host may import what, and that it uses only what the package exports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const HOME = join(import.meta.dirname, '..');

/** Floors, each of which knows those below it. The rooms of the first floor know nothing of each other. */
const FLOORS = {
  ground: ['ground'],
  limits: ['limits'],
  threads: ['threads'],
  /** Pure rooms. */
  secrets: ['secrets'],
  sources: ['sources'],
  db: ['db'],
  api: ['api', 'audit'],
} as const;
const BELOW_ROOMS: readonly string[] = Object.values(FLOORS).flat();
/** Files that put rooms together. */
const ROOF = ['host', 'store', 'serve', 'sign-in', 'main', 'api-table', 'index'];

/** Files outside the floors below that some rooms may import. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  // The typed client has the types of the table.
  client: ['api-table'],
  // How an event is written for rules and for destinations.
  deciding: ['events/event-json', 'matches/noted'],
  ingest: ['events/event-json'],
  stream: ['events/event-json'],
  delivering: ['events/event-json'],
  rules: ['events/event-json'],
  previews: ['events/event-json'],
};

/** Built-in modules and packages that only some rooms may use. */
const PACKAGES: readonly (readonly [pattern: RegExp, rooms: readonly string[]])[] = [
  [/^pg$/, ['db']],
  [/^ws$/, ['stream']],
  [/^(?:hono|@hono\/node-server)/, ['api', 'serve']],
  [/^prom-client$/, ['operating']],
  [/^pino$/, ['operating']],
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

const roomOf = (file: string): string => file.replace(/\.ts$/, '').split('/')[0] ?? '';

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

/** The import, where the room may not have it, or null. */
function violation({ from, to, isLocal }: Import): string | null {
  const [mine, other] = [roomOf(from), roomOf(to)];
  const found = `${from} → ${to}`;
  if (!isLocal) {
    const [, rooms] = PACKAGES.find(([pattern]) => pattern.test(to)) ?? [];
    return rooms === undefined || rooms.includes(mine) ? null : found;
  }
  if (to.startsWith('..')) return found;
  if (mine === other || ROOF.includes(mine)) return null;
  const floor = BELOW_ROOMS.indexOf(mine);
  if (floor >= 0) return BELOW_ROOMS.includes(other) && isBelow(other, mine) ? null : found;
  const isShape = to.endsWith('/routes') && (from.endsWith('/routes.ts') || other !== mine);
  return BELOW_ROOMS.includes(other) || isShape || NEIGHBOURS[mine]?.includes(to) === true ? null : found;
}

function isBelow(other: string, mine: string): boolean {
  const height = (room: string) =>
    Object.values(FLOORS).findIndex((rooms) => (rooms as readonly string[]).includes(room));
  return height(other) < height(mine) || (mine === 'audit' && other === 'api');
}

describe('imports of the host run one way', () => {
  test('no file imports what its room may not', () => {
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
    ['ground/ids.ts', '../db/index.js', false],
    ['rules/rules.ts', 'pg', false],
    ['stream/stream.ts', '../../../../src/index.js', false],
  ] as const)('%s imports %s: %s', ([from, specifier, isLegal]) => {
    const found = importsOf(from, `import '${specifier}'`).map(violation);
    expect(found.every((one) => one === null)).toBe(isLegal);
  });
});
