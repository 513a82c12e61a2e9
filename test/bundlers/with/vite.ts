/** vite: a build for browsers, and one for servers with all packages inside. */
import { join } from 'node:path';
import { type Bundle, load, source } from '../bundler.js';

interface Vite {
  readonly build: (options: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

export const vite: Bundle = async (job) => {
  const { build } = await load<Vite>('vite');
  const warnings: string[] = [];
  const warn = (message: string): unknown => warnings.push(message);
  const say = (): void => undefined;
  const logger = {
    warn,
    warnOnce: warn,
    error: warn,
    info: say,
    clearScreen: say,
    hasErrorLogged: () => false,
  };
  const files = new Map<string, string>();
  for (const name of job.names) {
    await build({
      configFile: false,
      root: job.folder,
      logLevel: 'warn',
      customLogger: { ...logger, hasWarned: false },
      ...(job.platform === 'server' && { ssr: { noExternal: true } }),
      build: {
        outDir: job.out,
        emptyOutDir: false,
        minify: true,
        modulePreload: false,
        ssr: job.platform === 'server',
        rollupOptions: {
          input: source(job, name),
          output: { entryFileNames: `${name}.mjs` },
        },
      },
    });
    files.set(name, join(job.out, `${name}.mjs`));
  }
  return { files, warnings };
};
