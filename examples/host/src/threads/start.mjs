/**
 * Starts a worker from its sources. They are bundled once, with the packages that they import, since every thread would
 * compile them again; the bundle is used until a process starts after one of them has changed. The build has no use for
 * this file.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { uptime } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { bundling } from './bundling.mjs';

const HOME = join(import.meta.dirname, '../..');
/** Packages are found from here as they are from the sources. */
const FOLDER = join(HOME, 'node_modules/.cache/workers');
const MARK = '// made of ';

const source = fileURLToPath(workerData.source);
const bundle = join(FOLDER, `${basename(source, '.ts')}.mjs`);
void start(); // not awaited: see serve.ts

async function start() {
  if (!(await isChecked())) await ((await isFresh()) ? check() : write());
  await import(pathToFileURL(bundle));
}

/** Whether the bundle was made or found fresh since the process started. */
async function isChecked() {
  return (await timeOf(bundle)) > Date.now() - uptime() * 1_000;
}

/** Whether the bundle is there, and made of its sources as they are. */
async function isFresh() {
  const [head = ''] = (await readFile(bundle, 'utf8').catch(() => '')).split('\n', 1);
  if (!head.startsWith(MARK)) return false;
  const then = JSON.parse(head.slice(MARK.length));
  const now = await timesOf(Object.keys(then));
  return Object.entries(then).every(([file, time]) => now[file] === time);
}

async function check() {
  const now = new Date();
  await utimes(bundle, now, now);
}

/** Threads may do this at the same time, so the file appears at once. */
async function write() {
  const { build } = await import('esbuild');
  const result = await build({
    ...bundling,
    ...{ entryPoints: [source], absWorkingDir: HOME, write: false, metafile: true },
  });
  const made = [...Object.keys(result.metafile.inputs), 'src/threads/bundling.mjs'];
  const head = MARK + JSON.stringify(await timesOf(made));
  const own = `${bundle}.${randomUUID()}`;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(own, `${head}\n${result.outputFiles[0].text}`);
  await rename(own, bundle);
}

/** When each file was changed last; undefined for one that is gone. */
async function timesOf(files) {
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await timeOf(join(HOME, file))])),
  );
}

async function timeOf(file) {
  return (await stat(file).catch(() => null))?.mtimeMs;
}
