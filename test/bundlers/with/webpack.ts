/**
 * webpack: scripts for browsers and CommonJS for servers, which are its defaults; the latter are minified by esbuild.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, load, source } from '../bundler.js';
import { minified } from './esbuild.js';

interface Stats {
  readonly toJson: (
    options: object,
  ) => Readonly<Record<'warnings' | 'errors', readonly { message: string }[]>>;
}

interface Webpack {
  readonly default: (
    options: Readonly<Record<string, unknown>>,
    done: (error: Error | null, stats: Stats) => void,
  ) => void;
}

export const webpack: Bundle = async (job) => {
  const { default: start } = await load<Webpack>('webpack');
  const options = {
    mode: 'production',
    context: job.folder,
    target: job.platform === 'browser' ? 'web' : 'node20',
    entry: Object.fromEntries(job.names.map((name) => [name, source(job, name)])),
    output: { path: job.out, filename: '[name].cjs' },
    // It warns of any file of more than 244 KiB; the limits of the table are narrower.
    performance: { hints: false },
    optimization: { minimize: job.platform === 'browser' },
  };
  const stats = await new Promise<Stats>((resolve, reject) => {
    start(options, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
  const files = job.names.map((name) => join(job.out, `${name}.cjs`));
  if (job.platform === 'server') {
    for (const file of files) writeFileSync(file, await minified(readFileSync(file, 'utf8'), 'cjs'));
  }
  const { warnings, errors } = stats.toJson({ all: false, warnings: true, errors: true });
  return {
    files: new Map(job.names.map((name, nth) => [name, files[nth] ?? ''])),
    warnings: [...errors, ...warnings].map(({ message }) => message),
  };
};
