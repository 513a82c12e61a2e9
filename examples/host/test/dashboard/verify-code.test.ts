/** The code that the pages give for receivers takes what the service signs, and refuses the rest. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigner } from 'headgate/signing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SNIPPETS } from '../../dashboard/pages/endpoints/verify-code.js';
import { freePort } from '../../../../test/free-port.js';

const SECRETS = ['whsec_of_one_channel', 'whsec_of_another'];
const ENVIRONMENT = { ...process.env, SIGNING_SECRETS: SECRETS.join(',') };
const BODY = JSON.stringify({ id: 'evt_1', type: 'order.created', data: { name: 'Ada\u00e9' } });

const signed = (secret: string, at = Date.now()): Record<string, string> => ({
  'content-type': 'application/json',
  ...createSigner({ secrets: secret }).headers(BODY, {
    ...{ eventId: 'evt_1', eventType: 'order.created', origin: 'live' },
    timestamp: Math.floor(at / 1_000),
  }),
});

/** Requests, and the answers that a receiver must give. */
const CASES = [
  ['of the first secret', signed(SECRETS[0] ?? ''), 204],
  ['of the second secret', signed(SECRETS[1] ?? ''), 204],
  ['of another secret', signed('whsec_of_nobody'), 400],
  ['that is too old', signed(SECRETS[0] ?? '', Date.now() - 400_000), 400],
  ['without a signature', { 'content-type': 'application/json' }, 400],
] as const;

/** A file beside the host's packages. It goes with the test. */
function written(name: string, code: string): string {
  const folder = mkdtempSync(join(import.meta.dirname, '../../verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

/** Runs a server, and gives its URL once it answers. */
async function running(command: string, file: string, port: number): Promise<string> {
  const child = spawn(command, [file], { env: { ...ENVIRONMENT, PORT: `${port}` }, stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  const url = `http://127.0.0.1:${port}/webhooks`;
  await expect
    .poll(() =>
      fetch(url, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(400);
  return url;
}

/** By the snippet: the program that runs it, and its file. Python is not everywhere. */
const SERVERS = (
  [
    ['node', process.execPath, 'server.mjs'],
    ['python', 'python3', 'server.py'],
  ] as const
).filter(([, command]) => spawnSync(command, ['--version']).status === 0);

describe('a server of its own', () => {
  test.for(SERVERS)(
    '%s answers 204 to what is genuine, and 400 to the rest',
    async ([name, command, file]) => {
      const port = await freePort();
      const path = written(file, SNIPPETS[name].code.replace('.listen(3000)', `.listen(${port})`));
      const url = await running(command, path, port);
      for (const [title, headers, status] of CASES) {
        const answer = await fetch(url, { method: 'POST', headers, body: BODY });
        expect(answer.status, title).toBe(status);
      }
    },
  );
});

describe('a function of a platform', () => {
  type Take = (request: Request) => Promise<Response>;
  test.for([
    ['next', (made: { POST: Take }) => made.POST],
    [
      'workers',
      (made: { default: { fetch: (request: Request, env: object) => Promise<Response> } }): Take =>
        (request) =>
          made.default.fetch(request, { SIGNING_SECRETS: SECRETS.join(',') }),
    ],
  ] as [keyof typeof SNIPPETS, (made: never) => Take][])(
    '%s answers 204 to what is genuine',
    async ([name, takeOf]) => {
      process.env.SIGNING_SECRETS = SECRETS.join(',');
      const take = takeOf(
        (await import(/* @vite-ignore */ written('route.mjs', SNIPPETS[name].code))) as never,
      );
      for (const [title, headers, status] of CASES) {
        const request = new Request('http://localhost/webhooks', { method: 'POST', headers, body: BODY });
        expect((await take(request)).status, title).toBe(status);
      }
    },
  );
});

test('no code has a secret in it', () => {
  for (const { code, name } of Object.values(SNIPPETS)) {
    expect(code, name).toContain('SIGNING_SECRETS');
    expect(code, name).not.toContain('whsec_');
  }
});
