/** `npm start`: run whole on both databases, and its checks with every count wrong once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { incomingBodies } from '../../../quickstart/project.js';
import type { Found } from '../../start/found.js';
import { type Counts, deliveriesOf, impliedCounts } from '../../start/implied.js';
import { ENDPOINT_NAMES, type EndpointName } from '../../start/project.js';
import { problemsOf } from '../../start/reckoning.js';

const HOST = join(import.meta.dirname, '../..');
const ROOT = join(HOST, '../..');

async function run(script: string, ...argv: readonly string[]) {
  const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
  const words = [tsx, '--tsconfig', join(ROOT, 'examples/tsconfig.built.json'), script, ...argv];
  const env = { ...process.env, DATABASE_URL: '', NO_COLOR: '1', FORCE_COLOR: undefined };
  const child = spawn(process.execPath, words, { cwd: HOST, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, output, errors };
}

const schemas = async (): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: inject('postgres') });
  await client.connect();
  const { rows } = await client.query<{ nspname: string }>(
    `select nspname from pg_namespace where nspname like 'headgate\\_start\\_%'`,
  );
  await client.end();
  return rows.map(({ nspname }) => nspname);
};
const folders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('headgate-start-'));

/** Rows of tables and sentences, without what differs from run to run: repeats, and widths that follow from them. */
const lines = (printed: string): readonly string[] =>
  printed.split('\n').map((line) =>
    line
      .replace(/ \+ \d+ again/g, '')
      .replace(/\d+ repeated/, '0 repeated')
      .replace(/─+/g, '─')
      .replace(/ +/g, ' ')
      .trim(),
  );

describe('npm start', () => {
  beforeAll(async () => {
    expect(await run('start/prepare.ts')).toMatchObject({ status: 0 });
  });

  test('the build has every worker beside the file that starts it', () => {
    const workers = readdirSync(join(HOST, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('worker.ts'))
      .map((file) => basename(file, '.ts'));
    expect(workers).toContain('evaluator-worker');
    for (const name of ['main', ...workers]) expect(existsSync(join(HOST, `dist/${name}.js`))).toBe(true);
  });

  test('a second preparation has nothing to do, and says nothing', async () => {
    expect(await run('start/prepare.ts')).toEqual({ status: 0, output: '', errors: '' });
  });

  test('on each database every count is right, nothing stays behind, and the README shows what it prints', async () => {
    const before = folders();
    const [sqlite, postgres] = await Promise.all([
      run('start/index.ts', '--once'),
      run('start/index.ts', '--once', '--postgres', inject('postgres')),
    ]);
    for (const { status, output } of [sqlite, postgres]) {
      expect(output).toMatch(/The host was killed after \d+ answers/);
      expect(output).toMatch(/Nothing lost, \d+ repeated: every count is what the rules imply\.\n$/);
      expect(status).toBe(0);
    }
    expect(postgres.output).toMatch(/in Postgres,\s+in\s+the\s+schema\s+headgate_start_\w+\./);
    expect(folders()).toEqual(before);
    expect(await schemas()).toEqual([]);
    const [, excerpt = ''] =
      /<!-- what npm start prints -->\n```text\n([\s\S]+?)```/.exec(
        readFileSync(join(ROOT, 'README.md'), 'utf8'),
      ) ?? [];
    const shown = lines(excerpt).filter((line) => line !== '' && line !== '…');
    expect(shown.length).toBeGreaterThan(10);
    const printed = lines(sqlite.output);
    expect(shown.filter((line) => !printed.includes(line))).toEqual([]);
  });

  test.for([
    [['--help'], 0, 'usage: npm start'],
    [['--onse'], 2, 'usage: npm start'],
    [['--port', '70000'], 2, '--port'],
    [['--postgres'], 2, 'DATABASE_URL'],
    [['somewhere'], 2, "'somewhere'"],
    [['--data', HOST], 1, 'is not empty'],
  ] as const)('%j ends with %i', async ([argv, code, says]) => {
    const { status, output, errors } = await run('start/index.ts', ...argv);
    expect(output + errors).toContain(says);
    expect(status).toBe(code);
  });
});

describe('the check of the counts', () => {
  const implied = impliedCounts(incomingBodies());
  const none = Object.fromEntries(ENDPOINT_NAMES.map((name) => [name, 0])) as Record<EndpointName, number>;
  const found: Found = { ...implied, unrecorded: none, problems: [], events: [] };
  const numbers = [
    'accepted',
    'processed',
    'dropped',
    'urgent',
    'redacted',
    'deadLetters',
    'received',
    'replies',
  ] as const;

  test('finds nothing wrong where all is as implied', () => {
    expect(problemsOf(found, implied)).toEqual([]);
    expect(deliveriesOf(implied)).toBe(1_680);
  });

  test.for(numbers)('finds one too many and one too few of: %s', (name) => {
    for (const change of [1, -1]) {
      expect(problemsOf({ ...found, [name]: implied[name] + change }, implied)).toHaveLength(1);
    }
  });

  test('finds a wrong count of each rule', () => {
    implied.matched.forEach((count, rule) => {
      const matched = implied.matched.map((one, i) => (i === rule ? count + 1 : one));
      expect(problemsOf({ ...found, matched }, implied)).toEqual([
        expect.stringContaining(`rule ${rule + 1}`),
      ]);
    });
  });

  test.for(ENDPOINT_NAMES)('finds a wrong count of the endpoint: %s', (name) => {
    const changed = (part: keyof Counts['endpoints'][EndpointName], by: number): Found => ({
      ...found,
      endpoints: {
        ...found.endpoints,
        [name]: { ...found.endpoints[name], [part]: found.endpoints[name][part] + by },
      },
    });
    for (const part of ['delivered', 'failed', 'requests'] as const) {
      for (const by of [1, -1]) expect(problemsOf(changed(part, by), implied)).not.toEqual([]);
    }
    expect(problemsOf({ ...changed('requests', 2), unrecorded: { ...none, [name]: 2 } }, implied)).toEqual(
      [],
    );
    expect(
      problemsOf({ ...changed('requests', 3), unrecorded: { ...none, [name]: 2 } }, implied),
    ).toHaveLength(1);
  });

  test('finds more unrecorded attempts than can have been in flight, and says what else was found', () => {
    expect(problemsOf({ ...found, unrecorded: { ...none, slow: 33 } }, implied)).toHaveLength(1);
    expect(problemsOf({ ...found, problems: ['an event is lost'] }, implied)).toEqual(['an event is lost']);
  });
});
