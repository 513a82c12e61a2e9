/** The package `headgate-host`, as people have it: packed, installed in an empty folder, and started with npx. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '../../../test/alive.js';
import { until } from '../../../test/until.js';
import { listening } from './started.js';

const HOST = join(import.meta.dirname, '..');
const ROOT = join(HOST, '../..');
/** Variables that npm and the shell of the test have set, which are not meant for the service. */
const NOT_MEANT =
  /^(?:npm_.*|HEADGATE_.*|PORT|HOST|PUBLIC_URL|DATABASE_URL|LOG_LEVEL|NODE_OPTIONS|NODE_ENV)$/;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_MEANT.test(name)));

const root = realpathSync(mkdtempSync(join(tmpdir(), 'headgate-package-')));
/** The empty folder of a newcomer. */
const empty = join(root, 'empty');
const groups: number[] = [];
afterAll(() => {
  for (const group of groups.filter((one) => isAlive(-one))) process.kill(-group, 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

const run = (folder: string, program: string, ...words: readonly string[]): string =>
  execFileSync(program, words, { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' });

function pack(source: string): Packed {
  const words = ['pack', source, '--json', '--ignore-scripts', '--pack-destination', root];
  const [packed] = JSON.parse(run(ROOT, 'npm', ...words)) as [Packed];
  return packed;
}

let host: Packed;
beforeAll(() => {
  run(ROOT, 'npm', 'run', 'pack:host', '--', join(root, 'package'));
  host = pack(join(root, 'package'));
  mkdirSync(empty);
  const tarballs = [pack(ROOT), host].map(({ filename }) => join(root, filename));
  run(empty, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs);
});

/** `npx headgate-host`, in a process group of its own, as a shell starts it. */
class Npx {
  readonly child: ChildProcess;
  readonly printed = { out: '', err: '' };
  readonly #group: number;

  constructor(variables: Readonly<Record<string, string>>, ...words: readonly string[]) {
    this.child = spawn('npx', ['headgate-host', ...words], {
      cwd: empty,
      env: { ...environment, ...variables },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#group = this.child.pid ?? 0;
    groups.push(this.#group);
    this.child.stdout?.on('data', (chunk: Buffer) => (this.printed.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.printed.err += chunk.toString()));
  }

  /** The address at which the service listens. */
  async url(): Promise<string> {
    const started = () => /"url":"([^"]+)".*"msg":"started"/.exec(this.printed.out)?.[1];
    await until(() => started() !== undefined || this.child.exitCode !== null);
    const url = started();
    if (url === undefined) throw new Error(`it ended:\n${this.printed.out}${this.printed.err}`);
    return url;
  }

  /** Its exit code, once it has ended without having been asked to. */
  async exit(): Promise<number | null> {
    const [code] = (await once(this.child, 'close')) as [number | null];
    return code;
  }

  /** Sends a signal to npx alone, or to its group, and waits until nothing of the group is left. */
  async stop(signal: 'SIGTERM' | 'SIGINT', whom: 'npx' | 'group'): Promise<void> {
    process.kill(whom === 'npx' ? this.#group : -this.#group, signal);
    await until(() => !isAlive(-this.#group));
    expect(this.printed.out).toContain('"msg":"stopped"');
  }
}

/** A browser: it keeps the cookie of its session. */
class Browser {
  readonly url: string;
  #cookie = '';

  constructor(url: string) {
    this.url = url;
  }

  /** The browser at another address, with its cookie. */
  at(url: string): Browser {
    const other = new Browser(url);
    other.#cookie = this.#cookie;
    return other;
  }

  async send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...{ cookie: this.#cookie, 'sec-fetch-site': 'same-origin' },
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.#cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.#cookie;
    return { status: response.status, text: await response.text() };
  }

  /** @throws Error unless the answer is one of success. */
  async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { status, text } = await this.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as Answer;
  }
}

interface Page {
  readonly items: readonly { readonly id: string; readonly status: string }[];
}

const LINK = /^ +(http:\/\/\S+\/sign-in)#token=(hg_once_\w{49})$/gm;
const adminKey = (): string => readFileSync(join(empty, 'headgate-data/admin-key'), 'utf8').trim();

describe('the tarball', () => {
  test('holds what is built, and nothing else', () => {
    const paths = host.files.map(({ path }) => path);
    const built =
      /^dist\/(?:[\w-]+\.js|dashboard\/(?:[a-z]+\.(?:html|svg)|first\/[\w/-]+\.html|assets\/[\w-]+\.(?:js|css)))$/;
    expect(paths.filter((path) => !built.test(path)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/dashboard/licenses.txt',
      'package.json',
    ]);
    const licenses = readFileSync(join(root, 'package/dist/dashboard/licenses.txt'), 'utf8');
    for (const name of ['preact', '@preact/signals', '@codemirror/view']) {
      expect(licenses).toContain(`## ${name} - `);
    }
    const workers = readdirSync(join(HOST, 'src'), { recursive: true, encoding: 'utf8' })
      .flatMap((path) => /[^/]*worker(?=\.ts$)/.exec(path)?.[0] ?? [])
      .map((name) => `dist/${name}.js`);
    expect(workers.length).toBeGreaterThan(3);
    const pages = ['dist/dashboard/index.html', 'dist/dashboard/portal.html', 'dist/dashboard/icon.svg'];
    expect(paths).toEqual(expect.arrayContaining(['dist/main.js', 'dist/bin.js', ...workers, ...pages]));
    expect(paths.filter((path) => path.startsWith('dist/dashboard/assets/')).length).toBeGreaterThan(20);
  });

  test('its command may be executed', () => {
    const bins = host.files.filter(({ path }) => path === 'dist/bin.js');
    expect(bins.map(({ mode }) => mode & 0o111)).toEqual([0o111]);
    const bin = readFileSync(join(root, 'package/dist/bin.js'), 'utf8');
    expect(bin.split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  test('asks the registry for exactly the library of its own version', () => {
    const read = (folder: string) =>
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    const { version, dependencies } = read(ROOT) as { version: string; dependencies: object };
    const manifest = read(join(empty, 'node_modules/headgate-host'));
    const asked = Object.entries(manifest.dependencies as Record<string, string>);
    expect(manifest).toMatchObject({ version, dependencies: { headgate: version } });
    expect(asked.filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    for (const name of ['private', 'scripts', 'devDependencies']) expect(manifest).not.toHaveProperty(name);
    expect(Object.keys(dependencies)).not.toEqual([]);
  });
});

describe('npx headgate-host', () => {
  test('without options it serves, a link signs in once, and all is there after a restart', async () => {
    const first = new Npx({ PORT: '0' });
    const browser = new Browser(await first.url());
    await until(() => first.printed.err.includes('sign-in'));
    const links = [...first.printed.err.matchAll(LINK)];
    expect(links).toHaveLength(1);
    const [[, page = '', token = ''] = []] = links;
    expect(page).toBe(`${browser.url}/sign-in`);
    expect(first.printed.out).not.toContain('hg_once_');
    expect(first.printed.err).toContain(`The data is in ${join(empty, 'headgate-data')}\n`);

    // The link opens the dashboard, whose scripts are served.
    const { text: html } = await browser.send('GET', page);
    const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? [];
    expect(script).toMatch(/^\/dashboard\/assets\/index-/);
    expect(await browser.send('GET', script)).toMatchObject({ status: 200 });
    expect((await browser.send('GET', '/session')).status).toBe(401);
    await browser.ask('POST', '/session', { token });
    const { project } = await browser.ask<{ project: string }>('GET', '/session');

    const channel = await browser.ask<{ id: string; url: string }>('POST', `/projects/${project}/channels`, {
      name: 'First',
    });
    const event = await new Browser(browser.url).ask<{ id: string }>('POST', channel.url, { text: 'hello' });
    const events = async (at: Browser) =>
      (await at.ask<Page>('GET', `/projects/${project}/events`)).items.map(({ id, status }) => [id, status]);
    await expect.poll(() => events(browser)).toEqual([[event.id, 'processed']]);

    // The operator's key is in a file of its own, and in no output.
    expect(statSync(join(empty, 'headgate-data/admin-key')).mode & 0o777).toBe(0o600);
    const key = adminKey();
    expect(key).toMatch(/^[\da-f]{64}$/);
    const authorization = `Bearer ${key}`;
    expect((await fetch(`${browser.url}/metrics`, { headers: { authorization } })).status).toBe(200);
    await first.stop('SIGTERM', 'npx');
    expect(first.printed.out + first.printed.err).not.toContain(key);

    const second = new Npx({ PORT: '1' }, '--port', '0', '--data', join(empty, 'headgate-data'));
    const again = browser.at(await second.url());
    expect(await events(again)).toEqual([[event.id, 'processed']]);
    expect((await fetch(`${again.url}/metrics`, { headers: { authorization } })).status).toBe(200);
    await second.stop('SIGINT', 'group');
    expect(second.printed.err).toBe('');
    expect(second.printed.out).not.toMatch(/"made |hg_once_/);
    expect(adminKey()).toBe(key);
  });

  test('a key of the operator in the environment wins, and none is made', async () => {
    const data = join(root, 'operated');
    const key = 'an-operator-key-of-the-environment-0123456789';
    const npx = new Npx({ HEADGATE_ADMIN_KEY: key, HEADGATE_DATA: data }, '--port', '0');
    const response = await fetch(`${await npx.url()}/metrics`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    await npx.stop('SIGTERM', 'group');
    expect(readdirSync(data)).not.toContain('admin-key');
  });

  test('it prints its version and its options', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(run(empty, 'npx', 'headgate-host', '--version')).toBe(`${version}\n`);
    expect(run(empty, 'npx', 'headgate-host', '--help')).toMatch(/^usage: npx headgate-host \[options\]/);
  });

  test('what it does not know or must not take exits with 2, and nothing is stored', async () => {
    const unknown = new Npx({}, '--prot', '1');
    expect(await unknown.exit()).toBe(2);
    expect(unknown.printed.err).toContain("Unknown option '--prot'\n");
    const weak = new Npx({ HEADGATE_ADMIN_KEY: 'weak' }, '--data', join(root, 'nothing'));
    expect(await weak.exit()).toBe(2);
    expect(weak.printed.err).toContain('HEADGATE_ADMIN_KEY: give 32 to 200 printable characters');
    expect(readdirSync(root)).not.toContain('nothing');
  });

  test('if its port is taken it says so, and takes no other, since senders know the port', async () => {
    const server = createServer();
    const { port } = new URL(await listening(server));
    const npx = new Npx({}, '--port', port, '--data', join(root, 'taken'));
    expect(await npx.exit()).toBe(1);
    server.close();
    expect(npx.printed.err).toContain(`port ${port} of 127.0.0.1 is in use`);
    expect(npx.printed.err).not.toContain('sign-in');
  });
});
