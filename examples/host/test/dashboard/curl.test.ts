/** The command that sends a request again: real shells run it, and what curl is given is the request, byte for byte. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { curlOf, maskedNames, type SentRequest } from '../../dashboard/parts/exchange/curl.js';
import { contentOf } from '../../src/delivering/exchange.js';

const RUNS = 25;
const SHELLS = ['/bin/sh', '/bin/bash'].filter((path) => existsSync(path));
const CURL = '/usr/bin/curl';
const URL_OF = 'https://example.com/hooks';
const MASK = '••••••••';
const OWN = [
  { name: 'host', value: 'example.com' },
  { name: 'connection', value: 'keep-alive' },
  { name: 'Content-Type', value: 'application/json' },
  { name: 'User-Agent', value: 'svc-dispatcher/1' },
  { name: 'Svc-Signature', value: 't=1,v1=00ff' },
];

/** Prints its arguments, then what is piped to it, with a NUL after each. */
const STUB = `#!/bin/sh
printf '%s\\0' "$@"
printf '\\0'
for last; do :; done
if [ "$last" = '@-' ]; then cat; fi
`;
const folder = mkdtempSync(join(tmpdir(), 'headgate-curl-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'curl'), STUB);
chmodSync(join(folder, 'curl'), 0o755);

/** Runs a command as somebody who has pasted it. */
async function run(shell: string, command: string, path: string): Promise<Buffer> {
  const child = spawn(shell, { env: { PATH: path, LC_ALL: 'C' }, stdio: 'pipe' });
  child.stdin.end(`${command}\n`);
  const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  expect(err.toString()).toBe('');
  return out;
}

/** Runs a command with the stub instead of curl, and gives what that got. */
async function given(shell: string, command: string) {
  const out = await run(shell, command, `${folder}:${process.env.PATH ?? ''}`);
  const end = out.indexOf('\0\0');
  const words = out.subarray(0, end).toString('latin1').split('\0');
  const headers = words.flatMap((word, i) => (words[i - 1] === '-H' ? [word] : []));
  const raw = words.indexOf('--data-raw');
  const body = raw === -1 ? out.subarray(end + 2) : Buffer.from(words[raw + 1] ?? '', 'latin1');
  return { words, headers, body, url: words.find((word) => word.startsWith('http')) };
}

const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/).map((name) => `X-${name}`);
const byte = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f);
const hostile = fc.constantFrom(
  "'",
  '"',
  '\\',
  '$(id)',
  '`id`',
  '!!',
  ';',
  '&',
  '|',
  '<',
  '#',
  '~',
  '*',
  '\t',
  '%s',
);
const headerValue = fc
  .array(
    fc.oneof(
      byte.map((code) => String.fromCharCode(code)),
      hostile,
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join('').trim());
const header = fc.record({ name: token, value: headerValue });
const bytesOf = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => Buffer.from(text)),
  fc
    .array(fc.oneof(hostile, fc.constantFrom('\n', '\r\n', '\0', '@', '\u202e', 'é', '-', '{"a":1}')), {
      maxLength: 20,
    })
    .map((parts) => Buffer.from(parts.join(''))),
);
const target = fc
  .array(
    fc.oneof(fc.constantFrom('[', ']', '{a,b}', "'", '%27', '?', '&', '=', '$x', '!', '(', ')', ';'), token),
  )
  .map((parts) => `/hooks?${parts.join('')}`);

const commandOf = (request: SentRequest, url = URL_OF): string => {
  const command = curlOf(url, request);
  if (command === null) throw new Error('there is no command');
  return command;
};

describe.each(SHELLS)('in %s', (shell) => {
  test('any target, headers and body reach curl as they were sent', async () => {
    await fc.assert(
      fc.asyncProperty(target, fc.array(header, { maxLength: 4 }), bytesOf, async (path, more, bytes) => {
        const request = { target: path, headers: [...OWN, ...more], body: contentOf(bytes) };
        const { headers, body, url } = await given(shell, commandOf(request));
        expect(url).toBe(`https://example.com${path}`);
        expect(Buffer.compare(body, Buffer.from(bytes))).toBe(0);
        const sent = [...OWN.slice(2), ...more].map(({ name, value }) =>
          value === '' ? `${name};` : `${name}: ${value}`,
        );
        expect(headers.filter((one) => !one.endsWith(':') || sent.includes(one))).toEqual(sent);
      }),
      { numRuns: RUNS },
    );
  });

  test('a long body is piped, and nothing of a body is cut', async () => {
    for (const text of ['é'.repeat(400_000), `${'x'.repeat(90_000)}\n\n`, '', '\n', '@/etc/passwd', '-']) {
      const request = { target: '/', headers: OWN, body: contentOf(Buffer.from(text)) };
      expect((await given(shell, commandOf(request))).body.equals(Buffer.from(text))).toBe(true);
    }
  });
});

test('nothing that a terminal takes for a key, or that is invisible, is in a command', () => {
  fc.assert(
    fc.property(fc.array(header), bytesOf, (more, bytes) => {
      const request = { target: '/', headers: [...OWN, ...more], body: contentOf(bytes) };
      expect(commandOf(request).replaceAll('\n', '')).not.toMatch(/[\p{C}\u2028\u2029]/u);
    }),
  );
});

test('a masked value is a placeholder that names its header', async () => {
  const headers = [...OWN, { name: "X-Client's", value: MASK }, { name: 'Authorization', value: MASK }];
  const request = { target: '/', headers, body: contentOf(Buffer.from('{}')) };
  expect(maskedNames(request)).toEqual(["X-Client's", 'Authorization']);
  const command = commandOf(request);
  expect(command).not.toContain('•');
  const { headers: got } = await given('/bin/sh', command);
  expect(got).toContain("X-Client's: <value of X-Client's>");
  expect(got).toContain('Authorization: <value of Authorization>');
});

test('what curl adds by itself is left out, and the host is named only if it is another', async () => {
  const body = contentOf(Buffer.from('x'.repeat(2_000)));
  const { headers } = await given('/bin/sh', commandOf({ target: '/', headers: OWN, body }));
  expect(headers.filter((one) => one.endsWith(':'))).toEqual(['Accept:', 'Expect:']);
  expect(headers.join()).not.toMatch(/host|connection|content-length/i);
  const other = { target: '/', headers: [{ name: 'host', value: 'other.example' }], body };
  expect((await given('/bin/sh', commandOf(other))).headers).toContain('host: other.example');
});

test('without its body a request cannot be sent again', () => {
  expect(curlOf(URL_OF, { target: '/', headers: OWN, body: null })).toBeNull();
});

test.runIf(existsSync(CURL))('curl itself sends the same request', async () => {
  const got: { raw: readonly string[]; url: string | undefined; body: Buffer }[] = [];
  const server = createServer((message, response) => {
    void buffer(message).then((body) => {
      got.push({ raw: message.rawHeaders, url: message.url, body });
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const host = { name: 'host', value: `127.0.0.1:${port}` };
  await fc.assert(
    fc.asyncProperty(target, fc.array(header, { maxLength: 4 }), bytesOf, async (path, more, bytes) => {
      // As URL writes it: the target of a delivery has been through it.
      const { pathname, search } = new URL(path, URL_OF);
      const headers = [host, ...OWN.slice(1), ...more];
      const request = { target: pathname + search, headers, body: contentOf(bytes) };
      await run(
        '/bin/sh',
        commandOf(request, `http://127.0.0.1:${port}/`).replace(/(^|\| )curl /, '$1curl -sS '),
        process.env.PATH ?? '',
      );
      const { raw, url, body } = got.pop() ?? { raw: [], url: '', body: Buffer.alloc(0) };
      expect(url).toBe(request.target);
      expect(body.equals(Buffer.from(bytes))).toBe(true);
      const lines = raw.flatMap((name, i) =>
        i % 2 === 0 ? [`${name.toLowerCase()}: ${raw[i + 1] ?? ''}`] : [],
      );
      const isCurls = (line: string): boolean => /^(?:connection|content-length):/.test(line);
      const sent = headers.map(({ name, value }) => `${name.toLowerCase()}: ${value}`);
      expect(lines.filter((line) => !isCurls(line)).toSorted()).toEqual(
        sent.filter((line) => !isCurls(line)).toSorted(),
      );
    }),
    { numRuns: RUNS },
  );
});
