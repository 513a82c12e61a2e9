/** Signing in for the first time, and after the link was lost: by what the process prints. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localUrl } from '../../src/runtime/address.js';
import { readCommand } from '../../src/runtime/command-line.js';
import { readConfig } from '../../src/runtime/config.js';
import { createSignInLink } from '../../src/sign-in.js';
import { ADMIN_KEY, hostOn } from '../world.js';
import { databases, type TestDatabase } from '../db/databases.js';
import { newFolder, runService, startService } from './service.js';

const [, postgres] = databases() as [TestDatabase, TestDatabase];
const LINK = /^ *(https?:\/\/\S+)\/sign-in#token=(hg_once_\w{49})$/m;

/** Signs in with a link, as its page does. */
async function signIn(url: string, printed: string): Promise<number> {
  const [, , token] = LINK.exec(printed) ?? [];
  const body = JSON.stringify({ token });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/session`, { method: 'POST', body, headers })).status;
}

test('a first start prints a link for people, outside of the log, and a later command another', async () => {
  const environment = { HEADGATE_DATA: join(newFolder(), 'data') };
  const first = startService(environment);
  const url = await first.url();
  await expect.poll(() => first.printed.err).toMatch(LINK);
  expect(LINK.exec(first.printed.err)?.[1]).toBe(url);
  expect(first.printed.out).not.toContain('hg_once_');
  expect(await signIn(url, first.printed.err)).toBe(201);
  expect(await signIn(url, first.printed.err)).toBe(401);

  // While the host runs, on its own port.
  const { port } = new URL(url);
  const again = await runService({ ...environment, PORT: port }, 'sign-in');
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('First project') as string });
  expect(again.out).toMatch(LINK);
  expect(LINK.exec(again.out)?.[1]).toBe(url);
  expect(await signIn(url, again.out)).toBe(201);
  first.child.kill('SIGTERM');
  expect(await first.exit).toBe(0);

  const second = startService(environment);
  await second.url();
  second.child.kill('SIGTERM');
  expect([await second.exit, second.printed.err]).toEqual([0, '']);
  // Only npx makes a key of the operator: an operator who leaves it out of the environment wants none.
  expect(readdirSync(environment.HEADGATE_DATA)).not.toContain('admin-key');
  expect(first.printed.out).toContain('"admin":"off"');
});

test('on Postgres the command needs a project, and asks which one if there are several', async () => {
  const options = postgres.create();
  const db = await options();
  if (!('postgres' in options.options)) throw new Error('not Postgres');
  const environment = {
    DATABASE_URL: options.options.postgres,
    HEADGATE_SCHEMA: options.options.schema ?? '',
    HEADGATE_SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    PUBLIC_URL: 'https://hooks.example.com',
  };
  const link = (project: string | null) => createSignInLink(readConfig(environment), project);
  await expect(link(null)).rejects.toThrow('there is no project yet');
  const host = await hostOn(db);
  const ended = await runService(environment, 'sign-in');
  expect(ended.out).toMatch(/^https:\/\/hooks\.example\.com\/sign-in#token=hg_once_\w{49}\n$/);
  expect(await signIn(host.url, ended.out)).toBe(201);

  await host.call('POST', '/projects', { name: 'Two', plan: 'pro' }, { key: ADMIN_KEY });
  await expect(link(null)).rejects.toThrow(`--project <id>:\n  ${host.project}  Test\n`);
  expect(await signIn(host.url, (await link(host.project)).url)).toBe(201);
  await expect(link('nobody')).rejects.toThrow('there is no project "nobody"');
});

test('a command that finds no database, or cannot name the address, makes nothing', async () => {
  const folder = newFolder();
  const environment = { HEADGATE_DATA: folder };
  await expect(createSignInLink(readConfig(environment), null)).rejects.toThrow('there is no database in');
  const anyPort = readConfig({ ...environment, PORT: '0' });
  await expect(createSignInLink(anyPort, null)).rejects.toThrow('set PUBLIC_URL');
  expect(readdirSync(folder)).toEqual([]);
});

test.for([
  [[], { name: 'serve', settings: {} }],
  [['--port', '80', '--host=::1'], { name: 'serve', settings: { PORT: '80', HOST: '::1' } }],
  [['sign-in'], { name: 'sign-in', settings: {}, project: null }],
  [['sign-in', '--project', 'p'], { name: 'sign-in', settings: {}, project: 'p' }],
  [['sign-in', '--data', 'a b'], { name: 'sign-in', settings: { HEADGATE_DATA: 'a b' }, project: null }],
  [['--help'], { name: 'help' }],
  [['-v'], { name: 'version' }],
] as const)('%j is read as %j', ([words, command]) => {
  expect(readCommand(words)).toEqual(command);
});

test.for([
  [['sign-in', '--project'], '--project'],
  [['sing-in'], 'there is no command "sing-in"'],
  [['sign-in', 'p'], 'there is no command "sign-in p"'],
  [['--project', 'x'], '--project belongs to the command sign-in'],
  [['--prot', '1'], /^Unknown option '--prot'$/],
  [['--port', 'http'], '--port: give a whole number from 0 to 65535'],
  [['--port', '-1'], '--port'],
  [['--data='], '--data: give a value'],
] as const)('%j is refused', ([words, says]) => {
  expect(() => readCommand(words)).toThrow(says);
});

test('a folder is refused beside a Postgres, where it would not be used', () => {
  const words = ['--data', 'folder'];
  expect(() => readCommand(words, { DATABASE_URL: 'postgres://db/c' })).toThrow('leave one of them out');
  expect(readCommand(words, { DATABASE_URL: '' }).name).toBe('serve');
});

test('a command line that cannot be understood exits with 2, and shows the usage', async () => {
  const ended = await runService({ HEADGATE_DATA: newFolder() }, 'sing-in');
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining('usage: ') as string });
});

test.for([
  ['0.0.0.0', 'http://localhost:80'],
  ['::', 'http://localhost:80'],
  ['::1', 'http://[::1]:80'],
  ['127.0.0.1', 'http://127.0.0.1:80'],
] as const)('what listens on %s is shown as %s', ([host, url]) => {
  expect(localUrl(host, 80)).toBe(url);
});
