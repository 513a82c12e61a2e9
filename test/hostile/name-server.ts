/** A name server for tests. */
import { createSocket } from 'node:dgram';

/** The records of a name; a type that is left out is never answered, an empty list says "no such record". */
export interface Records {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  /** Milliseconds that answers for AAAA take. */
  readonly aaaaAfterMs?: number;
  /** RFC 1035, 4.1.1: 2 server failure, 3 no such name, 5 refused. */
  readonly rcode?: number;
}

/** Records of a name that may change from one question of a type to the next; `asked` counts from 0. */
export type Zone = Readonly<Record<string, Records | ((asked: number) => Records)>>;

/** A DNS server on the loopback; names it does not know get no answer at all. */
export interface NameServer {
  /** As `createLookup` takes it. */
  readonly address: string;
  /** Names asked for so far, one entry for each type. */
  readonly questions: readonly string[];
  close(): void;
}

const TYPE_A = 1;

export async function openNameServer(zone: Zone): Promise<NameServer> {
  const questions: string[] = [];
  const asked = new Map<string, number>();
  const late6 = new Set<NodeJS.Timeout>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query);
    questions.push(name);
    const times = asked.get(`${name} ${type}`) ?? 0;
    asked.set(`${name} ${type}`, times + 1);
    const known = zone[name];
    const records = typeof known === 'function' ? known(times) : known;
    const found = type === TYPE_A ? records?.a : records?.aaaa;
    if (found === undefined) return;
    const send = (): void =>
      socket.send(answer(query.subarray(0, end), type, found, records?.rcode), from.port, from.address);
    const late = type === TYPE_A ? undefined : records?.aaaaAfterMs;
    if (late === undefined) send();
    else late6.add(setTimeout(send, late));
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const close = (): void => {
    late6.forEach(clearTimeout);
    socket.close();
  };
  return { address: `127.0.0.1:${socket.address().port}`, questions, close };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(query: Buffer, type: number, addresses: readonly string[], rcode = 0): Buffer {
  const header = Buffer.from(query);
  header.writeUInt16BE(0x8180 | rcode, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const rows = addresses.map((address) => {
    const data = type === TYPE_A ? ipv4(address) : ipv6(address);
    const row = Buffer.alloc(12);
    row.writeUInt16BE(0xc00c, 0); // the name of the question
    row.writeUInt16BE(type, 2);
    row.writeUInt16BE(1, 4);
    row.writeUInt32BE(60, 6);
    row.writeUInt16BE(data.length, 10);
    return Buffer.concat([row, data]);
  });
  return Buffer.concat([header, ...rows]);
}

const ipv4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
/** Written out in full. */
const ipv6 = (address: string): Buffer => Buffer.from(address.replaceAll(':', ''), 'hex');
