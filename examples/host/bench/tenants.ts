/**
 * Measures how much one project hurts another. An honest project gets 50 events of 1 KB a second and delivers them to
 * one endpoint, first alone, and then beside a hostile project. On one host, in one run, for each attack.
 *
 *     npx tsx examples/host/bench/tenants.ts [--smoke] [--only sqlite|postgres] [--attack <part of its name>]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { startAttack } from './asked.js';
import { ATTACKS } from './attacks.js';
import { sendPaced } from './load.js';
import { receiving, Spans } from './receiving.js';
import { benchOptions, percentile, printTable } from './table.js';
import { addProject, build, type DatabaseName, startWhole, stopShared } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke, databases, attack: attackNamed } = benchOptions();
const RATE = 50;
const SECONDS = isSmoke ? 2 : 15;
/** An attack goes on for a while before the honest project is looked at, and as long as it is. */
const AHEAD_MS = isSmoke ? 200 : 3_000;
const PATIENCE_MS = 10_000;

/** Between two questions to `/healthz`. */
const HEALTH_MS = 50;

interface Served {
  /** Times of the answers of `/healthz`, ms. */
  readonly health: readonly number[];
  readonly accepted: readonly number[];
  readonly delivered: readonly number[];
  readonly refused: number;
}

async function measure(
  database: DatabaseName,
  name: string,
): Promise<readonly [peace: Served, attacked: Served, said: string]> {
  const host = await startWhole(database);
  let spans = new Spans();
  const receiver = await receiving((id, at) => spans.end(id, at));
  const project = await addProject(host, { rules: RULES, endpoints: [receiver.url] });
  const attack = await startAttack(host, name, isSmoke);
  const honest = async (): Promise<Served> => {
    const own = (spans = new Spans());
    const healthy = askHealth(host.url);
    const { times, refused } = await sendPaced(project.address, [BODY], {
      ...{ rate: RATE, seconds: SECONDS },
      accepted: (id, dueAt) => own.begin(id, dueAt),
    });
    const deadline = performance.now() + PATIENCE_MS;
    while (!own.isComplete && performance.now() < deadline) await sleep(50);
    return { accepted: times, delivered: own.times(), refused, health: await healthy() };
  };
  await sendPaced(project.address, [BODY], { rate: RATE, seconds: isSmoke ? 1 : 5 }); // warms up
  const peace = await honest();
  const attacking = attack.run(SECONDS + AHEAD_MS / 1_000);
  await sleep(AHEAD_MS);
  const attacked = await honest();
  const said = await attacking;
  await host.stop();
  attack.stop();
  receiver.stop();
  return [peace, attacked, said];
}

/** Asks whether the process answers, until it is called. */
function askHealth(url: string): () => Promise<readonly number[]> {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      times.push(performance.now() - began);
      await sleep(HEALTH_MS);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return times;
  };
}

const ms = (times: readonly number[]): string => percentile(times, 0.99).toFixed(0);
const ratio = (attacked: readonly number[], peace: readonly number[]): string =>
  `${(percentile(attacked, 0.99) / percentile(peace, 0.99)).toFixed(1)} ×`;

build();
for (const database of databases) {
  const rows: Record<string, string | number>[] = [];
  for (const name of Object.keys(ATTACKS).filter((one) => one.includes(attackNamed))) {
    const [peace, attacked, said] = await measure(database, name);
    rows.push({
      attack: name,
      '202: p99 alone, ms': ms(peace.accepted),
      'beside it': ms(attacked.accepted),
      'ratio of the 202': ratio(attacked.accepted, peace.accepted),
      'delivery: p99 alone, ms': ms(peace.delivered),
      'beside it, ms': ms(attacked.delivered),
      'ratio of delivery': ratio(attacked.delivered, peace.delivered),
      '202: ratio of the p95': `${(percentile(attacked.accepted, 0.95) / percentile(peace.accepted, 0.95)).toFixed(1)} ×`,
      '/healthz: longest alone, ms': Math.max(...peace.health).toFixed(0),
      '/healthz: longest beside it, ms': Math.max(...attacked.health).toFixed(0),
      refused: attacked.refused,
      'what the attack did': said,
    });
  }
  printTable(`An honest project, ${database} (target: at most 3 ×)`, rows);
}
await stopShared();
