/**
 * Starts a worker from its sources. They are bundled once, since every thread would compile them again; the bundle is
 * used until one of them changes. The build has no use for this file.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';

const HOME = join(import.meta.dirname, '../..');
/** Packages are found from here as they are from the sources. */
const FOLDER = join(HOME, 'node_modules/.cache/workers');
const MARK = '// made of ';

const source = fileURLToPath(workerData.source);
const bundle = join(FOLDER, `${basename(source, '.ts')}.mjs`);
if (!(await isFresh())) await write();
await import(pathToFileURL(bundle));

/** Whether the bundle is there, and made of its sources as they are. */
async function isFresh() {
  const [head = ''] = (await readFile(bundle, 'utf8').catch(() => '')).split('\n', 1);
  if (!head.startsWith(MARK)) return false;
  const then = JSON.parse(head.slice(MARK.length));
  const now = await timesOf(Object.keys(then));
  return Object.entries(then).every(([file, time]) => now[file] === time);
}

/** Threads may do this at the same time, so the file appears at once. */
async function write() {
  const { build } = await import('esbuild');
  const result = await build({
    ...{ entryPoints: [source], absWorkingDir: HOME, bundle: true, packages: 'external', write: false },
    ...{ format: 'esm', platform: 'node', target: 'node20', metafile: true, sourcemap: 'inline' },
  });
  const head = MARK + JSON.stringify(await timesOf(Object.keys(result.metafile.inputs)));
  const own = `${bundle}.${randomUUID()}`;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(own, `${head}\n${result.outputFiles[0].text}`);
  await rename(own, bundle);
}

/** When each file was changed last; undefined for one that is gone. */
async function timesOf(files) {
  const timeOf = async (file) => [file, (await stat(join(HOME, file)).catch(() => null))?.mtimeMs];
  return Object.fromEntries(await Promise.all(files.map(timeOf)));
}
