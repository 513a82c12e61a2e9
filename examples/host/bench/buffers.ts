/**
 * Measures how much resident memory callers make a host hold that send without end, or do not read: the peak above that
 * of the idle host, which is started again for each attack.
 *
 *     npx tsx examples/host/bench/buffers.ts [--smoke]
 *
 * `HOST_DIST` names another build of the host, by its path from `examples/host`.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchOptions, printTable } from './table.js';
import { addProject, ADMIN_KEY, build, type Project, rssOf, startWhole, type Whole } from './whole.js';

const { isSmoke } = benchOptions();
const MEBIBYTE = 1_048_576;
const IDLE_MS = isSmoke ? 1_000 : 5_000;
/** An attack has done all that it can when nothing has changed for this long. */
const STILL_MS = isSmoke ? 1_000 : 4_000;
const LOOK_MS = 250;

/** A host under attack, and the connections to it. */
interface Target {
  readonly host: Whole;
  readonly project: Project;
  readonly sockets: Socket[];
}

type Attack = () => Promise<unknown>;
/** Puts into the host what an attack needs, and returns the attack. */
type Prepare = (target: Target) => Attack | Promise<Attack>;

/** Opens a connection, and sends the head of a request and some bytes. */
async function send(
  { host, sockets }: Target,
  head: string,
  bytes: Uint8Array,
  reads = true,
): Promise<Socket> {
  const { port, hostname } = new URL(host.url);
  const socket = connect({ port: Number(port), host: hostname });
  sockets.push(socket);
  socket.on('error', () => undefined);
  if (reads) socket.resume();
  else socket.pause();
  await once(socket, 'connect');
  socket.write(`${head}\r\nHost: x\r\n\r\n`);
  socket.write(bytes);
  return socket;
}

const times = (count: number, work: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: isSmoke ? Math.ceil(count / 10) : count }, work));

const JSON_OF = (bytes: number): string => `Content-Type: application/json\r\nContent-Length: ${bytes}`;
const bearer = ({ key }: Project): string => `Authorization: Bearer ${key}`;

const CONNECTIONS = 300;
const UNFINISHED = new Uint8Array(MEBIBYTE - 1).fill(0x20);

const bodies = (target: Target): Attack => {
  const head = `POST /session HTTP/1.1\r\n${JSON_OF(MEBIBYTE)}`;
  return () => times(CONNECTIONS, () => send(target, head, UNFINISHED));
};

const UPGRADE = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==`;

/** The head of a masked frame of a mebibyte, and all of the frame but its last byte. */
function unfinishedFrame(): Buffer {
  const head = Buffer.alloc(14);
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(BigInt(MEBIBYTE), 2);
  return Buffer.concat([head, UNFINISHED]);
}

function frames(target: Target): Attack {
  const frame = unfinishedFrame();
  const path = `/projects/${target.project.id}/stream`;
  return () => times(CONNECTIONS, () => send(target, `GET ${path} HTTP/1.1\r\n${UPGRADE}`, frame));
}

function fileOfRules(bytes: number): Buffer {
  const match = { path: 'data.body.a', op: 'eq', value: 'x'.repeat(1_000) };
  const rule = { name: 'a', stage: 'deliver', match, action: { type: 'drop' }, priority: 1 };
  const text = JSON.stringify(rule);
  return Buffer.from(
    `[${Array<string>(Math.floor(bytes / (text.length + 1)) - 1)
      .fill(text)
      .join()}]`,
  );
}

function imports(target: Target): Attack {
  const file = fileOfRules(10 * MEBIBYTE);
  const { project } = target;
  const head = `POST /projects/${project.id}/rules/import HTTP/1.1\r\n${bearer(project)}\r\n${JSON_OF(file.byteLength)}`;
  return () => times(40, () => send(target, head, file));
}

/** An event is largest if each byte of it takes six as JSON, and if a rule changed it. */
async function slowReaders(target: Target): Promise<Attack> {
  const { project } = target;
  const action = { type: 'transform', ops: [{ op: 'set', path: 'data.more', value: 1 }] } as const;
  const match = { path: 'type', op: 'exists' } as const;
  const rule = { name: 'a', stage: 'deliver', match, action, priority: 1 } as const;
  await project.api.createRule({ project: project.id, body: rule });
  const body = '\u0001'.repeat(MEBIBYTE - 1_000);
  const headers = { 'content-type': 'text/plain' };
  const { id } = (await (await fetch(project.address, { method: 'POST', headers, body })).json()) as {
    id: string;
  };
  while ((await eventsOf(project)) === 0) await sleep(LOOK_MS);
  const head = `GET /projects/${project.id}/events/${id} HTTP/1.1\r\n${bearer(project)}`;
  return () => times(16, () => send(target, head, new Uint8Array(0), false));
}

/** Events that have been decided. */
const eventsOf = async ({ api, id: project }: Project): Promise<number> =>
  (await api.listEvents({ project, query: { status: 'processed' } })).items.length;

const ATTACKS: Readonly<Record<string, Prepare>> = {
  '300 callers without a key, bodies of 1 MiB less one byte': bodies,
  '300 callers without a key, WebSocket frames of 1 MiB less one byte': frames,
  '40 imports of 10 MiB at once': imports,
  '16 readers that take nothing of the largest event': slowReaders,
};

/** The most resident memory that a process has had, in MiB. Linux alone. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Lets the kernel measure the peak from now on. */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Bytes that the host counts itself, in MiB; NaN if it does not. */
async function countedBy({ url }: Whole): Promise<number> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(/^headgate_buffer_bytes (\d+)$/m.exec(text)?.[1] ?? NaN) / MEBIBYTE;
}

async function measure(name: string, prepare: Prepare) {
  const host = await startWhole('sqlite', { LOG_LEVEL: 'silent' });
  const project = await addProject(host, { rules: [], endpoints: [] });
  const sockets: Socket[] = [];
  const attack = await prepare({ host, project, sockets });
  await sleep(IDLE_MS);
  forgetPeak(host.pid);
  const idle = rssOf(host.pid);
  await attack();
  let [peak, counted] = [peakOf(host.pid), 0];
  for (let still = 0; still < STILL_MS; still += LOOK_MS) {
    await sleep(LOOK_MS);
    const now = [peakOf(host.pid), (await countedBy(host)) || 0] as const;
    if (now[0] > peak || now[1] > counted) still = 0;
    [peak, counted] = [Math.max(peak, now[0]), Math.max(counted, now[1])];
  }
  for (const socket of sockets) socket.destroy();
  await host.stop();
  return {
    attack: name,
    'idle, MiB': idle.toFixed(0),
    'peak above idle, MiB': (peak - idle).toFixed(0),
    'counted by the host, MiB': counted.toFixed(0),
  };
}

if (process.env.HOST_DIST === undefined) build();
const rows = [];
for (const [name, prepare] of Object.entries(ATTACKS)) rows.push(await measure(name, prepare));
printTable('Memory that callers make a host hold, sqlite', rows);
