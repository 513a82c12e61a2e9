/**
 * The guide to tracing, followed to the letter: a sender, the service and a receiver, each a process that prints its
 * spans.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../../../test/until.js';
import { listening } from '../started.js';
import { startService } from './service.js';

const HOST = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(HOST, '../../docs/tracing.md'), 'utf8');

/** Writes the files of the guide where their imports are found. */
function guideFolder(): string {
  const folder = mkdtempSync(join(HOST, 'node_modules/.tracing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [, name = '', text = ''] of GUIDE.matchAll(/^```js\n\/\/ (\S+)\n([^`]*(?:`[^`]+)*?)^```$/gm)) {
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await listening(server));
  server.close();
  return port;
}

/** Runs a file of the guide as the guide says. The process ends with the test. */
function run(folder: string, file: string, environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, ['--import', './telemetry.mjs', file], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = { out: '' };
  child.stdout?.on('data', (chunk: Buffer) => (printed.out += chunk.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  return printed;
}

/** The spans that the console exporter has printed: the name and the trace of each. */
const spansIn = (out: string) =>
  [...out.matchAll(/traceId: '(\w+)'[^]*?name: '([^']+)'/g)].map(([, traceId, name]) => ({ traceId, name }));

test('the sender, the host and the receiver print spans of one trace', async () => {
  const folder = guideFolder();
  const port = await freePort();
  const service = startService({
    HEADGATE_DATA: folder,
    HEADGATE_ALLOW: '127.0.0.0/8',
    HEADGATE_ADMIN_KEY: 'an-admin-key-that-only-tests-have-0123456789',
    OTEL_SERVICE_NAME: 'headgate',
    NODE_OPTIONS: `--import ${join(folder, 'telemetry.mjs')}`,
  });
  const url = await service.url();
  let key = 'an-admin-key-that-only-tests-have-0123456789';
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as never;
  };
  const made: { key: string; project: { id: string } } = await call('POST', '/projects', { name: 'p' });
  const project = made.project.id;
  key = made.key;
  const channels: { items: { id: string }[] } = await call('GET', `/projects/${project}/channels`);
  const secrets: { items: { secret: string }[] } = await call(
    'GET',
    `/projects/${project}/channels/${channels.items[0]?.id}/secrets`,
  );
  await call('POST', `/projects/${project}/endpoints`, { url: `http://127.0.0.1:${port}/` });
  const receiver = run(folder, 'receiver.mjs', {
    SIGNING_SECRET: secrets.items[0]?.secret ?? '',
    PORT: port,
  });
  const sender = run(folder, 'sender.mjs', {
    HEADGATE_URL: url,
    HEADGATE_PROJECT: project,
    HEADGATE_KEY: key,
  });
  await until(() => spansIn(receiver.out).length > 0 && spansIn(sender.out).length > 0);
  const [{ traceId } = { traceId: '' }] = spansIn(sender.out);
  const inTrace = (out: string) => spansIn(out).filter((span) => span.traceId === traceId);
  await until(() => inTrace(service.printed.out).length >= 3);
  expect(inTrace(sender.out).map(({ name }) => name)).toEqual(['sender']);
  expect(inTrace(receiver.out).map(({ name }) => name)).toEqual(['handler']);
  const names = new Set(inTrace(service.printed.out).map(({ name }) => name));
  expect(names).toEqual(
    new Set(['headgate.event.ingest', 'headgate.event.decide', 'headgate.delivery.attempt']),
  );
});
