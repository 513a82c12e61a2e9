/**
 * Serves the single-page application: its files, and its first page at every path that the application knows. The
 * portal is the same application under paths of its own, which other sites may frame.
 */
import type { Pages } from '../api/app.js';
import { hasTag } from '../api/etag.js';
import { unbuiltPage } from './unbuilt.js';
import { type Content, type Encoding, ENCODINGS, type PageFile, type PageFiles, readFiles } from './files.js';
import { headersFor, PAGE_HEADERS, type PageHeaders } from './policy.js';

const HOME = '/dashboard/';
const SIGN_IN = '/sign-in';
const FIRST_PAGE = 'index.html';
const PORTAL = '/portal';
const PORTAL_PAGE = 'portal.html';
/** The folder of first pages that name the scripts of their address, too: `first/dashboard/events/_.html`. */
const FIRST_PAGES = 'first';
const LAST_NAME = /[^/]*$/;
/** Nothing of the application lives below it, so a file that is not there is an error and not a page. */
const ASSETS = 'assets/';
const PATHS = ['/', SIGN_IN, `${HOME}*`, `${PORTAL}/*`] as const;

/** A year, the most that a cache heeds. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Kept, but asked for again each time, with the tag. */
const ASK_AGAIN = 'no-cache';

/**
 * @param folder - The folder of the built application; it is read now, and not again.
 * @param ancestors - Origins whose pages may frame the portal.
 */
export function createStaticFiles(folder?: string, ancestors: readonly string[] = []): Pages {
  const files = folder === undefined ? null : readFiles(folder);
  const first = files?.get(FIRST_PAGE);
  if (!files || first === undefined) return { paths: PATHS, answer: redirected(unbuiltPage) };
  const portal = files.get(PORTAL_PAGE) ?? first;
  const portalHeaders = headersFor(ancestors);
  const firstAt = (path: string): PageFile | undefined =>
    files.get(`${FIRST_PAGES}${path}.html`) ??
    files.get(`${FIRST_PAGES}${path.replace(LAST_NAME, '_')}.html`);
  return {
    paths: PATHS,
    answer: redirected((path, headers) =>
      isOfPortal(path)
        ? served(firstAt(path) ?? portal, headers, portalHeaders)
        : served(found(path, files, firstAt(path) ?? first), headers, PAGE_HEADERS),
    ),
  };
}

const isOfPortal = (path: string): boolean => path === PORTAL || path.startsWith(`${PORTAL}/`);

/** The addresses that people type lead to the application. */
const redirected =
  (answer: Pages['answer']): Pages['answer'] =>
  (path, headers) =>
    path === '/' || `${path}/` === HOME
      ? new Response(null, {
          status: 302,
          headers: { ...PAGE_HEADERS, location: HOME, 'cache-control': ASK_AGAIN },
        })
      : answer(path, headers);

function found(path: string, files: PageFiles, first: PageFile): PageFile | null {
  const name = path.startsWith(HOME) ? path.slice(HOME.length) : '';
  return files.get(name) ?? (name.startsWith(ASSETS) ? null : first);
}

function served(file: PageFile | null, given: Headers, common: PageHeaders): Response | null {
  if (file === null) return null;
  const { encoding, bytes, etag } = chosen(file, given.get('accept-encoding') ?? '');
  const headers = {
    ...common,
    etag,
    'cache-control': file.isImmutable ? FOREVER : ASK_AGAIN,
    vary: 'accept-encoding',
  };
  if (hasTag(given.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  return new Response(bytes, {
    headers: {
      ...headers,
      'content-type': file.type,
      'content-length': `${bytes.byteLength}`,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    },
  });
}

function chosen({ contents }: PageFile, accepted: string): Content & { readonly encoding: Encoding } {
  const names = accepted.split(',').map(acceptedName);
  const encoding = ENCODINGS.find((one) => names.includes(one) && contents[one] !== undefined) ?? 'identity';
  return { encoding, ...(contents[encoding] ?? contents.identity) };
}

/** The coding of one element of `Accept-Encoding`; empty if its weight is 0. */
function acceptedName(element: string): string {
  const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
  return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? '' : name;
}
