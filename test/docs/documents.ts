/** The documents that people read. */
import { filesUnder } from '../files.js';

const guides = ['docs', 'bench', 'examples']
  .flatMap(filesUnder)
  .filter(
    (path) => path.endsWith('.md') && !/^docs\/(?:\.vitepress|reference)\/|\/node_modules\//.test(path),
  );

/** Paths of all documents. */
export const documents: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...guides];
