/**
 * Sends 200,000 events through the host, each to two endpoints and an SDK client, and prints its resident
 * memory at each tenth.
 *
 *     npx tsx examples/host/bench/memory.ts [--smoke] [--only sqlite|postgres]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver, startSender } from './asked.js';
import { listening } from './listening.js';
import { benchOptions, printTable } from './table.js';
import { addProject, build, type DatabaseName, rssOf, startWhole, stopShared } from './whole.js';
import { RULES } from './workload.js';

const { isSmoke, databases } = benchOptions();
const TENTH = isSmoke ? 200 : 20_000;

async function measure(database: DatabaseName): Promise<void> {
  const [host, receiver, sender] = [await startWhole(database), await startReceiver(), startSender()];
  const project = await addProject(host, { rules: RULES, endpoints: [receiver.url, `${receiver.url}/2`] });
  let received = 0;
  const client = await listening(host, project, 'bench', () => void received++);
  const rows: Record<string, string | number>[] = [];
  let sent = 0;
  for (let tenth = 1; tenth <= 10; tenth++) {
    const { times, refused } = await sender.send({ send: project.address, count: TENTH, connections: 16 });
    sent += times.length;
    // Each tenth ends with nothing under way.
    while (received < sent) await sleep(100);
    rows.push({ events: sent, refused, 'RSS, MiB': rssOf(host.pid).toFixed(0) });
  }
  printTable(`Memory, ${database}`, rows);
  await client.close();
  for (const one of [sender, receiver]) one.stop();
  await host.stop();
}

build();
for (const database of databases) await measure(database);
await stopShared();
