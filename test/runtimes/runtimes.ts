/** The runtimes that the package is tried on, and how each runs its program. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { found, installChromium, installPackages } from '../install.js';
import { printed } from './children.js';
import { onChromium } from './chromium.js';
import { onWorkerd } from './workerd.js';

/** One runtime. */
export interface Runtime {
  /** With its version, where the project chooses that. */
  readonly name: string;
  /** Each runs the checks and gives the report as JSON. */
  readonly runs: readonly (() => Promise<string>)[];
}

const home = import.meta.dirname;
const ARM = process.arch === 'arm64';

const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(home, 'package.json'), 'utf8'),
) as Readonly<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>;

/** The paths of the runtimes that packages hold. */
export function installRuntimes(): { readonly bun: string; readonly deno: string; readonly workerd: string } {
  const modules = installPackages(home);
  return {
    bun: found([join(modules, `@oven/bun-linux-${ARM ? 'aarch64' : 'x64'}/bin/bun`)]),
    deno: found([join(modules, `@deno/linux-${ARM ? 'arm64' : 'x64'}-glibc/deno`)]),
    workerd: found([join(modules, `@cloudflare/workerd-linux-${ARM ? 'arm64' : '64'}/bin/workerd`)]),
  };
}

/** Node reads ES modules for `require` too, unless it is told not to; so the CommonJS files are the ones that run. */
const COMMON_JS_FILES = '--no-experimental-require-module';

/** Each Node runs the package as ES modules and as CommonJS. */
function nodes(folder: string): Runtime[] {
  const packages = Object.entries(optionalDependencies).filter(([name]) => name.endsWith(`-${process.arch}`));
  return packages.map(([name, source]) => {
    const binary = found([join(home, 'node_modules', name, 'bin/node')]);
    return {
      name: `Node ${source.slice(source.lastIndexOf('@') + 1)}`,
      runs: [
        () => withFiles((files) => printed(binary, [join(folder, 'command.mjs'), files])),
        () => withFiles((files) => printed(binary, [COMMON_JS_FILES, join(folder, 'command.cjs'), files])),
      ],
    };
  });
}

/** docs/delivery.md says which parts need them. */
const DENO_RIGHTS = ['--allow-net', '--allow-env=JEST_WORKER_ID,UNDICI_NO_WASM_SIMD', '--allow-read'];

/**
 * A folder for databases, in memory if the system has such a folder: they wait for their disk. Deno has no right to it.
 */
async function withFiles(run: (folder: string) => Promise<string>): Promise<string> {
  const files = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'headgate-runtimes-'));
  try {
    return await run(files);
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

/** Installs the runtimes; their programs are in the folder. */
export function runtimesIn(folder: string): readonly Runtime[] {
  const { bun, deno, workerd } = installRuntimes();
  const chromium = installChromium();
  const command = join(folder, 'command.mjs');
  return [
    ...nodes(folder),
    {
      name: `Bun ${dependencies.bun}`,
      runs: [() => withFiles((files) => printed(bun, [command, files]))],
    },
    {
      name: `Deno ${dependencies.deno}`,
      runs: [() => printed(deno, ['run', ...DENO_RIGHTS, `--allow-write=${folder}`, command, folder])],
    },
    {
      name: `workerd ${dependencies.workerd}`,
      runs: [() => onWorkerd(workerd, { folder, program: 'worker', flags: [] })],
    },
    {
      name: 'the same, `nodejs_compat`',
      runs: [() => onWorkerd(workerd, { folder, program: 'compat-worker', flags: ['nodejs_compat'] })],
    },
    { name: 'Chromium, strict CSP', runs: [() => onChromium(chromium, folder)] },
  ];
}
