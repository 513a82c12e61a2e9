/** The files of workers, as they are bundled for the build and for threads that start from the sources. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundling } from '../../src/threads/bundling.mjs';

const HOST = join(import.meta.dirname, '../..');
const workers = readdirSync(join(HOST, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('-worker.ts'))
  .map((file) => join('src', file));

test.for(workers)('%s has no copy of SQLite, which would not see the locks of the first', async (worker) => {
  const { outputFiles, metafile } = await build({
    ...bundling,
    ...{ entryPoints: [worker], absWorkingDir: HOST, write: false, metafile: true },
  });
  expect(
    Object.keys(metafile?.inputs ?? {}).filter((file) => /photostructure|dist\/sqlite/.test(file)),
  ).toEqual([]);
  expect(outputFiles?.[0]?.text).not.toMatch(/photostructure|node:sqlite/);
});
