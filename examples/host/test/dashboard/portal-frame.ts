/**
 * A host behind TLS, and applications of another site that frame its portal, in a browser that blocks the cookies of
 * other sites.
 */
import { once } from 'node:events';
import { type RequestListener, request as plainRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { certificate } from '../../../../test/hostile/certificates.js';
import type { PortalRole } from '../../src/api/route.js';
import { type HostWorld, startHost, worldOf } from '../world.js';
import { newContext, PAGES } from './browser.js';
import { newDatabase } from './furnished.js';

const CERTIFIED = certificate(['DNS:localhost', 'IP:127.0.0.1']);
/** Set and shown by the front itself, to find out whether the browser blocks the cookies of other sites. */
const PROBE = '/probe';
const PROBED = 'probed=1; Path=/; Secure; HttpOnly; SameSite=None';

/** Everything that the tests of a process share. */
interface Stage {
  /** `https://localhost:…`, where the host is. */
  readonly host: string;
  /** `https://127.0.0.1:…`, an application that may frame the portal: another site, by its name. */
  readonly app: string;
  /** The same that may not. */
  readonly stranger: string;
  readonly world: () => Promise<HostWorld>;
}

let shared: Promise<Stage> | undefined;

/** Answers of the application by their paths, such as the scripts of a test. */
export const files = new Map<string, { readonly type: string; readonly text: string }>();

/** One host serves all tests of a process. */
export function stage(): Promise<Stage> {
  shared ??= makeStage();
  return shared;
}

async function makeStage(): Promise<Stage> {
  const before = { url: '' };
  const [host, app, stranger] = [
    await serving('localhost', front(before)),
    await serving('127.0.0.1', application),
    await serving('127.0.0.1', application),
  ];
  const db = await newDatabase();
  const environment = { PUBLIC_URL: host.origin, HEADGATE_FRAME_ANCESTORS: app.origin };
  const started = await startHost(db, environment, PAGES);
  before.url = started.url;
  return {
    ...{ host: host.origin, app: app.origin, stranger: stranger.origin },
    async world() {
      const made = await worldOf(started);
      // Addresses name the front, whose certificate Node does not take.
      return { ...made, send: (to, ...sent) => made.send(to.replace(host.origin, started.url), ...sent) };
    },
  };
}

async function serving(name: string, listener: RequestListener) {
  const server = createServer(CERTIFIED, listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { origin: `https://${name}:${(server.address() as AddressInfo).port}` };
}

/** Passes requests on to the host. */
const front =
  (before: { readonly url: string }): RequestListener =>
  (incoming, answer) => {
    const { method, url = '', headers } = incoming;
    if (url.startsWith(PROBE)) {
      answer.writeHead(200, { 'content-type': 'text/plain', ...(url === PROBE && { 'set-cookie': PROBED }) });
      answer.end(headers.cookie ?? '');
      return;
    }
    const passed = plainRequest(before.url + url, { method, headers });
    passed.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 0, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    incoming.pipe(passed);
  };

const application: RequestListener = (incoming, answer) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'https://app');
  const file = files.get(pathname);
  const frame = searchParams.get('frame') ?? '';
  const page = `<!doctype html><title>Application</title>
    <style>body { margin: 0 } iframe { border: 0; width: 100%; height: calc(100vh - 60px) }</style>
    <div><input aria-label="Before" autofocus /></div>
    <iframe title="Webhooks" src="${frame.replaceAll('"', '')}"></iframe>
    <div><button>After</button></div>`;
  answer.writeHead(200, { 'content-type': file?.type ?? 'text/html; charset=utf-8' });
  answer.end(file?.text ?? page);
};

/** A browser that blocks the cookies of other sites, and takes the certificates of the tests. */
export const strictBrowser = (width = 1_280, height = 800): Promise<BrowserContext> =>
  newContext({ width, height }, true);

/** Has the browser block the cookies of other sites in a page, as people choose it in its settings. */
export async function blockCookies(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send(
    'Network.setCookieControls' as never,
    {
      ...{ enableThirdPartyCookieRestriction: true, disableThirdPartyCookieMetadata: true },
      disableThirdPartyCookieHeuristics: true,
    } as never,
  );
}

/** The cookies that a frame of the host's site sends, when it has been given one that is not partitioned. */
export async function probed(page: Page): Promise<string> {
  const { host, app } = await stage();
  await page.goto(`${app}/?frame=${encodeURIComponent(host + PROBE)}`);
  const frame = await frameOf(page);
  return frame.evaluate(async (path) => (await fetch(path)).text(), `${PROBE}/shown`);
}

/** The frame of the page, once it is there. */
export async function frameOf(page: Page): Promise<Frame> {
  await expect.poll(() => page.frames().length).toBe(2);
  const frame = page.frames()[1]!;
  await frame.waitForLoadState();
  return frame;
}

/** Makes a link as the server of the application does. */
export async function portalUrl({ call, project }: HostWorld, role: PortalRole): Promise<string> {
  const { json } = await call('POST', `/projects/${project}/portal-links`, { role, name: 'Ada' });
  return json.url as string;
}

/** Opens the portal in a frame of the application, and fails the test on anything that it was refused. */
export async function framed(world: HostWorld, role: PortalRole): Promise<{ page: Page; frame: Frame }> {
  const { app } = await stage();
  const page = await (await strictBrowser()).newPage();
  await blockCookies(page);
  const refused = refusalsOf(page);
  onTestFinished(() => expect(refused).toEqual([]));
  await page.goto(`${app}/?frame=${encodeURIComponent(await portalUrl(world, role))}`);
  const frame = await frameOf(page);
  await frame.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
  return { page, frame };
}

/** Errors of a page and its frame, and answers that refuse what they ask for. */
export function refusalsOf(page: Page): readonly string[] {
  const refused: string[] = [];
  page.on('pageerror', ({ message }) => refused.push(message));
  page.on('console', (message) => {
    // A frame does not take the focus from the application; a dialog in it still gets it.
    const isKnown = message.text().startsWith('Blocked autofocusing');
    if (message.type() === 'error' && !isKnown) refused.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  return refused;
}
