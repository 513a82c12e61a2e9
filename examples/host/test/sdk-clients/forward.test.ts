/** `headgate listen --forward-to`, from the built package, with a host and an app. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, receiver } from '../world.js';

const COMMAND = join(
  dirname(createRequire(import.meta.url).resolve('headgate/package.json')),
  'dist/cli/index.js',
);

/** Runs the command; it ends with the test. */
function running(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { ...process.env, ...env } });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (printed.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (printed.err += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  const interrupt = (): Promise<number | null> => {
    child.kill('SIGINT');
    return ended;
  };
  return { printed, ended, interrupt };
}

test('live events are forwarded to an app as endpoints get them, each once, and signed', async () => {
  const [sqlite] = databases();
  const world = await hostOn(await sqlite!.open());
  const { project, url, key } = world;
  const match = { path: 'data.body.n', op: 'eq', value: 2 };
  const drop = { name: 'Not 2', stage: 'deliver', match, priority: 1, action: { type: 'drop' } };
  await world.call('POST', `/projects/${project}/rules`, drop);
  const channel = await world.channel();
  await world.send(channel.url, { n: 0 });
  const app = await receiver();
  const args = ['listen', '--forward-to', app.url, '--from', url, '--data', '--scheme', 'both'];
  const { printed, interrupt } = running(args, { HEADGATE_KEY: key });
  await expect.poll(() => printed.err).toMatch(/forwarding events to .*\nsecret of this run: whsec_\S+\n/);
  const [, secret = ''] = /secret of this run: (\S+)/.exec(printed.err) ?? [];
  for (let n = 1; n <= 3; n++) await world.send(channel.url, { n });
  await expect.poll(() => app.got).toHaveLength(2);
  for (const { verify, headers } of app.got) {
    verify(secret);
    expect(headers['webhook-signature']).toBeDefined();
  }
  expect(app.got.map(({ event }) => event.data.body.n as number).sort()).toEqual([1, 3]);
  expect(app.got[0]!.event).toMatchObject({ status: 'processed', channel: { id: channel.id } });
  app.answer = 500;
  await world.send(channel.url, { n: 4 });
  await expect.poll(() => printed.out).toMatch(/<-- 500 http_status \d+ ms/);
  expect(await interrupt()).toBe(0);
  expect(printed.out).toMatch(/^--> webhook\.received evt_\w+\n {4}\{.*"n":[13]\}.*\n<-- 204 \d+ ms\n/);
  expect(printed.err).toContain('3 events, 2 accepted');
  expect(printed.out + printed.err).not.toContain(key);
  // An app that fails does not get the event again: the terminal shows what it did.
  expect(app.got).toHaveLength(3);
});

test('a key that is revoked ends it, with the reason', async () => {
  const [sqlite] = databases();
  const world = await hostOn(await sqlite!.open());
  const under = `/projects/${world.project}/keys`;
  const made = (await world.call('POST', under, { name: 'cli', scopes: ['receive'] })).json;
  const app = await receiver();
  const args = ['listen', '--forward-to', app.url, '--from', world.url];
  const { printed, ended } = running(args, {
    HEADGATE_KEY: made.key as string,
    HEADGATE_SECRET: 'whsec_test',
  });
  await expect.poll(() => printed.err).toContain('forwarding events');
  await world.call('DELETE', `${under}/${made.id as string}`);
  expect(await ended).toBe(2);
  expect(printed.err).toContain('headgate: ');
  expect(printed.err).not.toContain('whsec_test');
  expect(printed.err).not.toContain('this should not have happened');
});
