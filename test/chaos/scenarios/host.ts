/** The whole service: killed, without its database, and with rules that change all the time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../postgres/start.js';
import { edit } from '../host/editor.js';
import type { StoreAddress } from '../host/records.js';
import { send, type Sending } from '../host/sender.js';
import { conclude, openSite, postgresAddress, type Site, sqliteAddress } from '../host/site.js';
import { type Means, type Outcome, type Scenario, unless } from '../scenario.js';
import { until, type World } from '../world.js';

/** How large it is. */
export interface HostSize {
  readonly events: number;
  readonly kills: number;
}

/** From when a process listens, or from its start, to its end at most. */
const SPACING_MS = 1_500;
/** Every how manyth is killed before it listens, so long after its start at most. */
const EARLY = 6;
const EARLY_MS = 400;
/** Every how manyth kill takes an SDK client as well. */
const CLIENT = 4;

async function killAgainAndAgain(site: Site, kills: number, draw: Means['draw']): Promise<void> {
  const { services, subscribers } = site;
  for (let n = 1; n <= kills; n++) {
    const service = services[draw(services.length)];
    if (service === undefined) continue;
    if (n % EARLY > 0) await service.ready;
    await sleep(draw(n % EARLY > 0 ? SPACING_MS : EARLY_MS));
    await service.kill();
    service.start();
    if (n % CLIENT === 0) await subscribers[draw(subscribers.length)]?.restart();
  }
  await Promise.all(services.map(({ ready }) => ready));
}

const killing = (
  name: string,
  what: string,
  { events, kills }: HostSize,
  processes: number,
  addressOf: (world: World, means: Means) => StoreAddress,
): Scenario => ({
  name,
  what,
  run: async (world, means) => {
    const site = await openSite(world, addressOf(world, means), processes);
    // The events last for about as long as the kills do.
    const perSecond = (events * 1_000) / (kills * SPACING_MS);
    const sending = send(site.services, site.project.ingest, { events, perSecond });
    await killAgainAndAgain(site, kills, means.draw);
    return conclude(site, sending, events);
  },
});

export const hostOnSqlite = (size: HostSize): Scenario =>
  killing('host-sqlite', 'the service: SIGKILL at random instants, SQLite', size, 1, sqliteAddress);

export const hostOnPostgres = (size: HostSize): Scenario =>
  killing(
    'host-postgres',
    'the service: SIGKILL of any of three processes, Postgres',
    size,
    3,
    (_, { postgres }) => postgresAddress(postgres, 'host_kills'),
  );

/** After the server is back. */
const BACK_MS = 15_000;
/** The most that a process may grow, in MiB, while its database is away. */
const GROWTH_MIB = 150;
const PEACE_MS = 3_000;

/** @param outageMs - How long Postgres is away. */
export const hostOutage = (events: number, outageMs: number): Scenario => ({
  name: 'host-outage',
  what: 'the service: Postgres crashes, and comes back',
  run: async (world) => {
    const server = await startPostgres();
    world.defer(() => server.stop());
    const site = await openSite(world, postgresAddress(server.url, 'host_outage'), 2);
    const memory = (): number => Math.max(...site.services.map((service) => service.memory()));
    const perSecond = (events * 1_000) / (2 * PEACE_MS + outageMs);
    const sending = send(site.services, site.project.ingest, { events, perSecond });
    await sleep(PEACE_MS);
    const before = { memory: memory(), refused: refusedOf(sending) };
    // As a crash of its machine: no session is ended, and the next start is a recovery.
    process.kill(server.pid(), 'SIGQUIT');
    const goneAt = Date.now();
    let most = 0;
    await until(() => {
      most = Math.max(most, memory());
      return false;
    }, outageMs);
    const backAt = Date.now();
    await server.resume();
    const isBack = await until(() => (sending.takenAt.at(-1) ?? 0) > backAt, BACK_MS);
    // On a slow machine, the first answers to what was sent meanwhile come when it is over.
    const refused = refusedOf(sending) - before.refused;
    const tookMs = (sending.takenAt.find((at) => at > backAt) ?? 0) - backAt;
    const outcome = await conclude(site, sending, events, { outages: [goneAt, backAt] });
    const grew = Math.max(0, Math.round(most - before.memory));
    return {
      ...outcome,
      kills: 1,
      said: [
        `${outageMs / 1_000} s away: ${refused} answers with 503; taken again after ${(tookMs / 1_000).toFixed(1)} s; a process grew by ${grew} MiB`,
        ...outcome.said,
      ],
      faults: [
        ...outcome.faults,
        ...unless(isBack, 'no event was taken after Postgres had come back'),
        ...unless(refused > 0, 'nobody was told 503'),
        ...unless(grew < GROWTH_MIB, `a process grew by ${grew} MiB`),
      ],
    };
  },
});

const refusedOf = ({ answers }: Sending): number => answers.get('503') ?? 0;

/** @param lastsMs - How long events come in and rules are edited. */
export const hostEdits = (events: number, lastsMs: number): Scenario => ({
  name: 'host-edits',
  what: 'the service: rules are edited all the time, SQLite and Postgres',
  run: async (world, means) => {
    const sqlite = await editOn(await openSite(world, sqliteAddress(world), 1), events, lastsMs, means);
    const address = postgresAddress(means.postgres, 'host_edits');
    return both(sqlite, await editOn(await openSite(world, address, 2), events, lastsMs, means));
  },
});

async function editOn(site: Site, events: number, lastsMs: number, { draw }: Means): Promise<Outcome> {
  const editing = edit(site.project, draw);
  const sending = send(site.services, site.project.ingest, { events, perSecond: (events * 1_000) / lastsMs });
  await sending.done.catch(() => undefined);
  const refused = await editing.stop().then(
    () => [],
    (error: unknown) => [`an edit was refused: ${String(error)}`],
  );
  const outcome = await conclude(site, sending, events, { versions: editing.versions });
  return { ...outcome, faults: [...outcome.faults, ...refused, ...editing.faults] };
}

const both = (a: Outcome, b: Outcome): Outcome => ({
  kills: 0,
  verdict: {
    deliveries: a.verdict.deliveries + b.verdict.deliveries,
    lost: [...a.verdict.lost, ...b.verdict.lost],
    repeats: [...a.verdict.repeats, ...b.verdict.repeats],
    inFlightAtKills: a.verdict.inFlightAtKills + b.verdict.inFlightAtKills,
    heldTwice: [...a.verdict.heldTwice, ...b.verdict.heldTwice],
    longestTakeOverMs: null,
    faults: [...a.verdict.faults, ...b.verdict.faults],
  },
  said: [...a.said, ...b.said],
  faults: [...a.faults, ...b.faults],
});
