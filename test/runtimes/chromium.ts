/** The checks on a page, in Chromium. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ended, inTime, started } from './children.js';

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
];

/** The host of the run is on another port; code may come from the page's own origin alone, and from no string. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self' ws://127.0.0.1:*",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "base-uri 'none'",
  'report-uri /violation',
].join('; ');

/**
 * The report of the page. Rejects unless the page violates its policy once, after it has reported: on purpose, so that
 * the policy is seen to hold.
 */
export async function onChromium(binary: string, folder: string): Promise<string> {
  const said = new Map<string, (text: string) => void>();
  const hear = (url: string): Promise<string> => new Promise((resolve) => said.set(url, resolve));
  const [report, violation] = [hear('/report'), hear('/violation')];
  const server = serve(readFileSync(join(folder, 'page.mjs')), (url, words) => said.get(url)?.(words));
  return await whileShown(binary, server, async () => {
    const violated = await violation;
    if (!violated.includes('wasm-eval')) throw new Error(`the page violates its policy: ${violated}`);
    return await report;
  });
}

/** Starts a server, shows its page in Chromium until something else is over, and ends both. */
export async function whileShown<T>(binary: string, server: Server, waiting: () => Promise<T>): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), 'headgate-chromium-'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const browser = started(binary, [...FLAGS, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`]);
  try {
    return await inTime(waiting(), 'chromium');
  } finally {
    await ended(browser);
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 50 });
  }
}

/** Serves the page, and tells what is posted. */
const serve = (script: Buffer, tell: (url: string, words: string) => void): Server =>
  createServer((request, response) => {
    const { url = '' } = request;
    if (request.method === 'POST') {
      void text(request).then((words) => {
        response.writeHead(204).end();
        tell(url, words);
      });
    } else if (url === '/page.mjs') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    } else {
      const page = '<!doctype html><title>Checks</title><script type="module" src="/page.mjs"></script>';
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': POLICY }).end(page);
    }
  });
