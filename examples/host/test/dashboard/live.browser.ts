/**
 * `Live` is shown only while it is true: hosts that are killed, and hosts that hang, are noticed, and are found again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type HostWorld, worldOf } from '../world.js';
import { PAGES, signedIn } from './browser.js';
import { assertLooks } from './looks.js';

const SCRIPT = join(import.meta.dirname, 'host-process.ts');

/** A host that can be killed and started again at the same address. */
async function killableHost() {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-live-'));
  let child: ChildProcess;
  const start = async (port = 0): Promise<string> => {
    child = fork(SCRIPT, [join(folder, 'host.db'), PAGES, `${port}`], { execArgv: ['--import', 'tsx'] });
    const [url] = (await once(child, 'message')) as [string];
    return url;
  };
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = await start();
  const host = undefined as never;
  const world = await worldOf({ url, host, stop: kill });
  return {
    world,
    kill,
    startAgain: () => start(Number(new URL(url).port)),
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => child.kill(signal),
  };
}

const badge = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const AWAY = 'The service cannot be reached.';

/** The list of events and a receiver, in two tabs of one browser: one of them has the connection. */
async function openPages(world: HostWorld): Promise<readonly [Page, Page]> {
  const made = await world.call('POST', `/projects/${world.project}/receivers`, { name: 'Mine' });
  const expects = [0, 500, 502, 503];
  const list = await signedIn(world, { expects });
  const path = `/dashboard/receivers/${made.json.id}`;
  const receiver = await signedIn(world, { path, beside: list, expects });
  for (const page of [list, receiver]) {
    await badge(page, 'Live').waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  }
  return [list, receiver];
}

async function expectLiveAgain(world: HostWorld, [list, receiver]: readonly [Page, Page]): Promise<void> {
  for (const page of [list, receiver]) {
    await badge(page, 'Live').waitFor();
    await expect.poll(() => page.getByText(AWAY).count()).toBe(0);
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  }
  const channel = await world.channel();
  const { json } = await world.send(channel.url, { kind: 'after' });
  await list.locator(`a[href$="${json.id}"]`).waitFor();
}

/** Says so in every tab, and nowhere says that it is live. */
async function expectLost(pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    await badge(page, 'Not live').waitFor();
    await page.getByText(AWAY).waitFor();
    expect(await badge(page, 'Live').count()).toBe(0);
  }
}

test('a killed host is noticed in every tab, and what comes after its restart appears without a reload', async () => {
  const host = await killableHost();
  const pages = await openPages(host.world);
  await host.kill();
  await expectLost(pages);
  await assertLooks(pages[0], 'events-away');
  await host.startAgain();
  await expectLiveAgain(host.world, pages);
});

test('a host that hangs closes nothing, and is noticed all the same', async () => {
  const host = await killableHost();
  const pages = await openPages(host.world);
  host.signal('SIGSTOP');
  await expectLost(pages);
  host.signal('SIGCONT');
  await expectLiveAgain(host.world, pages);
});

test('a page without a live list says that the service is away, and that it is back', async () => {
  const host = await killableHost();
  const page = await signedIn(host.world, { path: '/dashboard/rules', expects: [0, 500, 502, 503] });
  await page.getByRole('heading', { level: 1 }).waitFor();
  host.signal('SIGSTOP');
  await page.getByText(AWAY).waitFor();
  host.signal('SIGCONT');
  await expect.poll(() => page.getByText(AWAY).count()).toBe(0);
});

test('what is decided while the connection is down is in the list once it is back', async () => {
  const { world, ...host } = await killableHost();
  const list = await signedIn(world, { expects: [0, 500, 502, 503] });
  await badge(list, 'Live').waitFor();
  await list.route('**/tail', (route) => route.abort('connectionfailed'));
  await host.kill();
  await badge(list, 'Not live').waitFor();
  await host.startAgain();
  const channel = await world.channel();
  const { json } = await world.send(channel.url, { kind: 'meanwhile' });
  await expect
    .poll(async () => (await world.call('GET', `/projects/${world.project}/events/${json.id}`)).json.status)
    .toBe('processed');
  await list.unroute('**/tail');
  await badge(list, 'Live').waitFor();
  await list.locator(`a[href$="${json.id}"]`).waitFor();
});
