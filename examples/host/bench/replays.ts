/**
 * Measures how much a replay of many events delays fresh events that go to the same endpoint, from the 202 to the
 * request at the receiver. Rounds without and with a replay alternate on one host; the figures are medians over the
 * rounds of each kind, since others may use the machine, too.
 *
 *     npx tsx examples/host/bench/replays.ts [--smoke] [--only sqlite|postgres]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { sendPaced } from './load.js';
import { receiving, Spans } from './receiving.js';
import { benchOptions, median, percentile, printTable } from './table.js';
import { addProject, build, type DatabaseName, type Project, startWhole, stopShared } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke, databases } = benchOptions();
const RATE = 50;
const SECONDS = isSmoke ? 2 : 6;
const ROUNDS = isSmoke ? 1 : 5;
/** Events that are there to be replayed: more than a round takes. */
const STORED = isSmoke ? 400 : 4_000;
const STORE_RATE = 400;
const PATIENCE_MS = 20_000;
/** Receivers: one that answers at once, and one that lets half of its slots be in use all the time. */
const DELAYS_MS = [0, 150];

interface Measured {
  /** Ms, ascending, round by round. */
  readonly alone: readonly (readonly number[])[];
  readonly beside: readonly (readonly number[])[];
  /** Deliveries of the replays a second. */
  readonly replayed: number;
}

async function measure(database: DatabaseName, delayMs: number): Promise<Measured> {
  const host = await startWhole(database);
  let spans = new Spans();
  const receiver = await receiving((id, at) => spans.end(id, at), delayMs);
  const project = await addProject(host, { rules: RULES, endpoints: [receiver.url] });
  const settled = async (): Promise<void> => {
    const deadline = performance.now() + PATIENCE_MS;
    while (!spans.isComplete && performance.now() < deadline) await sleep(50);
  };
  const fresh = async (rate = RATE, seconds = SECONDS): Promise<readonly number[]> => {
    const own = (spans = new Spans());
    // From the answer on: ingest is measured elsewhere.
    await sendPaced(project.address, [BODY], {
      ...{ rate, seconds },
      accepted: (id) => own.begin(id, performance.now()),
    });
    await settled();
    return own.times();
  };
  await fresh(delayMs === 0 ? STORE_RATE : STORE_RATE / 4, (STORED / STORE_RATE) * (delayMs === 0 ? 1 : 4));
  const alone: (readonly number[])[] = [];
  const beside: (readonly number[])[] = [];
  let [replayed, seconds] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await fresh());
    const from = performance.now();
    const replay = await begin(project);
    beside.push(await fresh());
    replayed += await end(project, replay);
    seconds += (performance.now() - from) / 1_000;
    await sleep(1_000);
  }
  await host.stop();
  receiver.stop();
  return { alone, beside, replayed: replayed / seconds };
}

async function begin({ api, id }: Project): Promise<string> {
  const { replay } = await api.replayEvents({ project: id, body: { filter: {} } });
  if (replay === null) throw new Error('no replay has begun');
  return replay.id;
}

/** Stops a replay that is to have run until now. */
async function end({ api, id }: Project, replay: string): Promise<number> {
  const { state } = await api.getReplay({ project: id, replay });
  if (state !== 'running') throw new Error('the replay ended before the round did: store more events');
  return (await api.stopReplay({ project: id, replay })).deliveries;
}

type Rounds = Measured['alone'];
const of = (rounds: Rounds, p: number): number => median(rounds.map((times) => percentile(times, p)));
const ms = (rounds: Rounds, p: number): string => of(rounds, p).toFixed(1);
const ratio = (a: Rounds, b: Rounds, p: number): string => `${(of(a, p) / of(b, p)).toFixed(2)} ×`;

build();
for (const database of databases) {
  const rows: Record<string, string | number>[] = [];
  for (const delayMs of DELAYS_MS) {
    const { alone, beside, replayed } = await measure(database, delayMs);
    rows.push({
      'receiver answers after, ms': delayMs,
      'fresh events': `${alone.flat().length} + ${beside.flat().length}`,
      'replayed a second': replayed.toFixed(0),
      'p50 alone, ms': ms(alone, 0.5),
      'p50 beside, ms': ms(beside, 0.5),
      'p99 alone, ms': ms(alone, 0.99),
      'p99 beside, ms': ms(beside, 0.99),
      'ratio of the p50': ratio(beside, alone, 0.5),
      'ratio of the p99': ratio(beside, alone, 0.99),
    });
  }
  printTable(`Fresh events beside a replay, ${database} (target: at most 1.2 ×)`, rows);
}
await stopShared();
