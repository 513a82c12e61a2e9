/** The code that the pages give for receivers takes what the service signs, and refuses the rest. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigner, type SchemeOption } from 'headgate/signing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SNIPPETS, snippetsFor } from '../../dashboard/pages/endpoints/verify-code.js';
import { freePort } from '../../../../test/free-port.js';

/** For either signature. */
const [FIRST, SECOND, NOBODYS] = [1, 2, 3].map(
  (byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
) as [string, string, string];
const SECRETS = [FIRST, SECOND];
const ENVIRONMENT = { ...process.env, SIGNING_SECRETS: SECRETS.join(',') };
const BODY = JSON.stringify({ id: 'evt_1', type: 'order.created', data: { name: 'Ada\u00e9' } });

const signed = (scheme: SchemeOption, secret: string, at = Date.now()): Record<string, string> => ({
  'content-type': 'application/json',
  ...createSigner({ secrets: secret, scheme }).headers(BODY, {
    ...{ eventId: 'evt_1', eventType: 'order.created', origin: 'live' },
    timestamp: Math.floor(at / 1_000),
  }),
});

/** Requests, and the answers that a receiver must give. */
const casesOf = (scheme: SchemeOption) =>
  [
    ['of the first secret', signed(scheme, FIRST), 204],
    ['of the second secret', signed(scheme, SECOND), 204],
    ['of another secret', signed(scheme, NOBODYS), 400],
    ['that is too old', signed(scheme, FIRST, Date.now() - 400_000), 400],
    ['without a signature', { 'content-type': 'application/json' }, 400],
  ] as const;
const SCHEMES = ['svc', 'standard_webhooks', 'both'] as const;

/** A file beside the host's packages. It goes with the test. */
function written(name: string, code: string): string {
  const folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.verify-'));
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

/** By the snippet: the program that runs it, and its file. */
const SERVERS = [
  ['node', process.execPath, 'server.mjs'],
  ['python', 'python3', 'server.py'],
] as const;

describe('a server of its own', () => {
  test.for(SCHEMES.flatMap((scheme) => SERVERS.map((server) => [scheme, ...server] as const)))(
    'of deliveries signed with %s, %s answers 204 to what is genuine, and 400 to the rest',
    async ([scheme, name, command, file]) => {
      const port = await freePort();
      const { code } = snippetsFor(scheme)[name];
      const path = written(file, code.replace('.listen(3000)', `.listen(${port})`));
      const url = await running(command, path, port);
      for (const [title, headers, status] of casesOf(scheme)) {
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
      for (const [title, headers, status] of SCHEMES.flatMap(casesOf)) {
        const request = new Request('http://localhost/webhooks', { method: 'POST', headers, body: BODY });
        expect((await take(request)).status, title).toBe(status);
      }
    },
  );
});

test('no code has a secret in it', () => {
  for (const { code, name } of SCHEMES.flatMap((scheme) => Object.values(snippetsFor(scheme)))) {
    expect(code, name).toContain('SIGNING_SECRETS');
    expect(code, name).not.toMatch(/whsec_\w/);
  }
});
