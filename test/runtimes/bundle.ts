/** The programs that the runtimes run: one file each, with the built package inside. */
import { join, resolve } from 'node:path';
import { build } from 'tsup';

const root = resolve(import.meta.dirname, '../..');
const dist = (path: string): string => join(root, 'dist', path, 'index.js');

/** Programs, by the name of their file. */
export type Program = 'command' | 'worker' | 'page';

/**
 * Makes the programs in a folder; each is `<name>.mjs`.
 *
 * @param streamHost - The address of the host that clients connect to.
 */
export async function bundle(folder: string, streamHost: string): Promise<void> {
  const programs: readonly Program[] = ['command', 'worker', 'page'];
  await build({
    config: false,
    entry: programs.map((program) => join(import.meta.dirname, 'programs', `${program}.ts`)),
    outDir: folder,
    format: ['esm'],
    platform: 'neutral',
    target: 'es2022',
    splitting: false,
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/^headgate/],
    silent: true,
    define: { STREAM_HOST: JSON.stringify(streamHost) },
    esbuildOptions(options) {
      // tsconfig.json says that `headgate` means the sources.
      delete options.tsconfig;
      options.tsconfigRaw = '{}';
      options.alias = {
        'headgate/client': dist('client'),
        'headgate/receiver': dist('receiver'),
        'headgate/delivery': dist('delivery'),
        'headgate/memory': dist('memory'),
      };
    },
  });
}
