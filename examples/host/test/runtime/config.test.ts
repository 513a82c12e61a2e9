/** The configuration: each variable by itself, all together, and what an error may say. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/runtime/config.js';
import { VARIABLES } from '../../src/runtime/variables.js';

type Name = keyof typeof VARIABLES;

const KEY = Buffer.alloc(32, 7).toString('base64');
const SOURCES = join(import.meta.dirname, '../../src');

/** For each variable a text that is taken, with its value, and texts that are not. */
const TEXTS = {
  PORT: { right: ['3000', 3_000], wrong: ['-1', '65536', '80a', '8080.5', '1e3', 'http'] },
  HOST: { right: ['::', '::'], wrong: ['http://localhost', 'a b', '127.0.0.1:80', '-x'] },
  PUBLIC_URL: {
    right: ['https://hooks.example.com/', 'https://hooks.example.com'],
    wrong: ['hooks.example.com', 'ftp://example.com', 'https://example.com/a', 'https://example.com/?a=1'],
  },
  DATABASE_URL: {
    right: ['postgres://a:b@db/c', 'postgres://a:b@db/c'],
    wrong: ['mysql://a:b@db/c', 'postgres://', 'db', 'postgres://a b'],
  },
  HEADGATE_SCHEMA: { right: ['hooks_2', 'hooks_2'], wrong: ['Hooks', 'a-b', '1a', 'a; drop table x'] },
  HEADGATE_CONNECTIONS: { right: ['4', 4], wrong: ['3', '501', 'many'] },
  HEADGATE_DATA: { right: ['/var/lib/headgate', '/var/lib/headgate'], wrong: ['a\nb'] },
  HEADGATE_SEALING_KEYS: {
    right: [`k2:${KEY}`, [{ id: 'k2', key: Buffer.alloc(32, 7) }]],
    wrong: [KEY, `k1:${KEY.slice(4)}`, `k1:${KEY},k1:${KEY}`, 'k1:%%%'],
  },
  HEADGATE_ADMIN_KEY: { right: ['x'.repeat(32), 'x'.repeat(32)], wrong: ['short', `${'x'.repeat(40)} y`] },
  HEADGATE_BRAND: { right: ['Acme-2', 'Acme-2'], wrong: ['2acme', 'a'.repeat(32), 'a b', 'é'] },
  HEADGATE_MAX_BODY_BYTES: { right: ['2048', 2_048], wrong: ['1023', '1 MiB', '26214401'] },
  HEADGATE_PROJECT_BYTES_PER_SECOND: { right: ['4096', 4_096], wrong: ['0', '8 MiB', '2000000000'] },
  HEADGATE_BUFFER_BYTES: { right: ['67108864', 67_108_864], wrong: ['33554431', '128 MiB', '1e9'] },
  HEADGATE_SOCKETS: { right: ['500', 500], wrong: ['99', '1000001', 'many'] },
  HEADGATE_ALLOW: {
    right: ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    wrong: ['localhost', '10.0.0.0/8,x', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0.1/'],
  },
  HEADGATE_FRAME_ANCESTORS: {
    right: [
      'https://app.example.com, http://localhost:3000',
      ['https://app.example.com', 'http://localhost:3000'],
    ],
    wrong: [
      ...['app.example.com', 'https://app.example.com/', 'https://app.example.com/a', '*', "'self'", 'null'],
      ...['https://*.example.com', 'https://a.example;script-src', 'https://a.example https://b.example'],
      ...[
        'ftp://example.com',
        'https://APP.example.com',
        'https://app.example.com:443',
        'https://a.example,',
      ],
    ],
  },
  HEADGATE_CONCURRENCY: { right: ['1', 1], wrong: ['0', '10001', 'all'] },
  HEADGATE_CONCURRENCY_PER_ENDPOINT: { right: ['64', 64], wrong: ['0', '1001', '1,5'] },
  HEADGATE_REPLAY_RATE: { right: ['75', 75], wrong: ['0', '10001', '1.5', '100/s'] },
  HEADGATE_THREADS: { right: ['8', 8], wrong: ['1', '65', 'two'] },
  LOG_LEVEL: { right: ['debug', 'debug'], wrong: ['DEBUG', 'verbose', '3'] },
} as const satisfies Record<Name, { right: readonly [string, unknown]; wrong: readonly string[] }>;

const names = Object.keys(TEXTS) as Name[];

/** The problems of an environment, one line a variable. */
function problems(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  test('is complete without any variable', () => {
    const settings = readConfig({});
    for (const name of names) expect(settings[name]).toEqual(VARIABLES[name].fallback);
  });

  test.for(names)('%s is read', (name) => {
    const [text, value] = TEXTS[name].right;
    const others = name === 'DATABASE_URL' ? { HEADGATE_SEALING_KEYS: `k1:${KEY}` } : {};
    expect(readConfig({ ...others, [name]: text })[name]).toEqual(value);
  });

  test.for(names.flatMap((name) => TEXTS[name].wrong.map((text) => [name, text] as const)))(
    '%s cannot be %j, and the error names it',
    ([name, text]) => {
      expect(problems({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name}: \\S`))]);
    },
  );

  test('every wrong variable is reported at once', () => {
    const wrong = Object.fromEntries(names.map((name) => [name, TEXTS[name].wrong[0]]));
    expect(problems(wrong).map((line) => line.split(':')[0])).toEqual(names);
  });

  test('an empty variable counts as not set', () => {
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
  });

  test.for([
    ['HEADGATE_CONCURENCY', 'HEADGATE_CONCURRENCY'],
    ['HEADGATE_TREADS', 'HEADGATE_THREADS'],
    ['HEADGATE_BARND', 'HEADGATE_BRAND'],
    ['HEADGATE_PORT', 'PORT'],
    ['HEADGATE_DATABASE_URL', 'DATABASE_URL'],
  ] as const)('%s is refused, and %s is suggested', ([name, meant]) => {
    expect(problems({ [name]: '4' })).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  test('one slip of the pen in any name is refused, with the name that was meant', () => {
    const prefixed = names.filter((name) => name.startsWith('HEADGATE_'));
    const slip = fc.record({
      name: fc.constantFrom(...prefixed),
      at: fc.nat(),
      kind: fc.constantFrom('drop', 'double', 'swap', 'replace'),
    });
    fc.assert(
      fc.property(slip, ({ name, at, kind }) => {
        const i = 'HEADGATE_'.length + (at % (name.length - 'HEADGATE_'.length - 1));
        const [one, other] = [name.charAt(i), name.charAt(i + 1)];
        const written = { drop: '', double: one + one, swap: other + one, replace: 'Q' }[kind];
        const text = name.slice(0, i) + written + name.slice(kind === 'swap' ? i + 2 : i + 1);
        fc.pre(text !== name);
        expect(problems({ [text]: 'x' })).toEqual([`${text} is not a setting; did you mean ${name}?`]);
      }),
    );
  });

  test('a variable that is like no setting is refused, and others of the environment are not read', () => {
    expect(problems({ HEADGATE_COLOUR: 'red', HOME: '/root', PORTS: 'x' })).toEqual([
      'HEADGATE_COLOUR is not a setting; docs/host.md lists all settings',
    ]);
  });

  test('what Kubernetes sets for a service named headgate is not a setting, and refuses nothing', () => {
    const address = 'tcp://10.0.0.7:8080';
    const set = {
      HEADGATE_SERVICE_HOST: '10.0.0.7',
      HEADGATE_SERVICE_PORT: '8080',
      HEADGATE_SERVICE_PORT_HTTP: '8080',
      HEADGATE_PORT: address,
      HEADGATE_PORT_8080_TCP: address,
      HEADGATE_PORT_8080_TCP_PROTO: 'tcp',
      HEADGATE_PORT_8080_TCP_PORT: '8080',
      HEADGATE_PORT_8080_TCP_ADDR: '10.0.0.7',
      HEADGATE_HOST_PORT: address,
    };
    expect(problems(set)).toEqual([]);
  });

  test('Postgres needs sealing keys, which its processes share', () => {
    const url = 'postgres://db/c';
    expect(problems({ DATABASE_URL: url })).toEqual([
      expect.stringMatching(/^HEADGATE_SEALING_KEYS: required/),
    ]);
    expect(problems({ DATABASE_URL: url, HEADGATE_SEALING_KEYS: `k1:${KEY}` })).toEqual([]);
  });

  test('one endpoint cannot have more attempts in flight than the process', () => {
    const [few, many] = [{ HEADGATE_CONCURRENCY: '4' }, { HEADGATE_CONCURRENCY_PER_ENDPOINT: '5' }];
    expect(problems({ ...few, ...many })).toEqual([
      expect.stringMatching(/^HEADGATE_CONCURRENCY_PER_ENDPOINT: /),
    ]);
    expect(problems(few)).toEqual([]);
  });

  test('the buffer has room for four bodies', () => {
    const body = { HEADGATE_MAX_BODY_BYTES: '10000000' };
    expect(problems({ ...body, HEADGATE_BUFFER_BYTES: '39999999' })).toEqual([
      expect.stringMatching(/^HEADGATE_BUFFER_BYTES: give 40000000 at least/),
    ]);
    expect(problems({ ...body, HEADGATE_BUFFER_BYTES: '40000000' })).toEqual([]);
  });

  test('no error quotes a secret, whatever is wrong with it', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/:, ]{12,60}$/);
    fc.assert(
      fc.property(secret, (text) => {
        const all = { DATABASE_URL: text, HEADGATE_ADMIN_KEY: `${text} `, HEADGATE_SEALING_KEYS: text };
        for (const word of text.split(/[:, ]+/).filter((part) => part.length >= 12)) {
          expect(problems(all).join('\n')).not.toContain(word);
        }
      }),
    );
  });

  test('the service reads every variable', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('runtime/'),
    );
    const code = files.map((file) => readFileSync(join(SOURCES, file), 'utf8')).join('\n');
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
  });
});
