/** Dockerfile and compose.yaml, as far as they can be held to without an engine: read, and carried out step by step. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/runtime/variables.js';
import { readConfig } from '../../src/runtime/config.js';
import { Builder, readCopy, readDockerfile, textsOf } from './image.js';

const HOST = join(import.meta.dirname, '../..');
const CONTEXT = join(HOST, '../..');

const stages = readDockerfile(join(HOST, 'Dockerfile'));
const [build, final] = stages as [(typeof stages)[number], (typeof stages)[number]];
const command = JSON.parse(textsOf(final, 'CMD')[0] ?? '[]') as string[];
const health = JSON.parse(
  /CMD (\[.+\])$/.exec(textsOf(final, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '[]',
) as string[];
/** The variables that the image sets. */
const environment = Object.fromEntries(
  textsOf(final, 'ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('=') as [string, string])),
);

describe('the Dockerfile', () => {
  test('every source of a COPY is in the context, and is not ignored', () => {
    const ignored = readFileSync(join(HOST, 'Dockerfile.dockerignore'), 'utf8').split('\n');
    expect(ignored[0]).toBe('**');
    const copies = stages.flatMap((stage) => textsOf(stage, 'COPY').map(readCopy));
    const sources = copies.filter(({ from }) => from === null).flatMap(({ sources }) => sources);
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect([source, existsSync(join(CONTEXT, source))]).toEqual([source, true]);
      expect(ignored).toContain(`!${source}`);
    }
    const stageNames = copies.flatMap(({ from }) => (from === null ? [] : [from]));
    for (const name of stageNames) expect(stages.map((stage) => stage.name)).toContain(name);
  });

  test('it runs as a user who is not root, who is chosen before the command', () => {
    const kinds = final.instructions.map(({ name }) => name);
    expect(textsOf(final, 'USER')).toEqual(['node']);
    expect(kinds.lastIndexOf('RUN')).toBeLessThan(kinds.indexOf('USER'));
    expect(textsOf(final, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  test('its variables are those of the service, and it needs no others to start', () => {
    const { NODE_ENV, ...ours } = environment;
    expect(NODE_ENV).toBe('production');
    for (const name of Object.keys(ours)) expect(VARIABLES).toHaveProperty(name);
    expect(readConfig(ours)).toMatchObject({ HOST: '0.0.0.0', PORT: 8_080 });
    expect(textsOf(final, 'EXPOSE')).toEqual([ours.PORT]);
    expect(textsOf(final, 'VOLUME')).toEqual([ours.HEADGATE_DATA]);
  });

  test('both stages are of one Node, which the packages admit', () => {
    expect(new Set(stages.map(({ image }) => image)).size).toBe(1);
    expect(final.image).toMatch(/^node:2[24](?:\.\d+)*-slim$/);
  });
});

describe('the image, carried out in a folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'headgate-image-'));
  const running: ChildProcess[] = [];
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });
  const builder = new Builder(root, CONTEXT);
  const app = (path = ''): string => builder.pathIn(final.name, `/app${path}`);

  // Installs all packages twice, as the two stages of the image do.
  test('it builds', { timeout: 900_000 }, () => {
    for (const stage of [build, final]) builder.build(stage);
    expect(statSync(app(`/${command[1] ?? ''}`)).isFile()).toBe(true);
    expect(existsSync(builder.pathIn(final.name, '/data'))).toBe(true);
    expect(existsSync(app('/dist/dashboard/index.html'))).toBe(true);
  });

  test('it has both packed packages, and only the packages of production', () => {
    const published = JSON.parse(readFileSync(app('/package.json'), 'utf8')) as object;
    for (const name of ['private', 'scripts', 'devDependencies']) expect(published).not.toHaveProperty(name);
    expect(existsSync(app('/README.md'))).toBe(true);
    const { dependencies } = JSON.parse(readFileSync(join(HOST, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) expect(existsSync(app(`/node_modules/${name}`))).toBe(true);
    expect(statSync(app('/node_modules/headgate')).isDirectory()).toBe(true);
    expect(existsSync(app('/node_modules/headgate/src'))).toBe(false);
    for (const name of ['tsup', 'typescript', 'vitest', '@types/ws', 'vite', 'preact']) {
      expect([name, existsSync(app(`/node_modules/${name}`))]).toEqual([name, false]);
    }
  });

  test('its command serves, its health check holds while it runs alone, and SIGTERM ends it well', async () => {
    const data = builder.pathIn(final.name, '/data');
    const env = {
      ...process.env,
      ...environment,
      HOST: '127.0.0.1',
      PORT: '0',
      HEADGATE_DATA: data,
      LOG_LEVEL: 'info',
    };
    expect(command[0]).toBe('node');
    const child = fork(command[1] ?? '', {
      cwd: app(),
      env,
      execArgv: [],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    running.push(child);
    let log = '';
    child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const [{ listening }] = (await once(child, 'message')) as [{ listening: string }];
    const { port } = new URL(listening);
    const isHealthy = (): boolean => {
      try {
        const [, ...words] = health;
        execFileSync(process.execPath, words, { env: { ...process.env, PORT: port }, stdio: 'pipe' });
        return true;
      } catch {
        return false;
      }
    };
    expect(isHealthy()).toBe(true);
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(isHealthy()).toBe(false);
    const lines = log
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(lines).toEqual(expect.arrayContaining(['started', 'stopping', 'stopped']));
  });
});

describe('compose.yaml', () => {
  interface Service {
    readonly image?: string;
    readonly build?: { readonly context: string; readonly dockerfile: string };
    readonly environment: Readonly<Record<string, string>>;
    readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
    readonly healthcheck?: object;
    readonly ports?: readonly string[];
    readonly volumes?: readonly string[];
    readonly stop_grace_period?: string;
  }
  const { services, volumes } = parse(readFileSync(join(HOST, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
    volumes: object;
  };
  const hosts = Object.entries(services).filter(([name]) => name.startsWith('host'));
  const example = readFileSync(join(HOST, '.env.example'), 'utf8');
  const asked = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name ?? '');
  const secrets: Readonly<Record<string, string>> = {
    POSTGRES_PASSWORD: 'abc123',
    HEADGATE_SEALING_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    HEADGATE_ADMIN_KEY: 'x'.repeat(40),
  };
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
      expect(asked).toContain(name);
      return secrets[name] ?? (kind === '-' ? rest : '');
    });

  test('two processes of one image share a Postgres that is there first', () => {
    expect(hosts).toHaveLength(2);
    for (const [, { build: made, depends_on, environment: settings }] of hosts) {
      expect(join(HOST, made?.context ?? '')).toBe(join(CONTEXT));
      expect(existsSync(join(HOST, made?.context ?? '', made?.dockerfile ?? ''))).toBe(true);
      expect(depends_on?.postgres).toEqual({ condition: 'service_healthy' });
      expect(new URL(filled(settings.DATABASE_URL ?? '')).hostname).toBe('postgres');
    }
    expect(hosts[0]?.[1].environment).toEqual(hosts[1]?.[1].environment);
    expect(services.postgres?.healthcheck).toBeDefined();
    const [volume] = services.postgres?.volumes ?? [];
    expect(volumes).toHaveProperty(volume?.split(':')[0] ?? '');
  });

  test('their variables are known and enough, and the password is the one of Postgres', () => {
    for (const [, { environment: settings }] of hosts) {
      const values = Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, filled(text)]));
      expect(readConfig(values).HEADGATE_SEALING_KEYS).toHaveLength(1);
      for (const name of Object.keys(values)) expect(VARIABLES).toHaveProperty(name);
      const url = new URL(values.DATABASE_URL ?? '');
      const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD = '' } = services.postgres?.environment ?? {};
      expect([url.username, url.pathname, url.password]).toEqual([
        POSTGRES_USER,
        `/${POSTGRES_DB ?? ''}`,
        filled(POSTGRES_PASSWORD),
      ]);
    }
  });

  test('ports of the host lead to the port of the image, each once', () => {
    const ports = hosts.flatMap(([, service]) => service.ports ?? []);
    expect(ports.map((port) => port.split(':').at(-1))).toEqual([environment.PORT, environment.PORT]);
    expect(new Set(ports).size).toBe(2);
  });

  test('a stop has more time than the service takes', () => {
    for (const [, service] of hosts) {
      expect(Number.parseInt(service.stop_grace_period ?? '0')).toBeGreaterThan(15);
    }
  });

  test('no secret is in the files of the repository', () => {
    for (const name of asked.filter((one) => one !== 'PUBLIC_URL')) {
      expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
  });
});
