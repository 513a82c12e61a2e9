/** The built site: its files, and a server for them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { filesUnder } from '../files.js';

const SITE = join(import.meta.dirname, '../../docs/.vitepress/dist');

if (!existsSync(join(SITE, 'index.html'))) throw new Error('the site is not built: npm run docs builds it');

/** Addresses of all files of the site, such as `/rules.html`. */
export const files = filesUnder(SITE).map((path) => path.slice(SITE.length));

/** Addresses of all pages. */
export const pages = files.filter((path) => path.endsWith('.html'));

/** Text of a file of the site. */
export const read = (path: string): string => readFileSync(join(SITE, path), 'utf8');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** A file as a browser gets it. */
interface Served {
  readonly type: string;
  readonly body: Buffer;
  readonly encoding: 'br' | 'identity';
}

const served = new Map<string, Served | undefined>();

function serve(path: string): Served | undefined {
  if (!served.has(path)) served.set(path, compressed(path));
  return served.get(path);
}

function compressed(path: string): Served | undefined {
  const file = join(SITE, path.endsWith('/') ? `${path}index.html` : path);
  if (!file.startsWith(SITE) || !existsSync(file) || !statSync(file).isFile()) return undefined;
  const [body, type] = [readFileSync(file), TYPES[extname(file)] ?? 'application/octet-stream'];
  if (type === 'image/webp') return { type, body, encoding: 'identity' };
  return { type, body: brotliCompressSync(body), encoding: 'br' };
}

/** Bytes of a file as they are sent: compressed with Brotli, unless they are compressed already. */
export const weightOf = (path: string): number => serve(path)?.body.length ?? 0;

/** A server of the site. */
export interface SiteServer {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly close: () => void;
}

/** Serves the site on this machine, as a static host does. */
export async function serveSite(): Promise<SiteServer> {
  const server = createServer((request, response) => {
    const file = serve(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (file === undefined) response.writeHead(404).end();
    else {
      response
        .writeHead(200, { 'content-type': file.type, 'content-encoding': file.encoding })
        .end(file.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}
