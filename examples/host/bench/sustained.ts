/**
 * The rate that the host sustains: events come at it for two minutes, each is tagged by a rule and sent to two
 * endpoints, and everything is recorded as fast as it comes. Beside it the bare program, which does only what any such
 * service must do.
 *
 *     npx tsx examples/host/bench/sustained.ts [--smoke] [--only sqlite|postgres] [--case '1 KB']
 *
 * Both share the machine with the sender, the receiver and the database, one after the other. Probes of a few seconds
 * find the highest rate, and a longer run confirms it; if that fails, the next one is a little slower. Then: what is
 * accepted beside a bare server, one project beside fifty, and several processes on one Postgres.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../../../test/hostile/certificates.js';
import { startAccepting } from './accepting.js';
import { startReceiver, startSender } from './asked.js';
import { createSearch, ENDPOINTS, type Run, sendAtOnce, sendSteadily } from './steady.js';
import { type HostOptions, startBare, startHosts, type Subject } from './subjects.js';
import { benchOptions, median, percentile, printTable } from './table.js';
import { build, type DatabaseName, stopShared } from './whole.js';
import { BODY, BODY_OF_10_KB, RULES } from './workload.js';

const { isSmoke, databases, one: caseName } = benchOptions();
const PROBE_SECONDS = isSmoke ? 1 : 5;
const WARM = isSmoke ? { rate: 50, seconds: 1 } : { rate: 300, seconds: 4 };
/** Events a second of the first probe; the only one of a smoke run. */
const FIRST_RATE = isSmoke ? 50 : 600;
/** The run that confirms a rate has this part of it, and its repetition this part of that. */
const SLOWER = 0.92;
const MOST_RUNS = isSmoke ? 1 : 5;
const ACCEPTED = isSmoke ? { rounds: 1, events: 200, seconds: 2 } : { rounds: 3, events: 3_000, seconds: 15 };
const TOGETHER = isSmoke
  ? { rounds: 1, events: 200, projects: 5 }
  : { rounds: 3, events: 4_000, projects: 50 };
const CONNECTIONS = 64;
const PROCESS_SECONDS = isSmoke ? 2 : 20;
const TAGGING = RULES.slice(0, 1);

/** Events of one size, and how they are received. */
interface Case {
  readonly name: string;
  readonly body: string;
  readonly isTls: boolean;
  /** From the run that confirms the rate. */
  readonly seconds: number;
}

const CASES: readonly Case[] = [
  { name: '1 KB', body: BODY, isTls: false, seconds: isSmoke ? 2 : 120 },
  { name: '1 KB, receivers on TLS', body: BODY, isTls: true, seconds: isSmoke ? 2 : 20 },
  { name: '10 KB', body: BODY_OF_10_KB, isTls: false, seconds: isSmoke ? 2 : 20 },
];

const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
const certified = certificate(['IP:127.0.0.1']);
const trusts = join(folder, 'ca.pem');
writeFileSync(trusts, certified.cert);
const sender = startSender();
const plain = await startReceiver();
const secure = await startReceiver(certified);

const endpointsAt = (url: string): readonly string[] =>
  Array.from({ length: ENDPOINTS }, (_, i) => `${url}/${i}`);

const hostsOf = (database: DatabaseName, more: Partial<HostOptions> = {}): Promise<Subject> =>
  startHosts({ database, rules: TAGGING, endpoints: endpointsAt(plain.url), ...more });

/** Shows the progress, beside the tables. */
const note = ({ name }: Subject, { rate, drained, refused, isSustained }: Run, seconds: number): void =>
  console.error(
    `${name}: ${rate} a second for ${seconds} s, recorded ${drained.toFixed(2)} s after, ${refused} refused: ${isSustained ? 'sustained' : 'too fast'}`,
  );

/** Finds the highest rates of several subjects. Their probes take turns, so that all meet the same machine. */
async function search(
  subjects: readonly Subject[],
  { body }: Case,
  from: readonly number[],
): Promise<readonly number[]> {
  const searches = subjects.map((subject, i) => ({ subject, search: createSearch(from[i] ?? FIRST_RATE) }));
  for (const { subject } of searches) await sendSteadily(subject, sender, { body, ...WARM });
  if (isSmoke) return from;
  while (searches.some(({ search }) => search.next() !== null)) {
    for (const { subject, search } of searches) {
      const rate = search.next();
      if (rate === null) continue;
      const run = await sendSteadily(subject, sender, { body, rate, seconds: PROBE_SECONDS });
      note(subject, run, PROBE_SECONDS);
      search.tell(rate, run.isSustained);
    }
  }
  return searches.map(({ search }) => search.found);
}

/** Repeats a run, each time at a lower rate, until it is sustained. */
async function confirm(subject: Subject, { body, seconds }: Case, found: number): Promise<Run> {
  let rate = Math.round(found * (isSmoke ? 1 : SLOWER));
  for (let runs = 1; ; runs++) {
    const run = await sendSteadily(subject, sender, { body, rate, seconds });
    note(subject, run, seconds);
    if (run.isSustained || runs >= MOST_RUNS) return run;
    rate = Math.round(rate * SLOWER);
  }
}

/** @param from - Rates to begin with, of the host and of the bare program. */
async function measureCase(
  database: DatabaseName,
  one: Case,
  from: readonly number[],
): Promise<readonly Run[]> {
  const options = {
    ...{ database, endpoints: endpointsAt(one.isTls ? secure.url : plain.url) },
    ...(one.isTls && { trusts }),
  };
  const subjects = [await hostsOf(database, options), await startBare(options)];
  const found = await search(subjects, one, from);
  const runs: Run[] = [];
  for (const [i, subject] of subjects.entries()) {
    runs.push(await confirm(subject, one, found[i] ?? FIRST_RATE));
  }
  for (const subject of subjects) await subject.stop();
  return runs;
}

/** The other cases begin at this rate, which they are likely to sustain. */
const easierRate = (rate: number): number => Math.round(rate * 0.6);

/** @returns The rate of the first case that the host sustains. */
async function sustained(database: DatabaseName): Promise<number> {
  const rows: Record<string, string | number>[] = [];
  let first: readonly number[] = [];
  for (const one of CASES.filter(({ name }) => caseName === '' || name === caseName)) {
    const from = isSmoke || first.length === 0 ? [FIRST_RATE, FIRST_RATE] : first.map(easierRate);
    const [host, bare] = await measureCase(database, one, from);
    if (host === undefined || bare === undefined) continue;
    if (first.length === 0) first = [host.rate, bare.rate];
    const show = ({ rate, isSustained }: Run): string => `${rate}${isSustained ? '' : ', not sustained'}`;
    rows.push({
      events: one.name,
      seconds: one.seconds,
      'the host, a second': show(host),
      'bare program, a second': show(bare),
      ratio: (host.rate / bare.rate).toFixed(2),
      'recorded after, s': `${host.drained.toFixed(2)}, ${bare.drained.toFixed(2)}`,
      '202, p99, ms': `${host.p99.toFixed(0)}, ${bare.p99.toFixed(0)}`,
      'CPU an event, µs': `${host.cpu.toFixed(0)}, ${bare.cpu.toFixed(0)}`,
      ...(database === 'postgres' && {
        'and of Postgres, µs': `${host.postgres.toFixed(0)}, ${bare.postgres.toFixed(0)}`,
      }),
    });
  }
  printTable(`Sustained rates, ${database}: the host, the bare program (target: ratio at least 0.6)`, rows);
  return first[0] ?? FIRST_RATE;
}

async function accepted(database: DatabaseName, sustainedRate: number): Promise<void> {
  const { rounds, events, seconds } = ACCEPTED;
  const accepting = await startAccepting(database, { rules: TAGGING, events });
  await accepting.measure(rounds);
  const rateOf = ({ rounds: all }: typeof accepting.host): string =>
    median(all.map(({ perSecond }) => perSecond)).toFixed(0);
  const rate = Math.round(sustainedRate / 2);
  const { times, refused } = await accepting.sendAt(rate, seconds);
  printTable(`Accepted events, ${database} (targets: ratio at least 0.5, p99 at most 50 ms)`, [
    {
      'the host, a second': rateOf(accepting.host),
      'bare node:http, a second': rateOf(accepting.bare),
      ratio: accepting.ratio().toFixed(2),
      'half of the sustained rate': rate,
      'p50 of the 202, ms': percentile(times, 0.5).toFixed(1),
      'p99, ms': percentile(times, 0.99).toFixed(1),
      refused,
    },
  ]);
  await accepting.stop();
}

/** One project beside many, which get the same events in turn. */
async function together(database: DatabaseName): Promise<void> {
  const { rounds, events: count, projects } = TOGETHER;
  const [alone, many] = [await hostsOf(database), await hostsOf(database, { projects })];
  const rates: (readonly [alone: number, many: number])[] = [];
  for (let i = 0; i <= rounds; i++) {
    const task = { count, connections: CONNECTIONS, body: BODY };
    const [one, all] = [await sendAtOnce(alone, sender, task), await sendAtOnce(many, sender, task)];
    if (i > 0) rates.push([one.rate, all.rate]); // the first round warms up
  }
  const rateOf = (side: 0 | 1): string => median(rates.map((round) => round[side])).toFixed(0);
  printTable(`Events recorded a second, sent at once, ${database} (target: ratio at least 0.8)`, [
    {
      'one project': rateOf(0),
      [`${projects} projects`]: rateOf(1),
      ratio: median(rates.map(([one, all]) => one / all)).toFixed(2),
    },
  ]);
  for (const subject of [alone, many]) await subject.stop();
}

/** Processes on one Postgres, and how many of them events are sent to. */
const PROCESSES = isSmoke
  ? [[2, 2]]
  : [
      [1, 1],
      [2, 2],
      [2, 1],
      [4, 4],
      [4, 1],
    ];

/** The parts of all the work, such as `52/48 %`. */
function sharesOf(all: readonly number[]): string {
  const sum = all.reduce((before, n) => before + n, 0);
  return `${all.map((n) => Math.round((n / sum) * 100)).join('/')} %`;
}

async function processes(sustainedRate: number): Promise<void> {
  const rate = Math.round(sustainedRate / 2);
  const rows: Record<string, string | number>[] = [];
  for (const [count = 1, sentTo = 1] of PROCESSES) {
    const hosts = await hostsOf('postgres', { processes: count });
    const addresses = hosts.addresses.slice(0, sentTo);
    await sendSteadily(hosts, sender, { body: BODY, addresses, ...WARM });
    const run = await sendSteadily(hosts, sender, { rate, body: BODY, addresses, seconds: PROCESS_SECONDS });
    rows.push({
      processes: count,
      'sent to': sentTo,
      'CPU an event, µs': run.cpu.toFixed(0),
      'and of Postgres, µs': run.postgres.toFixed(0),
      decisions: sharesOf(run.shares.map(({ decided }) => decided)),
      deliveries: sharesOf(run.shares.map(({ delivered }) => delivered)),
      'recorded after, s': run.drained.toFixed(2),
      'p99 of the 202, ms': run.p99.toFixed(1),
    });
    await hosts.stop();
  }
  printTable(
    `Processes on one Postgres, ${rate} events a second in all (targets: CPU within 10 %, work within 20 %)`,
    rows,
  );
}

build();
for (const database of databases) {
  const rate = await sustained(database);
  await accepted(database, rate);
  await together(database);
  if (database === 'postgres') await processes(rate);
}
for (const one of [sender, plain, secure]) one.stop();
rmSync(folder, { recursive: true });
await stopShared();
