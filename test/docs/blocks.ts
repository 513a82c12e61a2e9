/** The ```ts blocks of the README and the guides, each as a module of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vitest/config';
import { filesUnder } from '../files.js';

/** A fenced block of TypeScript. */
export interface Block {
  /** The document, such as `docs/signing.md`. */
  readonly document: string;
  /** Line of the fence in the document, counted from 1. */
  readonly line: number;
  /** The path of a module that is not on disk. It lies under `test`, where tsconfig.json names the sources. */
  readonly path: string;
  readonly code: string;
  /** What follows `no-run` on the fence: why the block is compiled but not run. */
  readonly notRun: string | null;
}

/** All blocks, in the order of the documents. */
export function readBlocks(): Block[] {
  const guides = filesUnder('docs').filter((path) => /^docs\/[^/]*\.md$/.test(path));
  return ['README.md', ...guides].filter((path) => existsSync(path)).flatMap(blocksOf);
}

function blocksOf(document: string): Block[] {
  const text = readFileSync(document, 'utf8');
  const fences = text.matchAll(/^( *)```ts( no-run)?(?:[ :]+(.*))?\n([\s\S]*?)^\1```$/gm);
  return Array.from(fences, ({ index, 2: noRun, 3: reason = '', 4: code = '' }, nth) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    path: resolve(`test/docs/${document}.${nth + 1}.ts`),
    code,
    notRun: noRun === undefined ? null : reason,
  }));
}

/** Serves the blocks to `import()` under their paths. */
export function documentBlocks(): Plugin {
  const find = (id: string): Block | undefined =>
    /\.md\.\d+\.ts$/.test(id) ? readBlocks().find(({ path }) => path === id) : undefined;
  return {
    name: 'document-blocks',
    enforce: 'pre',
    resolveId: (id) => find(id)?.path,
    load: (id) => find(id)?.code,
  };
}
