/** The built pages, read into memory once: what is asked for is looked up by its name, and no path reaches the disk. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { etagOf } from '../api/etag.js';

/** How the content of an answer is written, best first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** One file, ready to be sent. */
export interface PageFile {
  readonly type: string;
  /** True if the name has a hash of the content in it, so that the content never changes. */
  readonly isImmutable: boolean;
  /** Compressed only if that makes it smaller. */
  readonly contents: Partial<Record<Encoding, Content>> & { readonly identity: Content };
}

/** The bytes of one encoding. */
export interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Files by their path below the folder, with `/` between names. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const UNKNOWN_TYPE = 'application/octet-stream';

/** As the bundler writes it: `assets/EventsPage-Dx3k_9aB.js`. */
const HASHED = /^assets\/.+-[\w-]{8}\.\w+(?:\.map)?$/;

/** Nearly as small as 11, in a twentieth of the time: 18 ms of processor time for 400 kB. */
const BROTLI_QUALITY = 9;

/** Reads a folder; null if it is not there. Names that begin with a dot are left out. */
export function readFiles(folder: string): PageFiles | null {
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep))
    .filter((parts) => !parts.some((part) => part.startsWith('.')));
  return new Map(names.map((parts) => [parts.join('/'), fileOf(folder, parts)]));
}

function fileOf(folder: string, parts: readonly string[]): PageFile {
  const name = parts.join('/');
  return {
    type: TYPES[extname(name)] ?? UNKNOWN_TYPE,
    isImmutable: HASHED.test(name),
    contents: contentsOf(readFileSync(join(folder, ...parts))),
  };
}

function contentsOf(bytes: Buffer<ArrayBuffer>): PageFile['contents'] {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: windowFor(bytes.length),
  };
  const [br, gzip] = [brotliCompressSync(bytes, { params }), gzipSync(bytes, { level: 9 })];
  return {
    identity: contentOf(bytes),
    ...(br.length < bytes.length && { br: contentOf(br) }),
    ...(gzip.length < bytes.length && { gzip: contentOf(gzip) }),
  };
}

/**
 * The base-2 logarithm of the smallest window that holds a file. The default takes megabytes for each file, and
 * clearing them takes seconds for all pages.
 */
const windowFor = (size: number): number =>
  Math.min(
    constants.BROTLI_MAX_WINDOW_BITS,
    Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(size + 16))),
  );

const contentOf = (bytes: Buffer<ArrayBuffer>): Content => ({ bytes, etag: etagOf(bytes) });
