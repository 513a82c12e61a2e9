/** The pages: their files, what may be kept and for how long, and what may never be reached through them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { definitions } from '../../src/api-table.js';
import { createApp } from '../../src/api/app.js';
import { createStaticFiles } from '../../src/static-files/static-files.js';
import { databases } from '../db/databases.js';
import { hostOn } from '../world.js';

const INDEX =
  '<!doctype html><title>Pages</title><script type="module" src="/dashboard/assets/a-12345678.js">';
const PORTAL = '<!doctype html><title>Portal</title>';
const SCRIPT = `export const words = ${JSON.stringify('word '.repeat(500))};\n`;
const OUTSIDE = 'nobody reads this';
const HIDDEN = 'nor this';
const PNG = Uint8Array.from({ length: 64 }, (_, i) => (i * 151) % 256);

/** A built application in a temporary folder, with a file beside it that must not be reached. */
function built(): string {
  const home = mkdtempSync(join(tmpdir(), 'headgate-pages-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folder = join(home, 'dashboard');
  const files = {
    'dashboard/index.html': INDEX,
    'dashboard/portal.html': PORTAL,
    ...Object.fromEntries(
      ['dashboard/events', 'dashboard/events/_', 'portal/events/_'].map((name) => [
        `dashboard/first/${name}.html`,
        `${INDEX}${name}`,
      ]),
    ),
    'dashboard/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'dashboard/assets/a-12345678.js': SCRIPT,
    'dashboard/assets/plain.css': 'body { color: red }',
    'dashboard/assets/dot-abcd_ef-.png': PNG,
    'dashboard/.hidden': HIDDEN,
    'secret.txt': OUTSIDE,
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
  return folder;
}

/** An application whose only routes are the pages. */
function appOf(folder?: string, ancestors: readonly string[] = []) {
  const app = createApp({
    ...{ routes: [], pages: createStaticFiles(folder, ancestors), now: Date.now, isStopping: () => false },
    ...{ authenticate: () => Promise.resolve(null), projectExists: () => Promise.resolve(false) },
    served: () => undefined,
  });
  return async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    app.fetch(new Request(`https://hooks.example.com${path}`, { method, headers, redirect: 'manual' }));
}

const SCRIPT_PATH = '/dashboard/assets/a-12345678.js';

describe('the pages', () => {
  test.for([
    ['/dashboard/', INDEX],
    ['/dashboard/events', `${INDEX}dashboard/events`],
    ['/dashboard/events/', `${INDEX}dashboard/events/_`],
    ['/dashboard/events/evt_1', `${INDEX}dashboard/events/_`],
    ['/dashboard/events/evt_1/more', INDEX],
    ['/dashboard/events/..', INDEX],
    ['/dashboard/no/such/page', INDEX],
    ['/sign-in', INDEX],
    ['/portal/events', PORTAL],
    ['/portal/events/evt_1', `${INDEX}portal/events/_`],
  ] as const)('%s is the application', async ([path, page]) => {
    const response = await appOf(built())(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(page);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  test.for(['/', '/dashboard'])('%s leads to the application', async (path) => {
    for (const folder of [built(), undefined]) {
      const response = await appOf(folder)(`${path}?next=//evil.example`);
      expect([response.status, response.headers.get('location')]).toEqual([302, '/dashboard/']);
    }
  });

  test.for([
    ['assets/a-12345678.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['assets/dot-abcd_ef-.png', 'image/png', 'public, max-age=31536000, immutable'],
    ['assets/plain.css', 'text/css; charset=utf-8', 'no-cache'],
    ['icon.svg', 'image/svg+xml', 'no-cache'],
    ['index.html', 'text/html; charset=utf-8', 'no-cache'],
  ])('%s is %s, to be kept as %s', async ([name, type, kept]) => {
    const { status, headers } = await appOf(built())(`/dashboard/${name}`);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, kept]);
  });

  test('an asset that is not there is an error that nobody keeps, and not the application', async () => {
    const response = await appOf(built())('/dashboard/assets/gone-12345678.js');
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  test('every answer has the policy, which trusts this host alone and no text as script', async () => {
    const get = appOf(built());
    const answers = [
      ...(await Promise.all(['/', '/sign-in', '/dashboard/events', SCRIPT_PATH].map((path) => get(path)))),
      await appOf()('/dashboard/'),
      await get(SCRIPT_PATH, { 'if-none-match': (await get(SCRIPT_PATH)).headers.get('etag') ?? '' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([302, 200, 200, 200, 404, 304]);
    for (const { headers } of answers) {
      const policy = (headers.get('content-security-policy') ?? '').split('; ');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).toContain("trusted-types 'none'");
      for (const name of ['frame-ancestors', 'form-action', 'base-uri']) {
        expect(policy).toContain(`${name} 'none'`);
      }
      expect(policy.join()).not.toMatch(/unsafe|http|data:|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    }
  });

  test('nobody frames the portal until origins are named, and nobody ever frames the dashboard', async () => {
    const [app, other] = ['https://app.example.com', 'https://other.example.com'];
    const shut = appOf(built());
    for (const path of ['/portal', '/portal/', '/portal/events']) {
      const { headers } = await shut(path);
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      const response = await appOf(built(), [app, other])(path);
      expect(await response.text()).toBe(PORTAL);
      expect(response.headers.get('x-frame-options')).toBeNull();
      const policy = (response.headers.get('content-security-policy') ?? '').split('; ');
      expect(policy).toContain(`frame-ancestors ${app} ${other}`);
      expect(policy.filter((one) => !one.startsWith('frame-ancestors'))).toEqual(
        (headers.get('content-security-policy') ?? '')
          .split('; ')
          .filter((one) => !one.startsWith('frame-ancestors')),
      );
    }
    for (const path of ['/', '/sign-in', '/dashboard/', '/dashboard/portal.html', '/portals', SCRIPT_PATH]) {
      const { headers } = await appOf(built(), [app])(path);
      expect([path, headers.get('content-security-policy') ?? '']).toEqual([
        path,
        path === '/portals' ? '' : expect.stringContaining("frame-ancestors 'none'"),
      ]);
    }
  });

  test.for([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['br; q=0.000', null],
    ['deflate', null],
    ['', null],
  ] as const)('who accepts %j gets %s, with a tag of its own', async ([accepted, encoding]) => {
    const get = appOf(built());
    const response = await get(SCRIPT_PATH, { 'accept-encoding': accepted });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { headers } = response;
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'accept-encoding']);
    expect(headers.get('content-length')).toBe(`${bytes.byteLength}`);
    const undone = { br: brotliDecompressSync, gzip: gunzipSync };
    expect((encoding === null ? bytes : undone[encoding](bytes)).toString()).toBe(SCRIPT);
    if (encoding !== null) expect(bytes.byteLength).toBeLessThan(SCRIPT.length);
    const whole = await get(SCRIPT_PATH, { 'accept-encoding': 'identity' });
    expect(whole.headers.get('etag') === headers.get('etag')).toBe(encoding === null);
  });

  test('what compressing would make larger goes as it is', async () => {
    const response = await appOf(built())('/dashboard/assets/dot-abcd_ef-.png', {
      'accept-encoding': 'br, gzip',
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG);
  });

  test('who has the version already gets 304, with the same tag and nothing else', async () => {
    const get = appOf(built());
    for (const path of ['/dashboard/events', SCRIPT_PATH]) {
      const first = await get(path, { 'accept-encoding': 'gzip' });
      const etag = first.headers.get('etag') ?? '';
      const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': `"other", W/${etag}` });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
      expect((await get(path, { 'accept-encoding': 'gzip', 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  test('only GET and HEAD are taken', async () => {
    for (const path of ['/', '/sign-in', '/dashboard', '/dashboard/events', SCRIPT_PATH]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await appOf(built())(path, {}, method);
        expect([path, method, response.status, response.headers.get('allow')]).toEqual([
          ...[path, method, 405],
          'GET, HEAD',
        ]);
      }
    }
  });

  test('until they are built, each of them says how that is done', async () => {
    const missing = join(tmpdir(), 'headgate-pages-that-are-not-there');
    for (const folder of [undefined, missing]) {
      for (const path of ['/dashboard/', '/dashboard/events', '/sign-in', SCRIPT_PATH]) {
        const response = await appOf(folder)(path);
        expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
        expect(await response.text()).toContain('npm run build:dashboard');
      }
    }
  });

  test('no path reaches a file that is not of the application', async () => {
    const get = appOf(built());
    const piece = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2E.',
      '..%2f',
      '%5c..',
      '..\\',
      '',
      'assets',
      'secret.txt',
      '.hidden',
      '%2ehidden',
      'index.html',
      '%00',
      '%c0%ae',
      'dashboard',
      '__proto__',
      'constructor',
      '%',
      ':',
      '*',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const response = await get(`/dashboard/${pieces.join('/')}`);
        expect(response.status).toBeLessThan(500);
        const told = await response.text();
        expect(told.includes(OUTSIDE) || told.includes(HIDDEN)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('no route of the API lives where the pages do', () => {
    const pages = definitions.filter(({ path }) => /^\/(?:$|sign-in|dashboard|portal(?:$|\/))/.test(path));
    expect(pages).toEqual([]);
  });
});

describe.each(databases().slice(0, 1))('over a socket', ({ open }) => {
  test('HEAD describes what GET would send, without sending it', async () => {
    const { url } = await hostOn(await open(), {}, built());
    const asked = (method: string) =>
      new Promise<readonly [Readonly<Record<string, unknown>>, string]>((resolve, reject) => {
        request(url + SCRIPT_PATH, { method, headers: { 'accept-encoding': 'gzip' } }, (response) => {
          text(response).then((body) => resolve([{ ...response.headers, date: '' }, body]), reject);
        })
          .on('error', reject)
          .end();
      });
    const [[got], [told, body]] = [await asked('GET'), await asked('HEAD')];
    expect(told).toEqual(got);
    expect(told).toMatchObject({ 'content-encoding': 'gzip' });
    expect(body).toBe('');
  });

  test('a path that climbs is neither a page nor a file, however it is written', async () => {
    const { url } = await hostOn(await open(), {}, built());
    for (const path of [
      '/dashboard/../secret.txt',
      '/dashboard/%2e%2e/secret.txt',
      '/dashboard/assets/../../secret.txt',
      '/dashboard/..%2fsecret.txt',
      '//dashboard/',
      '/dashboard/assets/..\\..\\..\\secret.txt',
      `${url}/../secret.txt`,
    ]) {
      const answer = await raw(
        url,
        `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|404) /);
      expect(answer).not.toContain(OUTSIDE);
    }
  });
});

/** The answer to a text that is sent on a socket of its own. */
function raw(url: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(sent);
  return text(socket);
}
