/** The apps, and the command that serves each. */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build as bundle } from 'esbuild';

/** An app. */
export interface App {
  readonly name: string;
  /** The location of its receiver. */
  readonly path: string;
  /** Words of the command that serves it. */
  readonly serve: (port: number) => readonly string[] | Promise<readonly string[]>;
  /** Its folder in {@link BUILT}, where it has a build of its own. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The framework parses every body before the app sees it, and answers by itself what it cannot parse. */
  readonly parsesFirst?: boolean;
}

export const SECRET = 'whsec_of_the_apps';
/** The folder of this package. */
export const HOME = resolve(import.meta.dirname, '..');
/** Copies of the folders that are built, with the mistakes of the tests beside. */
export const BUILT = join(HOME, '.built');

const ARM = process.arch === 'arm64';

/** The binary of a runtime, which the tests of runtimes have installed. */
function runtime(path: string): string {
  const binary = resolve(HOME, '../../test/runtimes/node_modules', path);
  if (existsSync(binary)) return binary;
  throw new Error(`${binary} is missing: run \`npm ci --ignore-scripts --prefix test/runtimes\``);
}

/** A file that Node runs. */
export const onNode = (name: string, file: string, env?: Readonly<Record<string, string>>): App => ({
  name,
  path: '/hooks',
  serve: () => [process.execPath, '--import', 'tsx', join(HOME, file)],
  ...(env !== undefined && { env }),
});

export const onBun = (name: string, file: string): App => ({
  name,
  path: '/hooks',
  serve: () => [runtime(`@oven/bun-linux-${ARM ? 'aarch64' : 'x64'}/bin/bun`), join(HOME, file)],
});

export const onDeno = (name: string, file: string): App => ({
  name,
  path: '/hooks',
  serve: () => [
    runtime(`@deno/linux-${ARM ? 'arm64' : 'x64'}-glibc/deno`),
    ...['run', '--no-lock', '--allow-net', '--allow-env', '--allow-read', join(HOME, file)],
  ],
});

/** A Worker, bundled as wrangler would. */
export const onWorkerd = (name: string, file: string, flags: readonly string[] = []): App => ({
  name,
  path: '/hooks',
  serve: async (port) => {
    const module = `worker-${port}.mjs`;
    await bundle({
      entryPoints: [join(HOME, file)],
      outfile: join(BUILT, module),
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker'],
      external: ['cloudflare:workers'],
      tsconfigRaw: '{}',
    });
    const config = join(BUILT, `worker-${port}.capnp`);
    writeFileSync(config, capnp(port, module, flags));
    return [runtime(`@cloudflare/workerd-linux-${ARM ? 'arm64' : '64'}/bin/workerd`), 'serve', config];
  },
});

const capnp = (port: number, module: string, flags: readonly string[]): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "${module}", esModule = embed "${module}")],
  bindings = [(name = "SIGNING_SECRET", text = "${SECRET}")],
  compatibilityDate = "2025-06-01",
  compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}],
);
`;

const bin = (name: string): string => join(HOME, 'node_modules/.bin', name);
const built = (file: string): string => join(BUILT, file);

/** The folders that are built, and the command that does it in each. */
export const BUILDS: Readonly<Record<string, readonly string[]>> = {
  next: [bin('next'), 'build'],
  sveltekit: [bin('vite'), 'build', '--logLevel', 'warn'],
  astro: [bin('astro'), 'build'],
  nitro: [bin('nitro'), 'build'],
  'react-router': [bin('react-router'), 'build'],
};

const NEXT = { folder: 'next', serve: (port: number) => [bin('next'), 'start', '-p', `${port}`] };

/** The apps with a build, by a name and the path of the receiver. */
export const builtApps = {
  next: (name: string, path: string): App => ({ name, path, ...NEXT }),
  sveltekit: (name: string, path: string): App => ({
    ...{ name, path, folder: 'sveltekit' },
    serve: () => [process.execPath, built('sveltekit/build/index.js')],
    // Its own limit is 512 kB.
    env: { BODY_SIZE_LIMIT: '1M' },
  }),
  astro: (name: string, path: string): App => ({
    ...{ name, path, folder: 'astro' },
    serve: () => [process.execPath, built('astro/dist/server/entry.mjs')],
  }),
  nitro: (name: string, path: string): App => ({
    ...{ name, path, folder: 'nitro' },
    serve: () => [process.execPath, built('nitro/.output/server/index.mjs')],
  }),
  reactRouter: (name: string, path: string): App => ({
    ...{ name, path, folder: 'react-router' },
    serve: () => [bin('react-router-serve'), built('react-router/build/server/index.js')],
  }),
};

/** Every app of this package. */
export const apps: readonly App[] = [
  onNode('node:http', 'node.ts'),
  onNode('Express 4', 'express4.ts'),
  onNode('Express 5', 'express5.ts'),
  onNode('Fastify', 'fastify.ts'),
  onNode('Koa', 'koa.ts'),
  { ...onNode('NestJS', 'nest.ts'), parsesFirst: true },
  onNode('Hono', 'hono.ts'),
  onNode('Nuxt', 'nuxt.ts'),
  onNode('Lambda behind a function URL', 'test/lambda-front.ts', { FRONT: 'url' }),
  onNode('Lambda behind API Gateway, format 1.0', 'test/lambda-front.ts', { FRONT: 'v1' }),
  onNode('Lambda behind a load balancer', 'test/lambda-front.ts', { FRONT: 'alb' }),
  onNode('Lambda behind a load balancer, multi-value', 'test/lambda-front.ts', { FRONT: 'alb-multi' }),
  onBun('Bun', 'bun.ts'),
  onDeno('Deno', 'deno.ts'),
  onWorkerd('Workers', 'worker.ts'),
  onWorkerd('Workers with nodejs_compat', 'worker.ts', ['nodejs_compat']),
  builtApps.next('Next.js, app router', '/hooks'),
  builtApps.next('Next.js, pages router', '/api/hooks'),
  builtApps.sveltekit('SvelteKit', '/hooks'),
  builtApps.astro('Astro', '/hooks'),
  builtApps.nitro('Nitro', '/hooks'),
  builtApps.reactRouter('React Router', '/hooks'),
];
