/** The processes of a run, bundled once so that each start is short. */
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'tsup';

/** Roles of processes; each has its program under `children`. */
export type Role = (typeof ROLES)[number];
const ROLES = ['receiver', 'worker', 'host', 'customer', 'subscriber'] as const;

const root = resolve(import.meta.dirname, '../..');

/** Makes the programs in a new folder; gives its path. */
export async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-chaos-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await build({
    config: false,
    entry: ROLES.map((role) => join(import.meta.dirname, 'children', `${role}.ts`)),
    outDir: folder,
    format: ['esm'],
    target: 'node20',
    outExtension: () => ({ js: '.mjs' }),
    tsconfig: join(root, 'tsconfig.json'),
    external: ['pg', 'undici', 'ipaddr.js', '@photostructure/sqlite'],
    removeNodeProtocol: false,
    clean: false,
    silent: true,
  });
  return folder;
}
