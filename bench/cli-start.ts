/**
 * Measures the cold start of the command beside that of bare node: processor time and time by the clock, in turns.
 *
 *     npm run build && npx tsx bench/cli-start.ts [--rounds 40]
 *
 * The bound is 60 ms over bare node. Processor time is the figure to trust on a machine that has other work.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './running/cpu.js';

const PROGRAM = 'dist/cli/index.js';
const BOUND_MS = 60;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } });
const rounds = Number(values.rounds);

interface Contender {
  readonly name: string;
  readonly args: readonly string[];
  readonly input: string;
  /** Proves that it did its work. */
  readonly says: RegExp;
}

const contenders: readonly Contender[] = [
  { name: 'bare node', args: ['-e', '0'], input: '', says: /^$/ },
  { name: 'headgate --version', args: [PROGRAM, '--version'], input: '', says: /^\d+\.\d+\.\d+\n$/ },
  { name: 'headgate --help', args: [PROGRAM, '--help'], input: '', says: /rules check/ },
  { name: 'headgate sign', args: [PROGRAM, 'sign'], input: '{"id":"evt_1"}', says: /Svc-Signature: t=/ },
];

/** Milliseconds of one start. */
interface Start {
  readonly cpu: number;
  readonly clock: number;
}

const folder = mkdtempSync(join(tmpdir(), 'headgate-start-'));
/** Tells the processor time of a process as it ends; the same for all, so that it cancels out. */
const probe = join(folder, 'probe.cjs');
const told = join(folder, 'told');
writeFileSync(
  probe,
  `process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    require('fs').writeFileSync(${JSON.stringify(told)}, String((user + system) / 1000));
  });`,
);

function start({ args, input, says, name }: Contender): Start {
  const at = performance.now();
  const env = { ...process.env, HEADGATE_SECRET: 'whsec_test' };
  const flags = ['--require', probe, ...args];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { input, encoding: 'utf8', env });
  const clock = performance.now() - at;
  if (!says.test(stdout)) throw new Error(`${name} printed ${stdout}${stderr}`);
  return { cpu: Number(readFileSync(told, 'utf8')), clock };
}

if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: run npm run build first`);
const starts = contenders.map((contender) => ({ contender, all: [] as Start[] }));
for (let round = 0; round <= rounds; round++) {
  for (const { contender, all } of starts) {
    const one = start(contender);
    // The first round warms the caches of the disk.
    if (round > 0) all.push(one);
  }
}
rmSync(folder, { recursive: true });

const medians = starts.map(({ contender: { name }, all }) => ({
  name,
  cpu: median(all.map(({ cpu }) => cpu)),
  clock: median(all.map(({ clock }) => clock)),
}));
const [bare] = medians;
console.log(`Node ${process.version}, median of ${rounds} starts, ms (over bare node)`);
for (const { name, cpu, clock } of medians) {
  const over = (value: number, of: number): string =>
    `${value.toFixed(1)} (+${(value - of).toFixed(1)})`.padEnd(18);
  console.log(name.padEnd(20), 'processor', over(cpu, bare!.cpu), 'clock', over(clock, bare!.clock));
}
const worst = Math.max(...medians.map(({ cpu }) => cpu - bare!.cpu));
console.log(`at most ${worst.toFixed(1)} ms over bare node; the bound is ${BOUND_MS}`);
if (worst > BOUND_MS) process.exitCode = 1;
