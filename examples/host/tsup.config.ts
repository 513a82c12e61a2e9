/** The build: plain JavaScript for `node dist/main.js`, with the threads beside it. Packages stay outside. */
import { defineConfig } from 'tsup';

/** Files that Node starts by themselves. Threads are looked for beside the file that starts them, so all lie in one folder. */
export const entry = {
  main: 'src/main.ts',
  thread: 'src/deciding/thread.ts',
  'rules-thread': 'src/rules/rules-thread.ts',
};

export default defineConfig({
  entry,
  format: 'esm',
  target: 'node20',
  splitting: true,
  clean: true,
  removeNodeProtocol: false,
  skipNodeModulesBundle: true,
});
