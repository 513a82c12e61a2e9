/** The port that every bundler stands behind. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Platform } from './cases.js';

/** Programs to bundle, each for itself. */
export interface Job {
  readonly platform: Platform;
  /** The folder of the programs: its node_modules has the packed package. */
  readonly folder: string;
  /** The names of the programs. Each is `<name>.mjs` and leaves a promise of its answer in `globalThis.answer`. */
  readonly names: readonly string[];
  /** The folder for the bundles. */
  readonly out: string;
}

/** The bundles of a job. */
export interface Bundles {
  /** Name of the program → the file of its bundle. */
  readonly files: ReadonlyMap<string, string>;
  /** All that the bundler complains of. */
  readonly warnings: readonly string[];
}

/** A bundler, as its own documents say that it is used. */
export type Bundle = (job: Job) => Promise<Bundles>;

const modules = createRequire(join(import.meta.dirname, 'package.json'));

/**
 * Loads a package of this folder, of which only the part that `Module` names is used. It is not there before it is
 * installed.
 */
export const load = async <Module>(name: string): Promise<Module> =>
  (await import(pathToFileURL(modules.resolve(name)).href)) as Module;

/** The path of a program in a job. */
export const source = ({ folder }: Job, name: string): string => join(folder, `${name}.mjs`);
