/**
 * Runs every bench in its shortest form, with its check of the answers: each file of this folder but those named here.
 *
 *     npm ci --prefix bench && npm run bench:smoke [-- signing …]
 *
 * Questions about rules run together, in `index.ts`. The exit code is 1 if a bench fails, prints no figure or has no
 * such form. Nothing is written, and no figure is to be quoted.
 */
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '../test/command-line.js';
import { questions } from './questions.js';
import { benchesIn, faultOf, smoke } from './running/smoke.js';

const NOT_BENCHES = ['questions', 'smoke'];
/** At once; some of them mostly wait. */
const LANES = 2;

const { positionals } = readCommandLine({ allowPositionals: true });
const asked = questions.map(({ name }) => name);
const all = benchesIn(new URL('.', import.meta.url), [...NOT_BENCHES, ...asked]);
const waiting = all.filter((name) => positionals.length === 0 || positionals.includes(name));
let failed = waiting.length === 0;

async function lane(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const start = performance.now();
    const ran = await smoke(fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
    const fault = faultOf(ran);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    console.log(`${fault === null ? 'passed' : 'FAILED'}  bench/${name}.ts  ${seconds} s`);
    if (fault === null) continue;
    console.log(`${fault}\n${ran.output}`);
    failed = true;
  }
}

await Promise.all(Array.from({ length: LANES }, lane));
process.exitCode = failed ? 1 : 0;
