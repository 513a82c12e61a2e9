/** esbuild: ES modules for browsers, and CommonJS, which is its default, for servers. */
import { join } from 'node:path';
import { type Bundle, load, source } from '../bundler.js';

interface Esbuild {
  readonly build: (
    options: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly warnings: readonly { readonly text: string }[] }>;
  readonly transform: (code: string, options: object) => Promise<{ readonly code: string }>;
}

/** The code of one file, minified; `esm` has names of its own at the top. */
export async function minified(code: string, format: 'esm' | 'cjs'): Promise<string> {
  const { transform } = await load<Esbuild>('esbuild');
  return (await transform(code, { minify: true, format })).code;
}

export const esbuild: Bundle = async (job) => {
  const { build } = await load<Esbuild>('esbuild');
  const extension = job.platform === 'browser' ? '.js' : '.cjs';
  const { warnings } = await build({
    entryPoints: job.names.map((name) => source(job, name)),
    outdir: job.out,
    outExtension: { '.js': extension },
    bundle: true,
    minify: true,
    ...(job.platform === 'browser' ? { format: 'esm', platform: 'browser' } : { platform: 'node' }),
    logLevel: 'silent',
  });
  return {
    files: new Map(job.names.map((name) => [name, join(job.out, name + extension)])),
    warnings: warnings.map(({ text }) => text),
  };
};
