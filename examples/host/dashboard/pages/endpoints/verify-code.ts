/**
 * Code that verifies deliveries, for each framework, ready to be copied. It reads the secrets from the environment.
 * Pure.
 */
import type { SchemeOption } from 'headgate/signing';
import { LANGUAGES, STANDARD_LANGUAGES } from './verify-languages.js';

export interface Snippet {
  readonly name: string;
  /** Such as `index.ts`. */
  readonly file: string;
  readonly install: string | null;
  readonly code: string;
}

const INSTALL = 'npm install headgate';

/** Everything but the route: the same for all that use the package. */
const receiver = (
  secrets: string,
): string => `import { createMemorySeenStore, createReceiver } from 'headgate/receiver';

const receiver = createReceiver({
  secrets: ${secrets},
  // One process; take a store in your database where there are several.
  seen: createMemorySeenStore({ maxKeys: 100_000 }),
  handle: async (event) => {
    console.log(event.type, event.data);
  },
});
`;

const NODE = receiver(`(process.env.SIGNING_SECRETS ?? '').split(',')`);
const node = (before: string, after: string): string => `${before}${NODE}\n${after}\n`;

const fromPackage = (name: string, file: string, code: string, more = ''): Snippet => ({
  ...{ name, file, code },
  install: more === '' ? INSTALL : `${INSTALL} ${more}`,
});

const WORKER = `import { createReceiver } from 'headgate/receiver';

export default {
  fetch(request, env) {
    const receiver = createReceiver({
      secrets: env.SIGNING_SECRETS.split(','),
      handle: async (event) => {
        console.log(event.type, event.data);
      },
    });
    return receiver.fetch(request);
  },
};
`;

const FASTIFY = `const app = Fastify();

app.register(async (hooks) => {
  // Fastify's own parser would take the bytes that are signed.
  hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  hooks.post('/webhooks', receiver.node);
});

await app.listen({ port: 3000 });`;

const NEST = `// main.ts: const app = await NestFactory.create(AppModule, { rawBody: true });
@Controller('webhooks')
export class WebhooksController {
  @Post()
  take(@Req() request: Request, @Res() response: Response) {
    return receiver.node(request, response);
  }
}`;

export const SNIPPETS = {
  node: fromPackage(
    'node:http',
    'server.mjs',
    node(`import { createServer } from 'node:http';\n`, `createServer(receiver.node).listen(3000);`),
  ),
  express: fromPackage(
    'Express',
    'server.mjs',
    node(
      `import express from 'express';\n`,
      `const app = express();\n\n// Before any app.use(express.json()), which would take the bytes that are signed.\napp.post('/webhooks', receiver.node);\n\napp.listen(3000);`,
    ),
    'express',
  ),
  fastify: fromPackage('Fastify', 'server.mjs', node(`import Fastify from 'fastify';\n`, FASTIFY), 'fastify'),
  koa: fromPackage(
    'Koa',
    'server.mjs',
    node(
      `import Router from '@koa/router';\nimport Koa from 'koa';\n`,
      `const router = new Router();\nrouter.post('/webhooks', (ctx) => receiver.node(ctx.request, ctx.response));\n\n// Before any body parser.\nnew Koa().use(router.routes()).listen(3000);`,
    ),
    'koa @koa/router',
  ),
  nest: fromPackage(
    'NestJS',
    'webhooks.controller.ts',
    node(
      `import { Controller, Post, Req, Res } from '@nestjs/common';\nimport type { Request, Response } from 'express';\n`,
      NEST,
    ),
  ),
  next: fromPackage('Next.js', 'app/webhooks/route.ts', node('', `export const POST = receiver.fetch;`)),
  hono: fromPackage(
    'Hono',
    'index.ts',
    node(
      `import { Hono } from 'hono';\n`,
      `const app = new Hono();\napp.post('/webhooks', (c) => receiver.fetch(c.req.raw));\n\nexport default app;`,
    ),
    'hono',
  ),
  workers: fromPackage('Cloudflare Workers', 'src/index.js', WORKER),
  deno: {
    name: 'Deno',
    file: 'main.ts',
    install: 'deno add npm:headgate',
    code: `${receiver(`(Deno.env.get('SIGNING_SECRETS') ?? '').split(',')`)}\nDeno.serve(receiver.fetch);\n`,
  },
  bun: {
    name: 'Bun',
    file: 'index.ts',
    install: 'bun add headgate',
    code: `${receiver(`(Bun.env.SIGNING_SECRETS ?? '').split(',')`)}\nBun.serve({ port: 3000, fetch: receiver.fetch });\n`,
  },
  lambda: fromPackage('AWS Lambda', 'index.mjs', node('', `export const handler = receiver.lambda;`)),
  ...LANGUAGES,
} as const satisfies Record<string, Snippet>;

export type Framework = keyof typeof SNIPPETS;

/**
 * The code for an endpoint's signature. The package verifies each of them; by hand, Svc's is verified if there are two.
 */
export const snippetsFor = (signature: SchemeOption): Readonly<Record<Framework, Snippet>> =>
  signature === 'standard_webhooks' ? { ...SNIPPETS, ...STANDARD_LANGUAGES } : SNIPPETS;

export const FRAMEWORKS = Object.entries(SNIPPETS).map(([value, { name }]) => ({
  value: value as Framework,
  text: name,
}));
