/** The ```ts blocks of the README, the guides and doc comments, each as a module of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vitest/config';
import { filesUnder } from '../files.js';

/** A fenced block of TypeScript. */
export interface Block {
  /** The document, such as `docs/signing.md` or `src/signing/sign.ts`. */
  readonly document: string;
  /** Line of the fence in the document, counted from 1. */
  readonly line: number;
  /** The path of a module that is not on disk. */
  readonly path: string;
  readonly code: string;
  /** The output that its comments claim, line by line. */
  readonly printed: readonly string[];
  /** The text after `no-run` on the fence: why the block is compiled but not run. */
  readonly notRun: string | null;
  /** Whether it imports a package that is not installed here: `no-run foreign`. */
  readonly foreign: boolean;
}

/** All blocks, in the order of the documents; those of doc comments last. */
export function readBlocks(): Block[] {
  const guides = filesUnder('docs').filter((path) => /^docs\/[^/]*\.md$/.test(path));
  const sources = filesUnder('src').filter((path) => path.endsWith('.ts'));
  return [
    ...['README.md', ...guides].filter((path) => existsSync(path)).flatMap((path) => blocksOf(path)),
    ...sources.flatMap((path) => blocksOf(path, commentsOnly)),
  ];
}

/** The text of doc comments, on its own lines; all other lines are empty. */
const commentsOnly = (text: string): string =>
  text
    .split('\n')
    .map((line) => /^\s*\*(?: (.*))?$/.exec(line)?.[1] ?? '')
    .join('\n');

function blocksOf(document: string, read = (text: string) => text): Block[] {
  const text = read(readFileSync(document, 'utf8'));
  const fences = text.matchAll(/^( *)```ts( no-run)?( foreign)?(?:[ :]+(.*))?\n([\s\S]*?)^\1```$/gm);
  return Array.from(fences, ({ index, 2: noRun, 3: foreign, 4: reason = '', 5: code = '' }, nth) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    path: resolve(`test/docs/${document.replaceAll('/', '~')}.${nth + 1}.ts`),
    code,
    printed: printedBy(code),
    notRun: noRun === undefined ? null : reason,
    foreign: foreign !== undefined,
  }));
}

/**
 * The comments that tell what is printed: `console.log(1); // 1`, and lines of nothing but a comment that follow a
 * `console.log`, past the brackets that close around it, up to an empty line.
 */
export function printedBy(code: string): string[] {
  const printed: string[] = [];
  let follows = false;
  for (const line of code.split('\n')) {
    const [, before = '', comment] = /^(.*?)(?:(?:^|\s)\/\/ (.*))?$/.exec(line.trim()) ?? [];
    const prints = before.includes('console.');
    follows = prints || (follows && line !== '' && /^[)};,\]]*$/.test(before));
    if (follows && comment !== undefined) printed.push(comment);
  }
  return printed;
}

/** A module like a block's, by which a test sees that `headgate` means the sources there. */
export const probe = {
  path: resolve('test/docs/probe.md.1.ts'),
  code: `export { compileRules } from 'headgate';`,
};

/**
 * A file that is on disk. Resolvers read tsconfig.json for such files alone; for a block `headgate` would mean `dist`.
 */
const ON_DISK = resolve('test/docs/blocks.ts');

/**
 * Serves the blocks to `import()` under their paths. Examples for jest get vitest, which has its functions under the
 * same names.
 */
export function documentBlocks(): Plugin {
  const isBlock = (id: string): boolean => /\/test\/docs\/[^/]*\.(?:md|ts)\.\d+\.ts$/.test(id);
  const find = (id: string): { readonly path: string; readonly code: string } | undefined =>
    isBlock(id) ? [probe, ...readBlocks()].find(({ path }) => path === id) : undefined;
  return {
    name: 'document-blocks',
    enforce: 'pre',
    resolveId(id, importer) {
      if (isBlock(id)) return find(id)?.path;
      const name = id === '@jest/globals' ? 'vitest' : id;
      return importer && isBlock(importer) ? this.resolve(name, ON_DISK, { skipSelf: true }) : undefined;
    },
    load: (id) => find(id)?.code,
  };
}
