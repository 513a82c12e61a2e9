/** The command `headgate` of the packed tarball, as a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, inject, onTestFinished, test } from 'vitest';

const home = join(inject('consumer'), 'node_modules', 'headgate');
const { bin, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
  readonly bin: { readonly headgate: string };
  readonly version: string;
};
const program = join(home, bin.headgate);
const env = { ...process.env, HEADGATE_SECRET: 'whsec_test', NO_COLOR: '' };

/** Runs it to its end. */
function headgate(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: inject('consumer'),
    encoding: 'utf8',
    input,
    env,
  });
  return { code: status, out: stdout, err: stderr };
}

/** Starts it; it is killed after the test, if it still runs. */
function start(args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(program, args, { cwd: inject('consumer'), env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The exit code, and the signal that ended it. */
const endOf = (child: ChildProcessWithoutNullStreams): Promise<unknown[]> => once(child, 'close');

const rule = {
  name: 'Drop',
  stage: 'deliver',
  priority: 1,
  match: { path: 'type', op: 'eq', value: 'ping' },
  action: { type: 'drop' },
};
const event = { id: 'evt_1', type: 'ping', data: {} };

/** A path of a new file. */
function file(name: string, content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  if (content !== null) writeFileSync(path, JSON.stringify(content));
  return path;
}

test('output that cannot be written ends it with 1, and says why', () => {
  const rules = file('rules.json', [rule]);
  const events = file('events.json', event);
  for (const args of [['--version'], ['--help'], ['rules', 'try', rules, events]]) {
    const shell = '"$0" "$@" > /dev/full';
    const { status, stderr } = spawnSync('sh', ['-c', shell, program, ...args], { encoding: 'utf8', env });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('ENOSPC') });
  }
});

test('the file of the bin runs by itself, and knows its version', () => {
  expect(headgate(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test('what it signs, it verifies', () => {
  const body = JSON.stringify(event);
  const signed = headgate(['sign'], body);
  expect(signed.code).toBe(0);
  const verified = headgate(['verify'], `POST / HTTP/1.1\n${signed.out}\n${body}`);
  expect(verified).toMatchObject({ code: 0, err: '' });
  expect(verified.out).toMatch(/^genuine\n/);
  expect(headgate(['verify'], `POST / HTTP/1.1\n${signed.out}\n${body}\n`)).toMatchObject({ code: 1 });
});

test('rules hold a pipe of events', () => {
  const path = file('rules.json', [rule]);
  const { code, out, err } = headgate(
    ['rules', 'try', path, '--json'],
    `${JSON.stringify(event)}\n`.repeat(1_000),
  );
  expect(code).toBe(0);
  expect(out.split('\n')).toHaveLength(1_001);
  expect(err).toBe('1,000 events: 0 delivered, 1,000 dropped\n');
});

test('it ends quietly when the reader of its output goes, though its input never ends', async () => {
  const child = start(['rules', 'try', file('rules.json', [rule]), '--json']);
  const errors = text(child.stderr);
  // Its input breaks, too, once it has ended.
  child.stdin.on('error', () => undefined);
  const line = `${JSON.stringify(event)}\n`.repeat(100);
  const feed = (): void => void (child.stdin.write(line) && setImmediate(feed));
  child.stdin.on('drain', feed);
  feed();
  await once(child.stdout, 'data');
  const end = endOf(child);
  child.stdout.destroy();
  expect(await end).toEqual([0, null]);
  expect(await errors).toBe('');
});

test.for(['SIGINT', 'SIGTERM'] as const)('listen ends in order at %s', async (signal) => {
  const child = start(['listen', '--port', '0']);
  const [words] = (await once(child.stderr, 'data')) as [Buffer];
  const [, url = ''] = /listening at (\S+);/.exec(words.toString()) ?? [];
  expect(headgate(['send', url])).toMatchObject({ code: 0, err: '' });
  const out = text(child.stdout);
  const end = endOf(child);
  child.kill(signal);
  expect(await end).toEqual([0, null]);
  expect(await out).toMatch(/^--> webhook\.received evt_[\da-f]{24} verified\n<-- 204 \d+ ms\n$/);
});

test('a store in a file is made, counted and cleaned', () => {
  const path = file('deliveries.db', null);
  expect(headgate(['dead-letters', 'count', path]).code).toBe(2);
  expect(headgate(['migrate', path])).toMatchObject({ code: 0, out: '' });
  expect(headgate(['dead-letters', 'count', path])).toEqual({ code: 0, out: '0\n', err: '' });
  expect(headgate(['retention', path, '--older-than', '1d'])).toMatchObject({ code: 0 });
});

test('a store in Postgres asks for pg where it is not installed', () => {
  expect(() => createRequire(program).resolve('pg')).toThrow();
  const { code, err } = headgate(['migrate', 'postgres://127.0.0.1:1/x']);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('npm install pg') as string });
});

describe('to start it, no more is loaded than is needed', () => {
  /** The files that a built file imports as it loads, and those that these import. */
  const loaded = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(
      /^(?:import|export) (?:.* from )?'(\..*)';$/gm,
    )) {
      loaded(join(dirname(path), name), seen);
    }
    return seen;
  };
  const own = (path: string): boolean => path.startsWith(dirname(program));

  test('the command itself needs no other file of the package', () => {
    const files = [...loaded(program)];
    expect(files.filter((path) => !own(path))).toEqual([]);
    expect(files.length).toBeLessThan(8);
  });

  test('sign needs signing alone', () => {
    const [, name = ''] = /import\('(\.\/sign-\w+\.js)'\)/.exec(readFileSync(program, 'utf8')) ?? [];
    const others = [...loaded(join(dirname(program), name))].filter((path) => !own(path));
    const signing = [...loaded(join(home, 'dist/signing/index.js'))];
    expect(others.filter((path) => !signing.includes(path))).toEqual([]);
  });
});
