/** rollup with the plugins that its documents name, to ES modules. It has no minifier of its own; esbuild is its. */
import { join } from 'node:path';
import { type Bundle, load, source } from '../bundler.js';
import { minified } from './esbuild.js';

interface Rollup {
  readonly rollup: (options: Readonly<Record<string, unknown>>) => Promise<{
    readonly write: (options: Readonly<Record<string, unknown>>) => Promise<unknown>;
  }>;
}

interface Plugin {
  readonly default: (options?: Readonly<Record<string, unknown>>) => unknown;
}

/** `@opentelemetry/api` is compiled to an old `this`, wherever it is used. */
const OF_OTHERS = /@opentelemetry\/api\/.* The 'this' keyword/;

const MINIFIER = { name: 'esbuild', renderChunk: (code: string) => minified(code, 'esm') };

export const rollup: Bundle = async (job) => {
  const { rollup: start } = await load<Rollup>('rollup');
  const [resolve, commonjs, json] = await Promise.all(
    ['node-resolve', 'commonjs', 'json'].map((name) => load<Plugin>(`@rollup/plugin-${name}`)),
  );
  const onServer = job.platform === 'server';
  const warnings: string[] = [];
  const files = new Map<string, string>();
  for (const name of job.names) {
    const bundle = await start({
      input: source(job, name),
      // It would hoist undici's late `require('node:sqlite')`, which Node 20 has not.
      external: onServer ? [/^node:/, /^undici/] : [],
      plugins: [
        resolve?.default({ browser: !onServer, preferBuiltins: onServer }),
        commonjs?.default(),
        json?.default(),
      ],
      onLog: (level: string, { message }: { readonly message: string }) =>
        level === 'warn' && !OF_OTHERS.test(message) && warnings.push(message),
    });
    const file = join(job.out, `${name}.mjs`);
    await bundle.write({ file, format: 'es', plugins: [MINIFIER] });
    files.set(name, file);
  }
  return { files, warnings };
};
