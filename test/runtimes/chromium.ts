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

/** The report of the page. */
export async function onChromium(binary: string, folder: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'headgate-chromium-'));
  let report: (json: string) => void = () => undefined;
  const reported = new Promise<string>((resolve) => (report = resolve));
  const server = serve(readFileSync(join(folder, 'page.mjs')), report);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const browser = started(binary, [...FLAGS, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`]);
  try {
    return await inTime(reported, 'chromium');
  } finally {
    await ended(browser);
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 50 });
  }
}

/** Serves the page, and takes its report. */
const serve = (script: Buffer, report: (json: string) => void): Server =>
  createServer((request, response) => {
    if (request.url === '/page.mjs') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    } else if (request.url === '/report') {
      void text(request).then((json) => {
        response.writeHead(204).end();
        report(json);
      });
    } else {
      const page = '<!doctype html><title>Checks</title><script type="module" src="/page.mjs"></script>';
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    }
  });
