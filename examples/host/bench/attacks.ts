/** Attacks of one project on the others, none of which breaks a rule of the service. */
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type WebSocketType from 'ws';
import { sendPaced } from './load.js';
import { hanging, receiving } from './receiving.js';
import { addProject, type Reachable, type Project } from './whole.js';
import { BODY, HOSTILE_BODY, HOSTILE_RULES } from './workload.js';

const { WebSocket } = createRequire(import.meta.url)('ws') as { WebSocket: typeof WebSocketType };

/** An attack that is ready. */
export interface Attack {
  /** Attacks for this many seconds, and says what it could do. */
  run(seconds: number): Promise<string>;
  stop(): void;
}

/** The attacks, each by a project of its own. */
export const ATTACKS: Readonly<Record<string, (host: Reachable, isSmoke: boolean) => Promise<Attack>>> = {
  'no attack': () => Promise.resolve({ run: (seconds) => sleep(seconds * 1_000, ''), stop: () => undefined }),

  '25 rules at their budget, ten events of 1 MiB and 1,000 frames a second': async (host) => {
    const project = await addProject(host, { rules: HOSTILE_RULES, endpoints: [] });
    return {
      async run(seconds) {
        const [sent, frames] = await Promise.all([
          sendPaced(project.address, [HOSTILE_BODY], { rate: 10, seconds }),
          sendFrames(host, project, seconds),
        ]);
        return `${sent.times.length} events taken, ${sent.refused} refused; ${frames}`;
      },
      stop: () => undefined,
    };
  },

  '20 endpoints that hang, 20 events a second': async (host) => {
    const receiver = await hanging();
    const endpoints = Array.from({ length: 20 }, (_, i) => `${receiver.url}/${i}`);
    const project = await addProject(host, { rules: [], endpoints });
    return { run: (seconds) => pace(project, 20, seconds), stop: () => receiver.stop() };
  },

  '1,000 endpoints, two events a second': async (host, isSmoke) => {
    const receiver = await receiving(() => undefined);
    const endpoints = Array.from({ length: isSmoke ? 20 : 1_000 }, (_, i) => `${receiver.url}/${i}`);
    const project = await addProject(host, { rules: [], endpoints });
    return { run: (seconds) => pace(project, 2, seconds), stop: () => receiver.stop() };
  },

  'four dry-runs and four searches at all times': async (host, isSmoke) => {
    const project = await addProject(host, { rules: [], endpoints: [] });
    await sendPaced(project.address, [BODY], { rate: 200, seconds: isSmoke ? 1 : 10 });
    return { run: (seconds) => ask(project, seconds), stop: () => undefined };
  },

  'a query of 4,000 names': (host) => repeating(host, (project) => call(host, project, 'GET', QUERY)),

  'a form of 250,000 fields': (host) => repeating(host, ({ address }) => post(address, FORM, FIELDS)),

  'JSON of 1 MiB, deep and with a repeated key': (host) =>
    repeating(host, ({ address }) => post(address, JSON_TYPE, REPEATED)),

  'a list of 500,000 zeros for ids': (host) =>
    repeating(host, (project) => call(host, project, 'PUT', 'rules/order', ZEROS)),

  'a rule of 22,000 misspelled leaves': (host) =>
    repeating(host, (project) => call(host, project, 'POST', 'rules', MISSPELLED)),

  'events that 20,000 rules match, five a second': async (host, isSmoke) => {
    const project = await addProject(host, { rules: [], endpoints: [] });
    for (let part = 0; part < (isSmoke ? 1 : 20); part++) {
      const answer = await call(host, project, 'POST', 'rules/import', MATCHING(part));
      if (!answer.ok) throw new Error(`the import was answered ${answer.status}`);
    }
    return { run: (seconds) => pace(project, 5, seconds), stop: () => undefined };
  },

  'deep replies of 1 MiB, as fast as they are read': async (host) => {
    const project = await addProject(host, { rules: [], endpoints: [] });
    return { run: (seconds) => sendReplies(host, project, seconds), stop: () => undefined };
  },
};

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const names = (units: number): string =>
  Array.from({ length: units / 4 }, (_, i) => i.toString(36).padStart(3, '0'))
    .join('&')
    .slice(0, units);
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
// Made once: what the attacker spends would count against the host.
const QUERY = `events?${names(15_000)}`;
const FIELDS = Buffer.from(names(1_000_000));
const REPEATED = Buffer.from(`{"a":1,"a":${deep(500_000)}}`);
const ZEROS = `{"ids":[${'0,'.repeat(500_000)}0]}`;
const LEAVES = Array<string>(22_000).fill('{"path":"a","op":"eqals","value":1}').join();
const MISSPELLED = `{"name":"a","stage":"deliver","priority":1,"action":{"type":"drop"},"match":{"all":[${LEAVES}]}}`;

const MATCHING = (part: number): string =>
  JSON.stringify(
    Array.from({ length: 1_000 }, (_, i) => ({
      ...{ name: `${part}-${i}`, stage: 'deliver', priority: 1, action: { type: 'tag', tags: ['a'] } },
      match: { path: 'data.body.number', op: 'gt', value: -part * 1_000 - i },
    })),
  );

const post = (url: string, type: string, body: Buffer<ArrayBuffer>): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': type }, body });

const call = (
  { url }: Reachable,
  { id, key }: Project,
  method: string,
  path: string,
  body: string | null = null,
): Promise<Response> =>
  fetch(`${url}/projects/${id}/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': JSON_TYPE },
    body,
  });

/** Requests that go on at once when they were answered, however they were. */
const AT_ONCE = 4;

async function repeating(host: Reachable, request: (project: Project) => Promise<Response>): Promise<Attack> {
  const project = await addProject(host, { rules: [], endpoints: [] });
  const run = async (seconds: number): Promise<string> => {
    const end = performance.now() + seconds * 1_000;
    const statuses = new Map<number, number>();
    const loop = async (): Promise<void> => {
      while (performance.now() < end) {
        const { status } = await request(project).then(async (response) => {
          await response.arrayBuffer();
          return response;
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, loop));
    return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  };
  return { run, stop: () => undefined };
}

/** A client that replies without end, and connects again at once when it is closed for that. */
async function sendReplies(host: Reachable, project: Project, seconds: number): Promise<string> {
  const end = performance.now() + seconds * 1_000;
  const reply = `{"type":"reply","id":"r","event_id":"e","payload":${deep(520_000)}}`;
  let [sent, closed] = [0, 0];
  while (performance.now() < end) {
    const socket = await greeted(host, project);
    while (socket.readyState === WebSocket.OPEN && performance.now() < end) {
      if (socket.bufferedAmount < 4 * reply.length) socket.send(reply, () => sent++);
      await sleep(1);
    }
    if (performance.now() < end) closed++;
    socket.terminate();
  }
  return `${sent} replies, closed ${closed} times`;
}

/** A connection that has said who it is. */
async function greeted(host: Reachable, project: Project): Promise<WebSocketType> {
  const socket = new WebSocket(`${host.url.replace('http', 'ws')}/projects/${project.id}/stream`, [
    'headgate.v1',
  ]);
  socket.on('error', () => undefined);
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()));
  await Promise.race([opened, gone]);
  socket.send(JSON.stringify({ type: 'hello', key: project.key, client: 'hostile' }));
  return socket;
}

async function pace(project: Project, rate: number, seconds: number): Promise<string> {
  const { times, refused } = await sendPaced(project.address, [BODY], { rate, seconds });
  return `${times.length} events taken, ${refused} refused`;
}

const FRAMES_A_SECOND = 1_000;
const TICK_MS = 10;

/** A client that sends frames, and connects again at once when it is closed for that. */
async function sendFrames(host: Reachable, project: Project, seconds: number): Promise<string> {
  const end = performance.now() + seconds * 1_000;
  let [sent, closed] = [0, 0];
  while (performance.now() < end) {
    const socket = await greeted(host, project);
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    while (socket.readyState === WebSocket.OPEN && performance.now() < end) {
      for (let i = 0; i < (FRAMES_A_SECOND * TICK_MS) / 1_000; i++) socket.send('{"type":"ping"}');
      sent += (FRAMES_A_SECOND * TICK_MS) / 1_000;
      await sleep(TICK_MS);
    }
    if (performance.now() < end) closed++;
    socket.terminate();
    if (socket.readyState !== WebSocket.CLOSED) await gone;
  }
  return `${sent} frames, closed ${closed} times`;
}

/** A match that costs something, and that no event passes. */
const MATCH = { path: 'data.body.body', op: 'matches', value: '(x+x+)+y$' } as const;

async function ask({ api, id: project }: Project, seconds: number): Promise<string> {
  const end = performance.now() + seconds * 1_000;
  let [answered, refused] = [0, 0];
  const loop = async (call: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) {
      const isAnswered = await call().then(
        () => true,
        () => false,
      );
      if (isAnswered) answered++;
      else refused++;
      // A refused request is repeated without waiting: that is what makes the project hostile.
      await sleep(1);
    }
  };
  const dryRun = { stage: 'deliver', match: MATCH, action: { type: 'drop' }, windowHours: 168 } as const;
  await Promise.all(
    Array.from({ length: 4 }, () => [
      loop(() => api.dryRunRule({ project, body: dryRun })),
      loop(() => api.searchEvents({ project, body: { match: MATCH } })),
    ]).flat(),
  );
  return `${answered} calls answered, ${refused} refused`;
}
