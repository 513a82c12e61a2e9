/**
 * The classic mistakes: each ends in an answer that loses no event, and in a line that names the cause and the cure.
 */
import { expect, onTestFinished, test } from 'vitest';
import { builtApps, onBun, onDeno, onNode, onWorkerd, type App } from './apps.js';
import { start, type Running } from './running.js';
import { delivery, post } from './sending.js';

async function running(app: App): Promise<Running> {
  const started = await start(app);
  onTestFinished(started.stop);
  return started;
}

const JSON_BEFORE = 'Express: mount the receiver before express.json()';
const CLONE = 'other code has read the body before: let that code read request.clone()';

test.for<[App, string, string]>([
  [
    onNode('express.json() before the receiver, in Express 4', 'test/mistakes/express4.ts'),
    'body_parsed',
    JSON_BEFORE,
  ],
  [
    onNode('express.json() before the receiver, in Express 5', 'test/mistakes/express5.ts'),
    'body_parsed',
    JSON_BEFORE,
  ],
  [
    onNode("Fastify's own parser", 'test/mistakes/fastify.ts'),
    'body_parsed',
    'Fastify: addContentTypeParser(',
  ],
  [onNode('NestJS without rawBody', 'test/mistakes/nest.ts'), 'body_parsed', '{ rawBody: true }'],
  [
    onNode("node's request after a parser of Koa", 'test/mistakes/koa.ts'),
    'body_taken',
    'Koa: give it ctx.request and ctx.response',
  ],
  [
    onNode('koa-body', 'test/mistakes/koa-body.ts'),
    'body_parsed',
    'Koa: mount the receiver before the parser',
  ],
  [
    builtApps.next('the parser of Next.js, pages router', '/api/mistakes'),
    'body_parsed',
    'config = { api: { bodyParser: false } }',
  ],
  [
    onNode('receiver.fetch in Express', 'test/mistakes/express-fetch.ts'),
    'wrong_request',
    'use receiver.node',
  ],
  [onNode('receiver.node in Hono', 'test/mistakes/hono-node.ts'), 'wrong_request', 'use receiver.fetch'],
  [onNode('a body that was read, in Hono', 'test/mistakes/hono.ts'), 'body_taken', CLONE],
  [onBun('a body that was read, on Bun', 'test/mistakes/bun.ts'), 'body_taken', CLONE],
  [onDeno('a body that was read, on Deno', 'test/mistakes/deno.ts'), 'body_taken', CLONE],
  [onWorkerd('a body that was read, in a Worker', 'test/mistakes/worker.ts'), 'body_taken', CLONE],
  [builtApps.next('a body that was read, in Next.js', '/mistakes'), 'body_taken', CLONE],
  [builtApps.sveltekit('a body that was read, in SvelteKit', '/mistakes'), 'body_taken', CLONE],
  [builtApps.astro('a body that was read, in Astro', '/mistakes'), 'body_taken', CLONE],
  [builtApps.nitro('a body that was read, in Nitro', '/mistakes'), 'body_taken', CLONE],
  [builtApps.reactRouter('a body that was read, in React Router', '/mistakes'), 'body_taken', CLONE],
])('$0.name: the event comes again, and the log says what to do', async ([app, code, cure]) => {
  const app_ = await running(app);
  expect(await post(app_, delivery('evt_1'))).toBe(`503 ${code}`);
  await expect.poll(app_.printed).toContain(`ReceiverError ${code}: `);
  expect(app_.printed()).toContain(cure);
  expect(app_.printed()).not.toContain('booked');
});

test.for<App>([
  onNode('express.raw()', 'test/parsers/express-raw.ts'),
  onNode('express.text()', 'test/parsers/express-text.ts'),
  onNode('express.json() with verify', 'test/parsers/express-verify.ts'),
  onNode('@koa/bodyparser', 'test/parsers/koa.ts'),
  onNode('readBody() of h3 1', 'test/parsers/nuxt.ts'),
  onNode('a reader of a clone', 'test/parsers/hono-clone.ts'),
])('$name before the receiver keeps the bytes, so the delivery is handled', async (app) => {
  const app_ = await running(app);
  expect(await post(app_, delivery('evt_1'))).toBe('204');
  expect(await post(app_, delivery('evt_2', { padding: 1_048_576 }))).toMatch(/^413/);
  await expect.poll(app_.printed).toContain('booked live evt_1: 12 by Zoë');
});

test.for([' whsec_of_the_apps', 'whsec_of_the_apps\n', '"whsec_of_the_apps"', "'whsec_of_the_apps'"])(
  'a secret that was copied as %j is told so',
  async (SIGNING_SECRET) => {
    const app = await running(onNode('a framed secret', 'node.ts', { SIGNING_SECRET }));
    expect(await post(app, delivery('evt_1'))).toBe('400 signature_mismatch');
    await expect.poll(app.printed).toContain('a secret has a line break, blanks or quotes around it');
    expect(app.printed()).not.toContain('whsec');
  },
);

test.for(['', 'undefined'])(
  'a service whose secret is %j does not start, and says why',
  async (SIGNING_SECRET) => {
    const app = onNode('no secret', 'express5.ts', { SIGNING_SECRET });
    await expect(start(app)).rejects.toThrow(
      /secrets\[0\]: got .*; give text. Is the environment variable set\?/,
    );
  },
);

test('an app that looks its secret up for each request lets the delivery come again, and says why', async () => {
  const app = await running({ ...builtApps.astro('Astro', '/hooks'), env: { SIGNING_SECRET: '' } });
  expect(await post(app, delivery('evt_1'))).toBe('503 secrets_failed');
  await expect.poll(app.printed).toContain('Is the environment variable set?');
});
